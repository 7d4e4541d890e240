import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RealDaemon } from './real-daemon.ts';

/** What a stranger who sees the logs, the metrics or the list of processes must not find there. */
describe('secrets', () => {
  const daemon = new RealDaemon(['--log-level', 'debug', '--metrics-listen', '']);
  const secrets: Record<string, string> = {};
  let said = '';

  beforeAll(async () => {
    await daemon.start();
    const first = /"management_key":"([^"]+)"/.exec(daemon.log)?.[1] ?? '';
    await daemon.stop();
    daemon.log = '';
    await daemon.start();
    const made = JSON.parse(await daemon.hydrant(['key', 'create', 'other', '--json'])) as object;
    const tap = JSON.parse(await daemon.hydrant(['tap', 'create', 'watched', '--json'])) as object;
    const feed = await daemon.hydrant(['feed', 'add', '--tap', 'watched']);
    const all = `${JSON.stringify(made)} ${JSON.stringify(tap)} "${/svcf_\w+/.exec(feed)?.[0] ?? ''}"`;
    const found = [...all.matchAll(/"((?:[a-z]+_)[\w-]{30,})"/g)].map(([, text = '']) => text);
    Object.assign(secrets, { first, ...Object.fromEntries(found.map((text, index) => [`made ${index}`, text])) });
    const sealing = readFileSync(join(daemon.dataDir, 'secret'));
    Object.assign(secrets, { sealing: sealing.toString('hex'), 'sealing in base64': sealing.toString('base64') });
    said = await answersTo(Object.values(secrets));
  });
  afterAll(() => daemon.dispose());

  /** Every way to go wrong with a key in the hand. */
  async function answersTo(keys: readonly string[]): Promise<string> {
    const { url } = daemon.notice;
    const answers: string[] = [];
    for (const key of keys) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const calls = [
        fetch(`${url}/v1/taps/${key}`, { headers: { ...headers, authorization: `Bearer ${key}x` } }),
        fetch(`${url}/v1/rules?key=${key}`, { method: 'POST', headers, body: `{"value": "${key}` }),
        fetch(`${url}/v1/nothing/${key}`, { headers }),
        fetch(`${url}/v1/stream?since=${key}`, { headers }),
        fetch(`${url}/feeds/${key}.rss`),
        fetch(`${url}/feeds/${key}.atom/`, { method: 'POST', headers }),
      ];
      for (const call of await Promise.all(calls)) answers.push(await call.text());
    }
    return answers.join('\n');
  }

  /** The names of the secrets that stand in a text. */
  const foundIn = (text: string): string[] =>
    Object.keys(secrets).filter((name) => text.includes(secrets[name] ?? '-'));

  test('the search has something to look for, and finds it where it is', () => {
    expect(Object.keys(secrets).length).toBeGreaterThanOrEqual(6);
    expect(Object.values(secrets).every(({ length }) => length > 20)).toBe(true);
    expect(foundIn(`a ${secrets['first']} b`)).toEqual(['first']);
  });

  test('stand in no log of a daemon that has been started before, not at its most talkative', () => {
    expect(daemon.log).toContain('listens on');
    expect(foundIn(daemon.log)).toEqual([]);
  });

  test('stand in no refusal, whatever was sent to get one', () => {
    expect(said).toContain('message');
    expect(Object.values(secrets).filter((secret) => secret.startsWith('svc') && said.includes(secret))).toEqual([]);
    // A path is repeated up to a length, for whoever sent it; a header and a query never are.
    expect(foundIn(said.replaceAll(/(?:GET|POST) \/(?:v1|feeds)\/\S+/g, ''))).toEqual([]);
  });

  test('stand in no metrics, no status, no list of keys or feeds', async () => {
    const texts = [
      await daemon.operatorText('/metrics'),
      await daemon.hydrant(['status', '--json']),
      await daemon.hydrant(['key', 'list', '--json']),
      await daemon.hydrant(['feed', 'list', '--json']),
      (await daemon.run('hydrant', ['doctor', '--json'])).all,
      readFileSync(join(daemon.dataDir, 'daemon.json'), 'utf8'),
    ];
    expect(texts.every(({ length }) => length > 50)).toBe(true);
    expect(foundIn(texts.join('\n'))).toEqual([]);
  });

  test('stand in nothing that backup and salvage say, nor in the manifest, and what they make is its owner’s alone', async () => {
    const file = join(daemon.dataDir, 'backup.tar');
    const umask = process.umask(0);
    const [made, refused] = [
      await daemon.run('hydrant', ['backup', file, '--json']),
      await daemon.run('hydrant', ['salvage', join(daemon.dataDir, 'inside')]),
    ];
    process.umask(umask);
    expect([made.exitCode, refused.exitCode]).toEqual([0, 78]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const manifest = readFileSync(file).subarray(0, 4_096).toString('latin1');
    expect(manifest).toContain('"sha256"');
    rmSync(file);
    expect(foundIn(`${made.all} ${refused.all} ${manifest}`)).toEqual([]);
  });

  test.skipIf(!existsSync('/proc/self/cmdline'))('stand in no list of processes', () => {
    const texts = ['cmdline', 'comm', 'status'].map((name) => readFileSync(`/proc/${daemon.pid}/${name}`, 'utf8'));
    expect(texts.join('')).toContain('hydrantd');
    expect(foundIn(texts.join('\n'))).toEqual([]);
  });

  test('keys and tokens are in no file but sealed or as a hash', async () => {
    await daemon.stop();
    const files = readdirSync(daemon.dataDir).filter((name) => name !== 'secret');
    expect(files).toContain('hydrant.db');
    const texts = files.map((name) => readFileSync(join(daemon.dataDir, name)).toString('latin1'));
    expect(foundIn(texts.join('\n'))).toEqual([]);
  });
});

