import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/commands/program.ts';
import { makeContext } from '../../src/cli/runtime/process-context.ts';
import { main } from '../../src/cli/main.ts';
import { readVersion } from '../../src/cli/runtime/version.ts';
import { FakeDaemon, noFetch, noUpkeep, run, TAP } from './harness.ts';

const programs = { serve: async () => 0, fetchPage: noFetch, upkeep: noUpkeep, daemonPath: '/nowhere' };

function streams(): { stdin: PassThrough; stdout: PassThrough; stderr: PassThrough; env: object; exit: () => void } {
  return { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), env: {}, exit: () => {} };
}

function tree(command: CommandUnknownOpts, path: readonly string[] = []): (readonly string[])[] {
  return [path, ...command.commands.flatMap((child) => tree(child, [...path, child.name()]))];
}

const commands = tree(await createProgram(makeContext(streams() as never, programs, AbortSignal.abort()), () => {}));

describe('the command line', () => {
  test('without arguments shows where to begin', async () => {
    const { code, stdout, stderr } = await run([]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('hydrant demo');
    const lines = stdout.split('\n');
    expect(lines.length).toBeLessThan(20);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test.each([['--version'], ['-V']])('%s prints the version', async (flag) => {
    expect(await run([flag])).toEqual({ code: 0, stdout: `${readVersion()}\n`, stderr: '' });
  });

  test.each(commands.map((path) => [path.join(' '), path] as const))(
    'the help of `hydrant %s` opens with an example, on stdout',
    async (_, path) => {
      for (const argv of [
        [...path, '--help'],
        [...path, '-h'],
        ['help', ...path],
      ]) {
        const { code, stdout, stderr } = await run(argv);
        expect([code, stderr]).toEqual([0, '']);
        expect(stdout).toMatch(new RegExp(`^ {2}\\$ (\\w+=\\S*)?.*hydrant ?${path.slice(0, 1).join('')}`));
      }
    },
  );

  test.each(commands.map((path) => [path.join(' '), path] as const))(
    'the help of `hydrant %s` fits a terminal of 80 columns, but for its examples',
    async (_, path) => {
      const { stdout } = await run([...path, '--help']);
      expect(stdout.split('\n').filter((line) => line.length > 80 && !line.startsWith('  $ '))).toEqual([]);
    },
  );

  test.each(commands.filter(([noun]) => noun === 'watch').map((path) => [path.join(' '), path] as const))(
    'the help of `hydrant %s` fits with its examples',
    async (_, path) => {
      const { stdout } = await run([...path, '--help']);
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    },
  );

  test('a noun without a verb shows what it can do', async () => {
    expect(await run(['tap'])).toMatchObject({ code: 0, stdout: expect.stringContaining('create'), stderr: '' });
  });

  test.each([
    [['tpa'], 'did you mean tap?'],
    [['tap', 'lsit'], 'did you mean'],
    [['tpa', '--help'], 'did you mean tap?'],
    [['tap', 'lsit', '--help'], 'did you mean'],
    [['tap', 'list', '--jsno'], 'did you mean --json?'],
    [['tap', 'list', 'a'], 'too many arguments'],
    [['tap', 'create'], 'missing required argument'],
    [['help', 'nothing'], 'there is no command `nothing`'],
    [['rule', 'add', 'news', '-spam +ham'], 'goes after --'],
    [['status', '--url', 'http://x', '--data-dir', '/d'], 'name different daemons'],
  ])('%j is a usage error with a way out', async (argv, message) => {
    const { code, stdout, stderr } = await run(argv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toContain(message);
  });

  test('gives an error as one JSON object with --json', async () => {
    const { code, stderr } = await run(['tpa', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toEqual({ code: 'usage', message: "unknown command 'tpa'", hint: 'did you mean tap?' });
  });

  test('calls what nobody foresaw a bug', async () => {
    const serve = () => Promise.reject(new TypeError('x is undefined'));
    expect(await run(['serve'], { serve })).toMatchObject({
      code: 70,
      stderr: expect.stringContaining('this is a bug'),
    });
  });
});

describe('colours', () => {
  const coloured = '\u001b[';
  let daemon: FakeDaemon;
  beforeEach(async () => {
    daemon = (await FakeDaemon.onSocket()).on('GET /v1/taps', 200, { data: [TAP] });
  });
  afterEach(async () => daemon.stop());

  test.each([
    ['on a terminal', { columns: 80 }, [], true],
    ['in a pipe', {}, [], false],
    ['with NO_COLOR', { columns: 80, env: { NO_COLOR: '1' } }, [], false],
    ['with an empty NO_COLOR', { columns: 80, env: { NO_COLOR: '' } }, [], true],
    ['on a dumb terminal', { columns: 80, env: { TERM: 'dumb' } }, [], false],
    ['with --no-color', { columns: 80 }, ['--no-color'], false],
  ])('%s', async (_, options, flags, wanted) => {
    const { stdout } = await run(['tap', 'list', ...flags, '--data-dir', daemon.directory], options);
    expect(stdout.includes(coloured)).toBe(wanted);
    const { stderr } = await run(['tap', 'show', 'x', ...flags, '--data-dir', daemon.directory], options);
    expect(stderr.includes(coloured)).toBe(wanted);
  });
});

describe('a closed pipe', () => {
  test('is silent success', async () => {
    const io = streams();
    const running = main(['serve'], io as never, {
      daemonPath: '',
      upkeep: noUpkeep,
      fetchPage: noFetch,
      serve: async () => {
        io.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
        throw new Error('interrupted by its own closed pipe');
      },
    });
    expect(await running).toBe(0);
    expect(io.stderr.read()).toBeNull();
  });

  test('of another kind is told', async () => {
    const io = streams();
    const running = main(['serve'], io as never, {
      daemonPath: '',
      upkeep: noUpkeep,
      fetchPage: noFetch,
      serve: async () => {
        io.stdout.emit('error', Object.assign(new Error('no space'), { code: 'ENOSPC' }));
        return 0;
      },
    });
    await running;
    expect(String(io.stderr.read())).toBe('error: cannot write to stdout: ENOSPC\n');
  });
});
