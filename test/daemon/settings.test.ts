import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultPlans } from '../../src/daemon/accounts/plans.ts';
import { resolveSettings } from '../../src/daemon/settings.ts';

const directory = mkdtempSync(join(tmpdir(), 'hydrant-settings-'));
const home = { HOME: directory };

function config(text: string): string {
  const path = join(directory, `${Math.random().toString(36).slice(2)}.json`);
  writeFileSync(path, text);
  return path;
}

describe('the daemon’s settings', () => {
  test('without anything, the defaults', async () => {
    expect(await resolveSettings({}, home)).toEqual({
      dataDir: join(directory, '.local/share/hydrant'),
      store: '',
      listen: '127.0.0.1',
      port: 7878,
      allowPrivate: [],
      crawlConcurrency: 16,
      crawlHostDelay: 1,
      crawlDeadline: 30,
      crawlContact: '',
      crawlRate: 5,
      crawlThreads: 0,
      memory: 'normal',
      crawlProxy: '',
      crawlSharedIps: [],
      warcDir: '',
      renderBrowser: '',
      renderEndpoint: '',
      renderProxy: '127.0.0.1',
      renderPages: 1,
      renderSandbox: 'on',
      trustedProxies: [],
      corsOrigins: [],
      tlsCert: '',
      tlsKey: '',
      publicValidateRate: 30,
      compatLegacyMatchPayload: 'off',
      matchPrice: 0.005,
      streamRetention: 86_400,
      logBytes: 2_147_483_648,
      recentBytes: 268_435_456,
      watchHistory: 1_000,
      ui: 'off',
      maxConnections: 20_000,
      metricsListen: '',
      logLevel: 'info',
      logFormat: 'auto',
      logFile: '',
      logFileBytes: 10_485_760,
      plans: defaultPlans,
    });
  });

  test('a secret may stand in a file of its own, and is in no message', async () => {
    const file = join(directory, 'store');
    writeFileSync(file, 'postgres://hydrant:sesame@db/hydrant\n');
    const named = { ...home, HYDRANT_STORE_FILE: file };
    expect(await resolveSettings({}, named)).toMatchObject({ store: 'postgres://hydrant:sesame@db/hydrant' });
    const twice = resolveSettings({}, { ...named, HYDRANT_STORE: 'postgres://other' });
    await expect(twice).rejects.toThrow('HYDRANT_STORE and HYDRANT_STORE_FILE are both set; keep one');
    writeFileSync(file, 'postgres://hydrant:ses\name@db/hydrant');
    await expect(resolveSettings({}, named)).rejects.toThrow(/^HYDRANT_STORE: (?!.*ses)/);
    writeFileSync(file, '\n');
    await expect(resolveSettings({}, named)).rejects.toThrow(`HYDRANT_STORE_FILE: ${file} is empty`);
    const missing = { ...home, HYDRANT_STORE_FILE: join(directory, 'none') };
    await expect(resolveSettings({}, missing)).rejects.toThrow(/^HYDRANT_STORE_FILE: .*none cannot be read: ENOENT$/);
  });

  test('flag before environment before config file before default', async () => {
    const file = config('{"port": 1, "crawlConcurrency": 1, "crawlDeadline": 1}');
    const environment = { ...home, HYDRANT_CONFIG: file, HYDRANT_PORT: '2', HYDRANT_CRAWL_CONCURRENCY: '2' };
    const resolved = await resolveSettings({ port: '3' }, environment);
    expect(resolved).toMatchObject({ port: 3, crawlConcurrency: 2, crawlDeadline: 1, crawlHostDelay: 1 });
  });

  test.each([
    ['24h', 86_400],
    ['7d', 604_800],
    ['90d', 7_776_000],
    ['129600', 129_600],
  ])('stream-retention %s is %i seconds, as a flag, in the environment, in the file', async (text, seconds) => {
    const wanted = { streamRetention: seconds };
    expect(await resolveSettings({ streamRetention: text }, home)).toMatchObject(wanted);
    expect(await resolveSettings({}, { ...home, HYDRANT_STREAM_RETENTION: text })).toMatchObject(wanted);
    const inFile = /^\d+$/.test(text) ? text : JSON.stringify(text);
    expect(await resolveSettings({ config: config(`{"streamRetention": ${inFile}}`) }, home)).toMatchObject(wanted);
  });

  test.each(['23h', '91d', '0', '-1', 'a week', '', '1.5d', '7 days'])(
    'stream-retention %j is refused with what is allowed',
    async (text) => {
      const refused = `--stream-retention: ${JSON.stringify(text)} is not a time from 24 hours to 90 days`;
      await expect(resolveSettings({ streamRetention: text }, home)).rejects.toThrow(refused);
    },
  );

  test('lists: repeated flags, commas in the environment, arrays in the file', async () => {
    const wanted = { allowPrivate: ['10.0.0.0/8', 'fd00::/8'] };
    expect(await resolveSettings({ allowPrivate: ['10.0.0.0/8', 'fd00::/8'] }, home)).toMatchObject(wanted);
    const environment = { ...home, HYDRANT_ALLOW_PRIVATE: '10.0.0.0/8, fd00::/8' };
    expect(await resolveSettings({}, environment)).toMatchObject(wanted);
    const file = config('{"allowPrivate": ["10.0.0.0/8", "fd00::/8"]}');
    expect(await resolveSettings({ config: file }, home)).toMatchObject(wanted);
  });

  test.each([
    ['0.0.0.0', '0.0.0.0', 7878],
    ['0.0.0.0:80', '0.0.0.0', 80],
    ['localhost:0', 'localhost', 0],
    ['[::1]:9000', '::1', 9000],
    ['[::1]', '::1', 7878],
    ['::1', '::1', 7878],
  ])('--listen %s', async (listen, host, port) => {
    expect(await resolveSettings({ listen }, home)).toMatchObject({ listen: host, port });
  });

  test.each<[string, Record<string, unknown>, Record<string, string>, string]>([
    ['a port that is none', { port: 'abc' }, {}, '--port: "abc" is not a whole number from 0 to 65535'],
    ['a port too high', {}, { HYDRANT_PORT: '65536' }, 'HYDRANT_PORT: "65536" is not a whole number from 0 to 65535'],
    ['a negative delay', { crawlHostDelay: '-1' }, {}, '--crawl-host-delay: "-1" is not a number from 0 to 3600'],
    ['a broken count', { crawlConcurrency: '1.5' }, {}, '--crawl-concurrency'],
    ['an unknown level', { logLevel: 'loud' }, {}, '--log-level: "loud" is not one of debug, info, warn, error'],
    ['a line break', { crawlContact: 'a\r\nX-Evil: 1' }, {}, '--crawl-contact'],
    ['an empty address', { listen: '' }, {}, '--listen: "" is not an address'],
    ['a port after an address', { listen: '1.2.3.4:99999' }, {}, '--listen: 99999 is not a port'],
  ])('%s is refused by name', async (_, flags, environment, message) => {
    await expect(resolveSettings(flags, { ...home, ...environment })).rejects.toMatchObject({
      name: 'StartFailure',
      kind: 'configuration',
      message: expect.stringContaining(message) as string,
    });
  });

  test.each([
    ['no JSON', '{"port":', 'is not JSON'],
    ['no object', '[1]', 'must hold one JSON object'],
    ['a plan that cannot be', '{"plans": {"Free": {"rules": -1}}}', '.json: plans."Free".rules: -1 is not'],
    ['an unknown word', '{"prot": 1}', 'unknown setting "prot"'],
    ['a wrong type', '{"allowPrivate": "10.0.0.0/8"}', 'allowPrivate: expected a list of texts'],
  ])('a config file with %s is refused with its path', async (_, text, message) => {
    const file = config(text);
    await expect(resolveSettings({ config: file }, home)).rejects.toThrow(message);
    await expect(resolveSettings({ config: file }, home)).rejects.toThrow(file);
  });

  test.each([
    ['a line end', '}\n'],
    ['an escape sequence', '{"port": \u001b[2J}'],
    ['a name with one', '{"a\\u001b[2J\\n": 1}'],
  ])('what is wrong with a config file is one line that moves no cursor: %s', async (_, text) => {
    const file = config(text);
    const { message } = (await resolveSettings({ config: file }, home).catch((error: unknown) => error)) as Error;
    expect(message).toContain(file);
    expect(message).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
  });

  test.each([
    ['a setting', { ['x'.repeat(10_000)]: 1 }],
    ['a value', { logLevel: 'x'.repeat(10_000) }],
    ['a plan', { plans: { ['x'.repeat(10_000)]: {} } }],
    ['a limit', { plans: { Free: { ['x'.repeat(10_000)]: 1 } } }],
  ])('of %s that is longer than anyone reads, the beginning is shown', async (_, value) => {
    const file = config(JSON.stringify(value));
    const { message } = (await resolveSettings({ config: file }, home).catch((error: unknown) => error)) as Error;
    expect(message).toContain('xxxx…');
    expect(message.length).toBeLessThan(1_500);
  });

  test('a control character in a list is refused, as it is alone', async () => {
    const file = config('{"crawlSharedIps": ["\\u0000"]}');
    await expect(resolveSettings({ config: file }, home)).rejects.toThrow(
      'crawlSharedIps: "\\u0000" is not a plain text',
    );
  });

  test('a config file that was named must be there; the usual one need not', async () => {
    const none = join(directory, 'none.json');
    await expect(resolveSettings({ config: none }, home)).rejects.toThrow(`config file ${none} cannot be read: ENOENT`);
    await expect(resolveSettings({}, {})).rejects.toThrow('--data-dir');
  });
});
