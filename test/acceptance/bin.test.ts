import { execa } from 'execa';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { namesWhatItLoads } from './loaded-modules.ts';
import { RealDaemon } from './real-daemon.ts';
import { readVersion } from '../../src/cli/runtime/version.ts';

const bin = path.resolve('bin/hydrant');
const daemonBin = path.resolve('bin/hydrantd');
const require = createRequire(import.meta.url);
const { refusal } = require('../../bin/node-version.js') as {
  refusal: (version: string, program: string, directory: string) => string | undefined;
};
const { restartForLessMemory } = require('../../bin/memory-settings.js') as {
  restartForLessMemory: (host: object, memory: string) => void;
};

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'hydrant-bin-'));
});
afterAll(async () => rm(directory, { recursive: true }));

interface Ran {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

async function hydrant(argv: readonly string[], program = bin, nodeFlags: readonly string[] = []): Promise<Ran> {
  const env = { HOME: directory, PATH: process.env['PATH'] ?? '' };
  const options = { env, extendEnv: false, reject: false } as const;
  const { exitCode, stdout, stderr } = await execa(process.execPath, [...nodeFlags, program, ...argv], options);
  return { exitCode, stdout, stderr };
}

describe('the program', () => {
  test('tells its version, under both names', async () => {
    for (const program of [bin, daemonBin]) {
      expect(await hydrant(['--version'], program)).toMatchObject({ exitCode: 0, stdout: readVersion(), stderr: '' });
    }
    expect(await hydrant(['tap', '-h'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await hydrant(['--help'], daemonBin)).stdout).toContain('Usage: hydrantd [options]');
  });

  test.each([
    [['tpa'], 2, "error: unknown command 'tpa'\n  did you mean tap?"],
    [['status', '--jsno'], 2, "error: unknown option '--jsno'\n  did you mean --json?"],
    [['serve', '--prot', '1'], 2, "error: unknown option '--prot'\n  did you mean --port?"],
  ])('%j exits with %i', async (argv, code, stderr) => {
    expect(await hydrant(argv)).toMatchObject({ exitCode: code, stdout: '', stderr });
  });

  test('without a daemon says how to start one, with exit code 3', async () => {
    const result = await hydrant(['tap', 'list']);
    expect(result.exitCode).toBe(3);
    expect(result.stderr).toBe(
      `error: no daemon is running in ${directory}/.local/share/hydrant\n  start one with: hydrant serve`,
    );
  });

  test('ends quietly when its reader goes away', () => {
    // The reader has ended before the first byte is written: bash waits for it.
    const script = `exec 3> >(true); wait $!; "$0" "$1" --help >&3; echo "$?"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, bin], { encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['0\n', '']);
  });

  test.skipIf(!existsSync('/dev/full'))('fails when what it says cannot be written', () => {
    const script = `"$0" "$1" "$2" > /dev/full; echo "$?"`;
    for (const word of ['--version', '--help']) {
      const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, bin, word], { encoding: 'utf8' });
      expect([stdout, stderr]).toEqual(['1\n', 'error: cannot write to stdout: ENOSPC\n']);
    }
  });

  test('writes all of a long answer into a slow pipe', () => {
    const script = `"$0" "$1" extract "$3" | (sleep 0.2; wc -c); "$0" "$1" extract "$3" > "$2"; wc -c < "$2"`;
    const file = path.join(directory, 'extracted');
    const page = path.join(directory, 'long.html');
    const lines = Array.from(
      { length: 5_000 },
      (_, at) => `<p>Line ${at} tells where boat ${at} sails to at noon.</p>`,
    );
    writeFileSync(page, `<title>Boats</title>${lines.join('')}`);
    const { stdout } = spawnSync('bash', ['-c', script, process.execPath, bin, file, page], { encoding: 'utf8' });
    const [piped, written] = stdout.trim().split(/\s+/);
    expect(Number(piped)).toBeGreaterThan(100_000);
    expect(piped).toBe(written);
  });

  test('loads nothing but itself for its version, and neither screens nor the daemon for its help', async () => {
    const version = (await hydrant(['--version'], bin, namesWhatItLoads)).stderr;
    expect(version).toContain('/dist/cli/main.js');
    expect(version).toContain(' src/cli/main.ts');
    expect(version).not.toContain('node_modules/');
    const help = (await hydrant(['--help'], bin, namesWhatItLoads)).stderr;
    expect(help).toContain(' node_modules/commander/');
    expect(help).not.toMatch(
      /node_modules\/(ink|react|eventsource|undici|fastify|typebox|pino|zod|@modelcontextprotocol)| src\/daemon/,
    );
  });
});

describe('the daemon', () => {
  test('does without the fetch of Node, which loads a second undici into each process: 14 MB', async () => {
    const report = path.join(directory, 'loaded.json');
    const preload = path.join(directory, 'report-modules.mjs');
    writeFileSync(
      preload,
      `import { writeFileSync } from 'node:fs';
      import { isMainThread } from 'node:worker_threads';
      if (isMainThread) process.on('exit', () => writeFileSync(${JSON.stringify(report)}, JSON.stringify(process.moduleLoadList)));`,
    );
    const daemon = new RealDaemon();
    daemon.environment = { NODE_OPTIONS: `--import ${preload}` };
    await daemon.start();
    await daemon.stop();
    await daemon.dispose();
    const loaded = JSON.parse(readFileSync(report, 'utf8')) as readonly string[];
    expect(loaded).toContain('NativeModule http');
    expect(loaded.filter((name) => name.includes('undici'))).toEqual([]);
  });
});

describe('a Node that is too old', () => {
  test.each([
    ['14.21.3', true],
    ['20.20.2', true],
    ['22.18.0', true],
    ['22.19.0', false],
    ['24.21.0', false],
    ['25.0.0', false],
  ])('%s: refused is %s', (version, refused) => {
    expect(refusal(version, 'hydrant', '/home/me/hydrant/bin') !== undefined).toBe(refused);
  });

  test('is told in one line what is needed, what was found, and the way out', () => {
    expect(refusal('20.20.2', 'hydrant', '/home/me/hydrant/bin')).toBe(
      'hydrant needs Node 22.19 or newer; this is 20.20.2. Run: export PATH="/home/me/hydrant/node_modules/.bin:$PATH"  (the Node that npm ci installed in this clone)',
    );
    expect(refusal('20.20.2', 'hydrantd', '/usr/lib/node_modules/hydrant/bin')).toBe(
      'hydrantd needs Node 22.19 or newer; this is 20.20.2. Run: npx -p node@24 node "/usr/lib/node_modules/hydrant/bin/hydrantd" …',
    );
  });

  test('ends the program with 1 before anything of ours is loaded', async () => {
    const fake = `Object.defineProperty(process.versions, 'node', { value: '18.20.8' });`;
    const flags = ['--import', `data:text/javascript,${encodeURIComponent(fake)}`];
    const result = await hydrant(['--version'], bin, flags);
    expect(result).toMatchObject({ exitCode: 1, stdout: '' });
    expect(result.stderr).toMatch(/^hydrant needs Node 22\.19 or newer; this is 18\.20\.8\. .*$/);
  });
});

test('a clone that was not built says how', async () => {
  const clone = path.join(directory, 'clone');
  await cp('bin', path.join(clone, 'bin'), { recursive: true });
  const result = await hydrant(['--version'], path.join(clone, 'bin/hydrant'));
  expect(result).toMatchObject({ exitCode: 1, stdout: '', stderr: 'hydrant is not built yet. Run: npm run build' });
});

describe('the process of the daemon', () => {
  const execve = vi.fn();
  const host = {
    platform: 'linux',
    env: { PATH: '/bin' } as Record<string, string>,
    execve,
    execPath: '/usr/bin/node',
    execArgv: ['--enable-source-maps'],
    argv: ['/usr/bin/node', '/opt/bin/hydrantd', '--port', '1'],
    argv0: 'node',
  };
  const thresholds = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
  beforeEach(() => void execve.mockReset());

  test('is replaced by one with the same words and the settings of the allocator', () => {
    restartForLessMemory(host, 'normal');
    const words = ['node', '--enable-source-maps', '--max-semi-space-size=4', '/opt/bin/hydrantd', '--port', '1'];
    expect(execve.mock.calls).toEqual([['/usr/bin/node', words, { ...thresholds, PATH: '/bin' }]]);
  });

  test("keeps the user's own values", () => {
    const env = { MALLOC_TRIM_THRESHOLD_: '1', NODE_OPTIONS: '--max_semi_space_size=16' };
    restartForLessMemory({ ...host, env }, 'normal');
    expect(execve.mock.calls).toEqual([
      [
        '/usr/bin/node',
        ['node', '--enable-source-maps', '/opt/bin/hydrantd', '--port', '1'],
        { ...thresholds, ...env },
      ],
    ]);
  });

  test.each([
    ['has them already', { env: thresholds }],
    ['is not on Linux', { platform: 'darwin' }],
    ['has a parent that talks to it', { channel: {} }],
    ['has a Node that cannot', { execve: undefined }],
  ])('stays where it %s', (_, different) => {
    restartForLessMemory({ ...host, ...different }, 'normal');
    expect(execve).not.toHaveBeenCalled();
  });

  test('goes on where Node refuses', () => {
    execve.mockImplementation(() => {
      throw new Error('ERR_ACCESS_DENIED');
    });
    expect(() => restartForLessMemory(host, 'normal')).not.toThrow();
  });
});
