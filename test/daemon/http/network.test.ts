import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Api, RecordingLog } from './api.ts';
import { createServer } from '../../../src/daemon/http/server.ts';
import { readCertificate } from '../../../src/daemon/process/listeners.ts';
import { openHouse } from '../taps/house.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/tls');
const [certFile, keyFile] = [join(fixtures, 'cert.pem'), join(fixtures, 'key.pem')];

let api: Api | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

describe('origins', () => {
  const origin = 'https://app.example.org';
  const preflight = {
    origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  };

  test('without any no page of another origin may call: no header, and the preflight is a 404', async () => {
    api = await Api.open();
    const { headers } = await api.call('GET', '/v1/taps', api.house.key, undefined, { origin });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect((await api.call('OPTIONS', '/v1/taps', undefined, undefined, preflight)).status).toBe(404);
  });

  test('those that are named may call, with a key, and read what they need; refusals included', async () => {
    api = await Api.open({ corsOrigins: [origin, 'http://localhost:5173'] });
    const asked = await api.call('OPTIONS', '/v1/stream', undefined, undefined, preflight);
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
    expect(asked.headers.get('access-control-allow-headers')).toContain('authorization');
    expect(asked.headers.get('access-control-allow-headers')).toContain('last-event-id');
    expect(asked.headers.get('access-control-allow-methods')).toContain('DELETE');
    for (const key of [api.house.key, undefined]) {
      const { status, headers } = await api.call('GET', '/v1/taps', key, undefined, { origin });
      expect(status).toBe(key === undefined ? 401 : 200);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('vary')).toBe('Origin');
      expect(headers.get('access-control-expose-headers')).toContain('x-stream-start');
    }
    const { token } = await api.newTap();
    const stream = await api.call('HEAD', '/v1/stream', token, undefined, { origin });
    expect(stream.headers.get('access-control-allow-origin')).toBe(origin);
  });

  test('others may not', async () => {
    api = await Api.open({ corsOrigins: [origin] });
    const theirs = { origin: 'https://app.example.org.evil.example' };
    const { headers } = await api.call('GET', '/v1/taps', api.house.key, undefined, theirs);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a star is any of them, and never with credentials', async () => {
    api = await Api.open({ corsOrigins: ['*'] });
    const { headers } = await api.call('GET', '/v1/taps', api.house.key, undefined, { origin });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  test.each(['app.example.org', 'https://app.example.org/', 'https://app.example.org/path', '', 'null'])(
    '%j is refused as an origin at the start',
    async (text) => {
      await expect(Api.open({ corsOrigins: [text] })).rejects.toThrow(/cors-origins has .* write it as/);
    },
  );
});

describe('trusted proxies', () => {
  test.each(['10.0.0.0', '10.0.0.0/33', '10.0.0/8', 'proxy.example', '', 'fe80::/129', '1.2.3.4/-1', '1.2.3.4/08x'])(
    '%j is refused as a network at the start',
    async (network) => {
      await expect(Api.open({ trustedProxies: [network] })).rejects.toThrow(/trusted-proxies has .* write it as/);
    },
  );
});

describe('slow and large requests', () => {
  test('have the same limits with a certificate and without', async () => {
    const house = await openHouse();
    const tls = await readCertificate({ tlsCert: certFile, tlsKey: keyFile });
    const limits = [undefined, tls].map((one) => {
      const { server } = createServer({ ...house, log: new RecordingLog() }, { tls: one });
      return [server.headersTimeout, server.requestTimeout, server.maxHeadersCount, server.keepAliveTimeout];
    });
    expect(limits).toEqual([
      [10_000, 30_000, 200, 72_000],
      [10_000, 30_000, 200, 72_000],
    ]);
  });
});

describe('a certificate', () => {
  test('makes the public server speak HTTPS', async () => {
    const house = await openHouse();
    const tls = await readCertificate({ tlsCert: certFile, tlsKey: keyFile });
    const server = createServer({ ...house, log: new RecordingLog() }, { tls });
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    expect(url).toMatch(/^https:/);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${house.key}` };
      const asked = get(`${url}/v1/taps`, {
        ca: readFileSync(certFile),
        servername: 'localhost',
        headers,
        agent: false,
      });
      asked.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject);
    });
    expect(status).toBe(200);
    await server.close();
  });

  test('is none where no files are set', async () => {
    expect(await readCertificate({ tlsCert: '', tlsKey: '' })).toBeUndefined();
  });

  test.each([
    [certFile, '', /tls-key is not/],
    ['', keyFile, /tls-cert is not/],
    [certFile, join(fixtures, 'none.pem'), /tls-key: .*none\.pem cannot be read: ENOENT/],
    [certFile, certFile, /are not a certificate and its key/],
  ])('that cannot be used keeps the daemon from starting, with what is wrong', async (tlsCert, tlsKey, sentence) => {
    await expect(readCertificate({ tlsCert, tlsKey })).rejects.toThrow(sentence);
  });
});
