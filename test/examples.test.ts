import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../src/shared/settings.ts';

/** What stands in the examples agrees with what the daemon does; nothing here can run a container or a proxy. */
const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
/** docs/streams.md: seconds without an event after which the daemon sends a heartbeat. */
const HEARTBEAT_SECONDS = Number(
  /After (\d+) s without an event the daemon sends a heartbeat/.exec(read('docs/streams.md'))?.[1],
);
const port = String(settings.find(({ name }) => name === 'port')?.default);

describe('the proxies', () => {
  const caddy = read('examples/caddy/Caddyfile');
  const nginx = read('examples/nginx/hydrant.conf');

  test('reach the port that the daemon has', () => {
    expect(caddy).toContain(`reverse_proxy 127.0.0.1:${port} {`);
    expect(nginx).toContain(`server 127.0.0.1:${port};`);
  });

  test('hold no event back', () => {
    const stream = /location = \/v1\/stream \{(.*?)\n {4}\}/s.exec(nginx)?.[1];
    for (const line of ['proxy_buffering off;', 'proxy_cache off;', 'gzip off;']) expect(stream).toContain(line);
    expect(nginx).toMatch(/proxy_http_version 1\.1;\n\s+proxy_set_header Connection "";/);
    expect(caddy).toContain('flush_interval 10ms');
    expect(caddy).toContain('@whole not path /v1/stream\n\tencode @whole');
  });

  test('wait longer than a stream is silent', () => {
    expect(HEARTBEAT_SECONDS).toBe(15);
    const waits = [/proxy_read_timeout (\d+)s/.exec(nginx), /^\s*read_timeout (\d+)s/m.exec(caddy)].map((found) =>
      Number(found?.[1]),
    );
    for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(3 * HEARTBEAT_SECONDS);
  });

  test('close what they open', () => {
    for (const text of [caddy, nginx]) expect(text.split('{').length).toBe(text.split('}').length);
  });
});

describe('the cluster', () => {
  const caddy = read('examples/cluster/Caddyfile');
  const compose = parse(read('examples/cluster/compose.yaml'), { merge: true }) as {
    services: Record<string, Record<string, unknown>>;
    volumes: Record<string, unknown>;
    secrets: Record<string, unknown>;
  };
  const nodes = Object.entries(compose.services).filter(([, { environment }]) =>
    Object.hasOwn(environment ?? {}, 'HYDRANT_STORE_FILE'),
  );
  const settingNames = settings.map(({ name }) => `HYDRANT_${name.replaceAll('-', '_').toUpperCase()}`);

  test('has a proxy before each daemon, which is as careful with streams as the one before one daemon', () => {
    expect(nodes.map(([name]) => name)).toEqual(['one', 'two', 'three']);
    expect(caddy).toContain(`to ${nodes.map(([name]) => `${name}:${port}`).join(' ')}\n`);
    const alone = read('examples/caddy/Caddyfile');
    for (const line of [
      'flush_interval 10ms',
      'response_header_timeout 30s',
      'read_timeout 60s',
      'encode @whole zstd gzip',
    ]) {
      expect(alone).toContain(line);
      expect(caddy).toContain(line);
    }
    expect(caddy.split('{').length).toBe(caddy.split('}').length);
  });

  test('gives each daemon a name and data of its own, and all the same secret', () => {
    const places = nodes.map(([name, { hostname, volumes }]) => [name, hostname, volumes]);
    expect(places).toEqual(['one', 'two', 'three'].map((name) => [name, name, [`${name}:/data`]]));
    expect(compose.services['secret']?.['volumes']).toEqual(nodes.map(([name]) => `${name}:/${name}`));
    for (const [, service] of nodes) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], secrets: ['store'] });
      expect(service['depends_on']).toMatchObject({ secret: { condition: 'service_completed_successfully' } });
    }
  });

  test('names volumes, secrets and settings that there are', () => {
    const used = Object.values(compose.services).flatMap(({ volumes }) => (volumes ?? []) as string[]);
    const named = used.map((text) => text.split(':')[0] ?? '').filter((name) => !name.startsWith('.'));
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    expect(Object.keys(compose.secrets).toSorted()).toEqual(['password', 'store']);
    const texts = [read('examples/cluster/compose.yaml'), read('examples/cluster/store.conf')];
    const set = texts.flatMap((text) => [...text.matchAll(/(HYDRANT_[A-Z_]+)[=:]/g)].map(([, name = '']) => name));
    expect(set.length).toBeGreaterThan(4);
    for (const name of set) expect(settingNames).toContain(name.replace(/_FILE$/, ''));
  });
});

describe('the container', () => {
  const file = read('Dockerfile');
  const compose = parse(read('compose.yaml')) as { services: { hydrant: Record<string, unknown> } };

  test('runs as nobody in particular, and writes to its volume only', () => {
    expect(file).toMatch(/^USER (?!root)\w+$/m);
    expect(file).toContain('VOLUME /data');
    expect(compose.services.hydrant).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      volumes: ['data:/data'],
      ports: [`127.0.0.1:${port}:${port}`],
    });
  });

  test('sets settings that there are', () => {
    const names = settings.map(({ name }) => `HYDRANT_${name.replaceAll('-', '_').toUpperCase()}`);
    const set = [...file.matchAll(/(HYDRANT_[A-Z_]+)=/g)].map(([, name]) => name);
    expect(set.length).toBeGreaterThan(2);
    for (const name of set) expect(names).toContain(name);
    expect(file).toContain(`EXPOSE ${port}`);
  });

  test('is built on a Node that hydrant runs on, both stages the same', () => {
    const bases = [...file.matchAll(/^FROM node:(\d+)-slim/gm)].map(([, major]) => major);
    expect(bases).toEqual(['24', '24']);
  });
});
