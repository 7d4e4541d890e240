import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FollowOptions } from '../../../../src/cli/client/follow.ts';
import { RuleBook } from '../../../../src/cli/client/rule-book.ts';
import { Ending } from '../../../../src/cli/runtime/ending.ts';
import { Cursor } from '../../../../src/cli/runtime/read-cursor.ts';
import { runTail, type TailSession } from '../../../../src/cli/commands/tail/tail-run.ts';
import {
  answering,
  ending as daemonEnds,
  frame,
  open,
  ScriptedServer,
  streaming,
  type Turn,
} from '../../client/scripted-server.ts';
import { rule } from '../../screens/sample.ts';

const servers: ScriptedServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** What was written, and a promise for the moment it contains something. */
class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString();
    this.emit('more');
    done();
  }

  async contains(part: string): Promise<void> {
    while (!this.text.includes(part)) await once(this, 'more');
  }
}

/** Takes one line at a time, and only when it is told to. */
class HandWritable extends Writable {
  readonly lines: string[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor() {
    super({ highWaterMark: 1 });
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.lines.push(chunk.toString());
    this.#waiting.push(done);
    this.emit('taken');
  }

  /** The next line is here; the answer lets it go. */
  async taken(): Promise<() => void> {
    for (;;) {
      const done = this.#waiting.shift();
      if (done) return done;
      await once(this, 'taken');
    }
  }
}

interface Run {
  readonly code: Promise<number>;
  readonly stdout: Collected;
  readonly stderr: Collected;
  readonly signals: EventEmitter;
  readonly ending: Ending;
  readonly server: ScriptedServer;
}

async function running(
  turns: readonly Turn[],
  parts: Partial<TailSession> & {
    follow?: Partial<FollowOptions>;
    cursor?: Cursor;
    stdout?: Writable;
  } = {},
): Promise<Run> {
  const server = new ScriptedServer(turns);
  servers.push(server);
  const stdout = new Collected();
  const stderr = new Collected();
  const signals = new EventEmitter();
  const ending = new Ending(signals);
  const now = () => Date.now();
  // Stands still, so that what it took is told as 0 s on any machine.
  const began = now();
  const { follow = {}, cursor, stdout: given, ...rest } = parts;
  const code = runTail({
    context: { io: { stdin: new PassThrough(), stdout: given ?? stdout, stderr }, now: () => began },
    taps: [
      {
        tap: 'news',
        tapId: 't',
        follow: { target: await server.listen(), token: 'svc_x', now, random: () => 0, ...follow },
        rules: new RuleBook([{ ...rule, id: 'r1' }], async () => [], now),
        cursor,
      },
    ],
    form: { kind: 'json', fields: undefined },
    ending,
    label: 'local',
    open: false,
    durationMs: undefined,
    once: false,
    quiet: false,
    resume: (id) => `hydrant tail news --last-id ${id}`,
    ...rest,
  });
  return { code, stdout, stderr, signals, ending, server };
}

const ids = ({ stdout }: Run) =>
  stdout.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { id: string }).id);

describe('matches go to stdout, all else to stderr', () => {
  it('until the limit is reached', async () => {
    const run = await running([streaming([0, 1, 2])], { follow: { limit: 2 } });
    expect(await run.code).toBe(0);
    expect(ids(run)).toEqual(['0-0', '0-1']);
    expect(run.stderr.text).toBe(
      'connected · news · local · 1 rule\n2 matches in 0 s · resume: hydrant tail news --last-id 0-1\n',
    );
  });

  it('and nothing to stderr when it is to be quiet', async () => {
    const run = await running([daemonEnds([0])], { follow: { timeout: 1 }, quiet: true });
    expect(await run.code).toBe(0);
    expect([ids(run), run.stderr.text]).toEqual([['0-0'], '']);
  });

  it('as lines for people when they are asked for', async () => {
    const run = await running([streaming([0])], {
      follow: { limit: 1 },
      form: { kind: 'plain', paint: (_, text) => text, now: Date.now },
    });
    await run.code;
    expect(run.stdout.text).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}linux {9}example\.org {11}Page 0\n {10}https:\/\/example\.org\/0\n$/,
    );
  });

  it('and a refusal is thrown, for main to report', async () => {
    const run = await running([answering(401, { message: 'Unauthenticated.' })]);
    await expect(run.code).rejects.toThrow('Unauthenticated.');
  });
});