describe('files of the data directory', () => {
  test.each([0o000, 0o077])(
    'are their owner’s alone, whatever the umask, while the daemon runs and afterwards: %i',
    async (mask) => {
      const umask = process.umask(mask);
      const place = mkdtempSync(join(tmpdir(), 'hydrant-test-'));
      const logs = ['--log-file', join(place, 'log', 'hydrantd.log'), '--warc-dir', join(place, 'warc')];
      const daemon = new RealDaemon(logs, place);
      try {
        await daemon.start();
        // What was compiled, contexts and keys are below the home, which is the data directory here.
        const cache = { XDG_CACHE_HOME: join(place, 'cache') };
        await daemon.run('hydrant', ['tap', 'create', 'one'], undefined, cache);
        const env = { HOME: place, HYDRANT_KEY: 'svcm_x' };
        await daemon.runElsewhere(['context', 'add', 'there', 'http://127.0.0.1:1', '--no-key'], env);
        const names = openToOthers(place);
        expect(names.open).toEqual([]);
        expect(names.all).toEqual(
          expect.arrayContaining(['admin.sock', 'log/hydrantd.log', 'cache/hydrant', '.config/hydrant/contexts.json']),
        );
        await daemon.stop();
        expect(openToOthers(place).open).toEqual([]);
        expect(statSync(join(place, 'secret')).mode & 0o777).toBe(0o600);
      } finally {
        process.umask(umask);
        await daemon.dispose();
      }
    },
  );

  function openToOthers(dataDir: string): { readonly all: readonly string[]; readonly open: readonly string[] } {
    const all = ['.', ...(readdirSync(dataDir, { recursive: true }) as string[])];
    // Nobody else comes to what is below a directory that is closed to him.
    const isReached = (name: string): boolean => !name.startsWith('cache/hydrant/');
    const isOpen = (name: string): boolean => (lstatSync(join(dataDir, name)).mode & 0o077) !== 0;
    return { all, open: all.filter((name) => isReached(name) && isOpen(name)) };
  }
});
