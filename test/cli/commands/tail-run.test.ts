import { EventEmitter, once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import type { FollowOptions } from '../../../src/cli/client/follow.ts';
import { RuleBook } from '../../../src/cli/client/rule-book.ts';
import { Ending } from '../../../src/cli/commands/ending.ts';
import { runTail, type TailSession } from '../../../src/cli/commands/tail-run.ts';
import {
  answering,
  ending as daemonEnds,
  frame,
  open,
  ScriptedServer,
  streaming,
  type Turn,
} from '../client/scripted-server.ts';
import { rule } from '../screens/sample.ts';

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
  parts: Partial<Omit<TailSession, 'follow'>> & { follow?: Partial<FollowOptions>; stdout?: Writable } = {},
): Promise<Run> {
  const server = new ScriptedServer(turns);
  servers.push(server);
  const stdout = new Collected();
  const stderr = new Collected();
  const signals = new EventEmitter();
  const ending = new Ending(signals);
  const now = () => Date.now();
  const { follow = {}, stdout: given, ...rest } = parts;
  const code = runTail({
    context: { io: { stdin: new PassThrough(), stdout: given ?? stdout, stderr }, now },
    follow: { target: await server.listen(), token: 'svc_x', now, random: () => 0, ...follow },
    rules: new RuleBook([{ ...rule, id: 'r1' }], async () => [], now),
    form: 'json',
    ending,
    tap: 'news',
    label: 'local',
    open: false,
    durationMs: undefined,
    once: false,
    quiet: false,
    paint: (_, text) => text,
    colour: false,
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
    const run = await running([streaming([0])], { follow: { limit: 1 }, form: 'plain' });
    await run.code;
    expect(run.stdout.text).toMatch(
      /^\d\d:\d\d:\d\d {2}linux {9}example\.org {11}Page 0\n {10}https:\/\/example\.org\/0\n$/,
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

  it('silently and well when the pipe closes', async () => {
    const run = await running([streaming([0])]);
    await run.stdout.contains('0-0');
    run.ending.because('closed');
    expect(await run.code).toBe(0);
    expect(run.stderr.text).toBe('connected · news · local · 1 rule\n');
  });

  it('after the time it was given, with what it has', async () => {
    const run = await running([streaming([0])], { durationMs: 150 });
    expect(await run.code).toBe(0);
    expect(ids(run)).toEqual(['0-0']);
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
