import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './real-daemon.ts';

const examples = join(import.meta.dirname, '../../examples');

/** A reverse proxy that runs by the example of our papers, on a port of loopback and without TLS. */
export interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

/** How one is asked for its version, and started: its example with our addresses in it, and the words of its command. */
interface Kind {
  readonly program: string;
  readonly version: readonly string[];
  /** `upstreams`: `host:port` of each daemon. */
  readonly config: (port: number, upstreams: readonly string[], directory: string) => string;
  readonly words: (file: string, directory: string) => readonly string[];
}

/** As the examples name the daemon. */
const UPSTREAM = '127.0.0.1:7878';

const kinds: Readonly<Record<string, Kind>> = {
  caddy: caddyBy('caddy/Caddyfile', UPSTREAM),
  nginx: {
    program: 'nginx',
    version: ['-v'],
    config: (port, [upstream = ''], directory) => {
      const example = readFileSync(join(examples, 'nginx/hydrant.conf'), 'utf8');
      const plain = example.replaceAll(/^ *(?:listen \[::\]|ssl_certificate).*\n/gm, '');
      const ours = replaced(plain, ['listen 443 ssl;', `listen 127.0.0.1:${port};`], [UPSTREAM, upstream]);
      const spools = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const paths = spools.map((name) => `${name}_temp_path ${directory}/${name};`).join('\n');
      const http = `http {\naccess_log off;\n${paths}\n${ours}}\n`;
      return `daemon off;\nmaster_process off;\npid ${directory}/pid;\nerror_log stderr;\nevents {}\n${http}`;
    },
    words: (file, directory) => ['-p', directory, '-e', 'stderr', '-c', file],
  },
  /** Before several daemons. */
  cluster: caddyBy('cluster/Caddyfile', 'one:7878 two:7878 three:7878'),
};

/** @param upstreams as the example names the daemons */
function caddyBy(file: string, upstreams: string): Kind {
  return {
    program: 'caddy',
    version: ['version'],
    config: (port, ours) => {
      const example = readFileSync(join(examples, file), 'utf8');
      const site = ['hydrant.example.org {', `http://127.0.0.1:${port} {`] as const;
      return `{\n\tadmin off\n}\n${replaced(example, site, [upstreams, ours.join(' ')])}`;
    },
    words: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
  };
}

/** Those that are before one daemon. */
export const proxies = ['caddy', 'nginx'];

export function isInstalled(name: string): boolean {
  const { program = name, version = [] } = kinds[name] ?? {};
  return spawnSync(program, version, { stdio: 'ignore' }).status === 0;
}

/** @param daemons their URLs */
export async function startProxy(name: string, ...daemons: readonly string[]): Promise<Proxy> {
  const kind = kinds[name];
  if (kind === undefined) throw new Error(`there is no proxy ${name}`);
  const directory = mkdtempSync(join(tmpdir(), `hydrant-${name}-`));
  const port = await freePort();
  const file = join(directory, 'config');
  writeFileSync(
    file,
    kind.config(
      port,
      daemons.map((daemon) => new URL(daemon).host),
      directory,
    ),
  );
  const env = { PATH: process.env['PATH'] ?? '', HOME: directory };
  const started = spawn(kind.program, kind.words(file, directory), { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  started.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise<void>((resolve) => {
    started.once('close', () => resolve());
  });
  const url = `http://127.0.0.1:${port}`;
  await until(`${name} answers`, async () => {
    if (started.exitCode !== null) throw new Error(`${name} did not start: ${log}`);
    return fetch(`${url}/openapi.json`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    url,
    close: async () => {
      // Asked to end, it would wait for its streams.
      started.kill('SIGKILL');
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}

/** Each of the places has to be there: an example that changes is not to be tested by chance. */
function replaced(example: string, ...places: readonly (readonly [from: string, to: string])[]): string {
  return places.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the example has no ${from}`);
    return text.replace(from, to);
  }, example);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return port;
}
