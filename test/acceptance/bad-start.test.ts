import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { RealDaemon } from './real-daemon.ts';

/** What keeps a daemon from starting is one clear line on stderr, an exit code, and harms nothing. */
describe('a daemon that cannot start', () => {
  const daemons: RealDaemon[] = [];
  afterEach(async () => {
    for (const daemon of daemons.splice(0)) await daemon.dispose();
  });

  function fresh(): RealDaemon {
    const daemon = new RealDaemon();
    daemons.push(daemon);
    return daemon;
  }

  async function refusal(daemon: RealDaemon, args: string[]): Promise<{ code: number | undefined; text: string }> {
    const result = await daemon.run('hydrantd', args);
    return { code: result.exitCode, text: result.stderr };
  }

  test('a port in use: names the port and the flag', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const { code, text } = await refusal(fresh(), ['--port', String(port)]);
    taken.close();
    expect(code).toBe(1);
    expect(text.trimEnd().split('\n').at(-1)).toContain(`port ${port}`);
    expect(text).toContain('--port');
  });

  test.skipIf(process.getuid?.() === 0)('a data directory without the right to write', async () => {
    const daemon = fresh();
    chmodSync(daemon.dataDir, 0o500);
    const { code, text } = await refusal(daemon, ['--port', '0']);
    chmodSync(daemon.dataDir, 0o700);
    expect(code).not.toBe(0);
    expect(text).toContain(daemon.dataDir);
  });

  test('a second daemon on the same data directory: names the first, which goes on', async () => {
    const daemon = fresh();
    await daemon.start();
    const { code, text } = await refusal(daemon, ['--port', '0']);
    expect(code).not.toBe(0);
    expect(text).toContain(String(daemon.pid));
    expect(text).toContain('--data-dir');
    expect(await daemon.hydrant(['status', '--json'])).toContain(String(daemon.pid));
  });

  test('a damaged catalog: refuses, tells the way back, and the way back works', async () => {
    const daemon = fresh();
    await daemon.start();
    await daemon.hydrant(['tap', 'create', 'kept']);
    await daemon.hydrant(['tap', 'create', 'newest']);
    await daemon.stop();
    const catalog = join(daemon.dataDir, 'catalog.json');
    const whole = readFileSync(catalog, 'utf8');
    writeFileSync(catalog, whole.slice(0, -20));

    const { code, text } = await refusal(daemon, ['--port', '0']);
    expect(code).toBe(78);
    expect(text).toContain('catalog.json');
    expect(text).toContain('catalog.json.bak');
    expect(readFileSync(catalog, 'utf8')).toBe(whole.slice(0, -20));

    rmSync(catalog);
    writeFileSync(catalog, readFileSync(`${catalog}.bak`));
    await daemon.start();
    expect(await daemon.hydrant(['tap', 'list', '--json'])).toContain('kept');
  });

  test('an unknown flag: a usage error that suggests the right one', async () => {
    const { code, text } = await refusal(fresh(), ['--prot', '1']);
    expect(code).toBe(2);
    expect(text).toContain('--port');
  });

  test.each([
    ['--port', 'abc'],
    ['--port', '70000'],
    ['--crawl-concurrency', '0'],
    ['--log-level', 'loud'],
    ['--allow-private', '192.168.1'],
  ])('%s %s: names the flag and what is allowed', async (flag, value) => {
    const { code, text } = await refusal(fresh(), [flag, value]);
    expect([2, 78]).toContain(code);
    expect(text).toContain(flag.slice(2));
    expect(text).toContain(value);
  });

  test('a config file with a word too many, or without JSON', async () => {
    const daemon = fresh();
    const config = join(daemon.dataDir, 'config.json');
    writeFileSync(config, '{"prot": 1}');
    expect((await refusal(daemon, ['--config', config])).text).toContain('unknown setting "prot"');
    writeFileSync(config, '{"port": ');
    expect((await refusal(daemon, ['--config', config])).text).toContain('is not JSON');
    expect((await refusal(daemon, ['--config', `${config}.none`])).code).toBe(78);
  });

  test('a data directory that others may write to: names the command that puts it right, and nothing of it is used', async () => {
    const daemon = fresh();
    chmodSync(daemon.dataDir, 0o777);
    const { code, text } = await refusal(daemon, ['--port', '0']);
    expect([code, text]).toEqual([78, expect.stringContaining(`chmod go-w ${daemon.dataDir}`)]);
    expect(readdirSync(daemon.dataDir)).toEqual([]);
    const doctor = await daemon.run('hydrant', ['doctor']);
    expect([doctor.exitCode, doctor.stdout]).toEqual([
      1,
      expect.stringMatching(/^fail +data directory +others can write/m),
    ]);
    chmodSync(daemon.dataDir, 0o755);
    await daemon.start();
  });

  test.skipIf(process.getuid?.() !== 0)('a data directory, or a secret, of another user', async () => {
    const daemon = fresh();
    chownSync(daemon.dataDir, 54_321, 54_321);
    const first = await refusal(daemon, ['--port', '0']);
    expect([first.code, first.text]).toEqual([78, expect.stringContaining(`chown -R -h 0 ${daemon.dataDir}`)]);
    chownSync(daemon.dataDir, 0, 0);
    const secret = join(daemon.dataDir, 'secret');
    writeFileSync(secret, 's'.repeat(32), { mode: 0o600 });
    chownSync(secret, 54_321, 54_321);
    const second = await refusal(daemon, ['--port', '0']);
    expect([second.code, second.text]).toEqual([
      78,
      expect.stringContaining(`${secret} belongs to the user with id 54321`),
    ]);
    const doctor = await daemon.run('hydrant', ['doctor']);
    expect(doctor.stdout).toMatch(/^fail +secret +.* belongs to the user with id 54321/m);
  });

  test('a data directory that is a file', async () => {
    const daemon = fresh();
    rmSync(daemon.dataDir, { recursive: true });
    writeFileSync(daemon.dataDir, '');
    const { code, text } = await refusal(daemon, ['--port', '0']);
    expect(code).not.toBe(0);
    expect(text).toContain(daemon.dataDir);
    rmSync(daemon.dataDir);
    mkdirSync(daemon.dataDir);
  });
});