describe('it ends', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('with %s while it waits for the next match', async (signal, code) => {
    const run = await running([streaming([0])]);
    await run.stdout.contains('0-0');
    run.signals.emit(signal);
    expect(await run.code).toBe(code);
    expect(run.stderr.text).toContain('1 match in 0 s · resume: hydrant tail news --last-id 0-0\n');
    expect(run.signals.listenerCount(signal)).toBe(0);
  });

  it('with its last line below the `^C` of a terminal', async () => {
    const run = await running([streaming([0])]);
    Object.assign(run.stderr, { isTTY: true });
    await run.stdout.contains('0-0');
    run.signals.emit('SIGINT');
    await run.code;
    expect(run.stderr.text).toMatch(/rule\n\n1 match in /);
  });

  it('silently and well when the pipe closes', async () => {
    const run = await running([streaming([0])]);
    await run.stdout.contains('0-0');
    run.ending.because('closed');
    expect(await run.code).toBe(0);
    expect(run.stderr.text).toBe('connected · news · local · 1 rule\n');
  });

  it('after the time it was given, with what it has, and not before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let stream: ServerResponse | undefined;
    const kept: Turn = (response, request) => {
      streaming([0])(response, request);
      stream = response;
    };
    const run = await running([kept], { durationMs: 10_000 });
    await run.stdout.contains('0-0');
    vi.advanceTimersByTime(9_999);
    stream?.write(frame(1));
    await Promise.race([run.stdout.contains('0-1'), run.code]);
    expect(ids(run)).toEqual(['0-0', '0-1']);
    vi.advanceTimersByTime(1);
    expect(await run.code).toBe(0);
    expect(ids(run)).toEqual(['0-0', '0-1']);
  });

  it('while the reader of stdout takes nothing', async () => {
    const stuck: Writable = new Writable({ highWaterMark: 1, write: () => void stuck.emit('taken') });
    const taken = once(stuck, 'taken');
    const run = await running([streaming([0, 1])], { stdout: stuck });
    await taken;
    run.signals.emit('SIGINT');
    expect(await run.code).toBe(130);
  });
});

describe('a slow reader of stdout', () => {
  it('is waited for: one line is under way, the others are not read', async () => {
    const slow = new HandWritable();
    const run = await running([streaming([0, 1, 2])], { stdout: slow, follow: { limit: 3 } });
    for (const offset of [0, 1, 2]) {
      const done = await slow.taken();
      expect(slow.lines.map((line) => (JSON.parse(line) as { id: string }).id).at(-1)).toBe(`0-${offset}`);
      expect(slow.writableLength).toBe(slow.lines.at(-1)?.length);
      done();
    }
    expect(await run.code).toBe(0);
  });
});

describe('--once', () => {
  it('ends after a silence at the head of the log', async () => {
    const run = await running([streaming([0, 1], '0-0; since')], { once: true });
    expect(await run.code).toBe(0);
    expect(ids(run)).toEqual(['0-0', '0-1']);
  });

  it('ends with the first match that is newer than the connection', async () => {
    const young: Turn = (response) => {
      open(response);
      const later = new Date(Date.now() + 60_000).toISOString();
      response.write(frame(0) + frame(1).replace('2026-02-13T08:06:32.123Z', later));
    };
    const run = await running([young], { once: true });
    await run.code;
    expect(ids(run)).toEqual(['0-0', '0-1']);
  });

  it('does not wait for a tap without rules', async () => {
    const noRules: Turn = (response) => {
      open(response);
      response.end('event: error\ndata: {"message":"This tap has no rules."}\n\n');
    };
    const run = await running([noRules], { once: true });
    expect(await run.code).toBe(0);
    expect(run.stderr.text).toContain('This tap has no rules.\n');
  });
});

