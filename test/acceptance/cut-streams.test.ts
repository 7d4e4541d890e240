import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChangingSite } from './changing-site.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import { clients, type OpenClient, type Opened, openPolyfill, silenceThePolyfill } from './sse-clients.ts';
import { goClient, pythonClient } from './sse-programs.ts';
import type { Match } from '../../src/shared/api/match.ts';
import type { TapCreated } from '../../src/shared/api/tap.ts';

/** In UTF-8 `Å` and many Cyrillic letters have the byte 0x85, which ends a line in Latin-1. */
const TITLE = 'Ångström № 5 – Большой Ѕтамбул, 東京 🦊';
const LIFE_MS = 2_000;
const CUTS_OF_EACH = 3;

const folder = mkdtempSync(join(tmpdir(), 'hydrant-clients-'));
/** Undefined: not installed here. */
const all: Readonly<Record<string, OpenClient | undefined>> = {
  ...clients,
  'event-source-polyfill': openPolyfill,
  'Python requests': pythonClient('requests'),
  'Python httpx': pythonClient('httpx'),
  'Python aiohttp': pythonClient('aiohttp'),
  'Go donovanhide/eventsource': goClient(folder),
};

describe('clients of others behind a proxy that cuts each connection after two seconds', () => {
  const open: { close(): unknown }[] = [{ close: () => rmSync(folder, { recursive: true }) }];
  const opened = new Map<string, Opened>();
  const taps = new Map<string, { readonly id: string; readonly token: string }>();
  /** What each tap's log holds, read at the end without the proxy. */
  const logs = new Map<string, { readonly id: string; readonly data: Match }[]>();

  beforeAll(async () => {
    silenceThePolyfill();
    const site = await ChangingSite.start(6, 60, TITLE);
    const daemon = await RealDaemon.start([...loopback, '--log-level', 'error']);
    open.push(site, { close: () => daemon.dispose() });
    const proxy = await CuttingProxy.before(Number(new URL(daemon.notice.url).port), LIFE_MS);
    open.push(proxy);
    for (const [name, client] of Object.entries(all)) {
      if (client === undefined) continue;
      // Each has a tap of its own: a tap may be opened thirty times a minute.
      const { data, token } = await daemon.operator<TapCreated>('POST', '/v1/taps', { name });
      await daemon.operator('POST', '/v1/rules', { value: 'fox', quality: false }, token);
      taps.set(name, { id: data.id, token });
      opened.set(name, client(`${proxy.url}/v1/stream?offset=0`, token));
    }
    open.push(...opened.values());
    await daemon.hydrant(['crawl', 'add', '-', '--every', '1s'], site.urls.join('\n'));

    const each = (what: string, holds: (one: Opened) => boolean): Promise<void> => {
      const without = (): string[] => [...opened].flatMap(([name, one]) => (holds(one) ? [] : [name]));
      return until(what, () => without().length === 0, 120_000).catch(() => {
        throw new Error(`${what}: not ${without().join(', ')}`);
      });
    };
    await each('came back', ({ seen }) => seen.statuses.length > CUTS_OF_EACH);
    await each('received', ({ seen }) => seen.updates.length >= 20);
    proxy.stopCutting();
    site.close();
    await until('each open connection has had a heartbeat', () => {
      const { all: connections, beaten } = proxy.open;
      return connections === opened.size && beaten === connections;
    });
    for (const [name, { token }] of taps) logs.set(name, await logOf(daemon.notice.url, token));
    for (const { id } of taps.values()) await daemon.operator('DELETE', `/v1/taps/${id}`);
    await each('heard of the revocation', ({ seen }) => seen.errors.length > 0);
  }, 300_000);

  afterAll(async () => {
    for (const thing of open.toReversed()) await thing.close();
  });

  test.for(Object.keys(all))('%s: no gap, no duplicate, no empty event, and every letter', (name, { skip }) => {
    const seen = opened.get(name)?.seen ?? skip(`${name} is not installed here`);
    const log = logs.get(name) ?? [];
    expect(log.length).toBeGreaterThanOrEqual(20);
    expect(log.filter(({ data }) => data.document.title !== TITLE)).toEqual([]);
    expect(seen.updates).toEqual(log.map(({ id }) => id));
    expect(seen.matches.map((match) => JSON.parse(match) as Match)).toEqual(log.map(({ data }) => data));
    expect(seen.empty).toEqual([]);
    expect(new Set(seen.types)).toEqual(new Set(['connected', 'update', 'error']));
    expect(seen.types.filter((type) => type === 'connected')).toHaveLength(
      seen.statuses.filter((status) => status === 200).length,
    );
  });
});

/** All that the log of a tap holds. */
async function logOf(url: string, token: string): Promise<{ id: string; data: Match }[]> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' };
  const lines = await (await fetch(`${url}/v1/stream?offset=0&timeout=1`, { headers })).text();
  return lines
    .split('\n')
    .filter((line) => line.startsWith('{"event":"update"'))
    .map((line) => JSON.parse(line) as { id: string; data: Match });
}