describe('--resume', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-resume-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const file = path.join(directory, 'news.json');
  const next = () => (JSON.parse(readFileSync(file, 'utf8')) as { next: string }).next;

  it('keeps the place after the last line that has left', async () => {
    const run = await running([streaming([0, 1, 2])], { follow: { limit: 2 }, cursor: Cursor.open(file) });
    expect(await run.code).toBe(0);
    expect([ids(run), next()]).toEqual([['0-0', '0-1'], '0-2']);
    expect(run.stderr.text).not.toContain('resume');
  });

  it('keeps where it began when nothing came', async () => {
    const empty = path.join(directory, 'quiet.json');
    const run = await running([streaming([], '0-42; live')], { once: true, cursor: Cursor.open(empty) });
    await run.code;
    expect(JSON.parse(readFileSync(empty, 'utf8'))).toEqual({ next: '0-42' });
  });

  it('does not move past a line that the reader has not taken', async () => {
    const stuck: Writable = new Writable({ highWaterMark: 1, write: () => void stuck.emit('taken') });
    const taken = once(stuck, 'taken');
    const run = await running([streaming([2, 3])], { stdout: stuck, cursor: Cursor.open(file) });
    await taken;
    run.signals.emit('SIGINT');
    await run.code;
    expect(next()).toBe('0-2');
  });

  it('moves past commands in order only, and never past one that failed', async () => {
    const run = await running([streaming([2, 3, 4, 5])], {
      follow: { limit: 4 },
      cursor: Cursor.open(file),
      exec: { command: 'test "$HYDRANT_MATCH_ID" != 0-4', jobs: 2, environment: process.env },
    });
    expect(await run.code).toBe(1);
    expect(next()).toBe('0-4');
    expect(run.stderr.text).toContain('the command failed for 0-4: exit code 1; the next --resume starts there');
    expect(run.stderr.text).toContain('4 matches in 0 s · 1 command failed\n');
    expect(run.stdout.text).toBe('');
  });
});

describe('--exec', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-exec-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('gives each command the match, as JSON and in its environment, and runs so many at a time', async () => {
    const command = 'mkdir "$DIR/$HYDRANT_MATCH_ID"; cat > "$DIR/$HYDRANT_MATCH_ID/$HYDRANT_MATCH_TAGS"';
    const run = await running([streaming([0, 1, 2, 3, 4])], {
      follow: { limit: 5 },
      exec: { command, jobs: 3, environment: { ...process.env, DIR: directory } },
    });
    expect(await run.code).toBe(0);
    expect(readdirSync(directory).sort()).toEqual(['0-0', '0-1', '0-2', '0-3', '0-4']);
    const match: unknown = JSON.parse(readFileSync(path.join(directory, '0-3', 'linux'), 'utf8'));
    expect(match).toMatchObject({ id: '0-3', tap: 'news', document: { url: 'https://example.org/3' } });
  });

  it('does not mind a command that reads nothing', async () => {
    const run = await running([streaming([0, 1])], {
      follow: { limit: 2 },
      exec: { command: 'exit 0', jobs: 1, environment: process.env },
    });
    expect(await run.code).toBe(0);
  });
});

describe('several taps', () => {
  async function two(turns: readonly (readonly Turn[])[], rest: Partial<TailSession> = {}) {
    const now = () => Date.now();
    const taps = await Promise.all(
      turns.map(async (script, index) => {
        const server = new ScriptedServer(script);
        servers.push(server);
        const follow = { target: await server.listen(), token: 'svc_x', now, random: () => 0 };
        const rules = new RuleBook([{ ...rule, id: 'r1' }], async () => [], now);
        return { tap: `tap${index}`, tapId: `t${index}`, follow, rules };
      }),
    );
    return running([streaming([])], { taps, ...rest });
  }
  const lines = ({ stdout }: Run) =>
    stdout.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; tap: string })
      .map(({ id, tap }) => `${tap} ${id}`)
      .sort();

  it('are read together, each line with its tap, to the head of each', async () => {
    const run = await two([[streaming([0, 1])], [streaming([0])]], { once: true });
    expect(await run.code).toBe(0);
    expect(lines(run)).toEqual(['tap0 0-0', 'tap0 0-1', 'tap1 0-0']);
    expect(run.stderr.text).toContain('tap1: connected · local · 1 rule\n');
    expect(run.stderr.text).toMatch(/3 matches in \d+ s\n$/);
  });

  it('count towards one limit', async () => {
    const run = await two([[streaming([0, 1, 2])], [streaming([0, 1, 2])]], { limit: 4 });
    expect(await run.code).toBe(0);
    expect(lines(run)).toHaveLength(4);
  });

  it('go on without one that is refused, which is the failure at the end', async () => {
    const run = await two([[answering(401, { message: 'Unauthenticated.' })], [streaming([0])]], { once: true });
    await expect(run.code).rejects.toThrow('Unauthenticated.');
    expect(lines(run)).toEqual(['tap1 0-0']);
    expect(run.stderr.text).toContain('tap0: ');
  });

  it('end as they should on Ctrl-C, also where one was refused', async () => {
    const run = await two([[answering(401, { message: 'Unauthenticated.' })], [streaming([0])]]);
    await run.stderr.contains('tap0: ');
    await run.stdout.contains('0-0');
    run.signals.emit('SIGINT');
    expect(await run.code).toBe(130);
    expect(run.stderr.text).toContain('1 match in ');
  });
});
