import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processFigures } from './processes.ts';
import type { Asked, Figure, Outcome } from './row.ts';
import type { SourceWord } from './tail/source.ts';

const PER_SECOND = 5_000;
const SECONDS = 30;
const KIB = 1_024;
const bin = join(import.meta.dirname, '../../bin/hydrant');
/** Of a run, in which a program grows to its size: its memory is looked at from then on. */
const WARM_UP = 1 / 3;
const LOOK_EVERY_MS = 500;
/** As often as the screen draws at most. */
const BEAT_MS = 100;
/** With it Ink begins each frame. */
const FRAME = '\u001b[?2026h';

type Form = 'plain' | 'json' | 'json --resume' | 'screen';

/**
 * `hydrant tail` of the built program under 5,000 matches of 1 KiB a second for so many seconds a form: what each takes
 * of a processor and of memory, and whether all matches arrive. The screen runs on a pseudo terminal of 120 × 40 made
 * by `script`. Memory is that of the process after the warm-up and at the end, and the slope of the line through all
 * that was measured between them: a short run shows the moods of the garbage collector, 180 s show what grows.
 * `behind` is how long after the last match was sent all was through. Linux only: the figures are read from /proc.
 */
export async function tail({ isShort, size = isShort ? 2 : SECONDS }: Asked): Promise<Outcome> {
  const directory = await mkdtemp(join(tmpdir(), 'hydrant-bench-'));
  try {
    const figures: Figure[] = [];
    for (const form of ['plain', 'json', 'json --resume', 'screen'] as const) {
      figures.push(...(await measured(form, size, directory)));
    }
    return { notes: [`${PER_SECOND} matches of 1 KiB a second for ${size} s a form; the screen is 120 × 40`], figures };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measured(form: Form, seconds: number, directory: string): Promise<Figure[]> {
  const count = PER_SECOND * seconds;
  const source = new Source(count);
  const run = started(form, await source.port, directory);
  const frames = new Frames();
  let output = '';
  const keep = (chunk: Buffer): void => {
    const text = chunk.toString('latin1');
    frames.hear(text);
    // Only the summary at the end is read of it.
    output = (output + text).slice(-4 * KIB);
  };
  run.stdout.on('data', keep);
  run.stderr.on('data', keep);
  const exited = once(run, 'exit');
  await source.opened;
  // The reader compiles its code and draws its first frame.
  await sleep(1_000);
  const pid = form === 'screen' ? Number(readFileSync(join(directory, 'pid'), 'utf8')) : (run.pid ?? 0);
  const looks = new Looks(pid, seconds * WARM_UP);
  frames.begin();
  source.begin();
  await source.sent;
  frames.end();
  looks.end();
  const last = performance.now();
  await exited;
  const behind = performance.now() - last;
  source.close();
  const seen = Number(/([\d,]+) match(?:es)? in/.exec(output)?.[1]?.replaceAll(',', '') ?? Number.NaN);
  if (Number.isNaN(seen)) throw new Error(`tail (${form}) ended without a summary: ${output.slice(-200)}`);
  return [
    ...looks.figures(form),
    { name: `${form}: matches dropped`, value: count - seen, unit: 'matches', goal: { atMost: 0 } },
    { name: `${form}: through after the last was sent`, value: behind, unit: 'ms' },
    ...(form === 'screen' ? frames.figures() : []),
  ];
}

function started(form: Form, port: number, directory: string) {
  const env = {
    HOME: directory,
    PATH: process.env['PATH'] ?? '',
    TERM: 'xterm-256color',
    HYDRANT_URL: `http://127.0.0.1:${port}`,
    HYDRANT_TAP_TOKEN: 'svc_bench',
  };
  const flags = { plain: ['--plain'], json: ['--json'], 'json --resume': ['--json', '--resume'], screen: [] }[form];
  // As `--cpu-prof`, to see what a form does.
  const node = (process.env['BENCH_NODE_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');
  const words = [...node, bin, 'tail', '--no-reconnect', ...flags];
  if (form !== 'screen') return spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const command = `stty cols 120 rows 40; echo $$ > ${directory}/pid; exec ${process.execPath} ${words.join(' ')}`;
  return spawn('script', ['-qfec', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** The daemon. */
class Source {
  readonly #process: ChildProcess;
  readonly port: Promise<number>;
  readonly opened: Promise<void>;
  readonly sent: Promise<void>;

  constructor(count: number) {
    this.#process = fork(join(import.meta.dirname, 'tail/source.ts'), [String(count), String(PER_SECOND)]);
    const port = Promise.withResolvers<number>();
    const [opened, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.#process.on('message', (word: SourceWord) => {
      if (word === 'opened') opened.resolve();
      else if (word === 'sent') sent.resolve();
      else port.resolve(word.port);
    });
    [this.port, this.opened, this.sent] = [port.promise, opened.promise, sent.promise];
  }

  begin(): void {
    this.#process.send('begin');
  }

  close(): void {
    this.#process.kill();
  }
}

/**
 * The times between the frames: a screen that stutters has long ones. Beside them those of a timer of our own, which
 * has nothing to do: on a machine that is busy with other things it stutters too.
 */
class Frames {
  #isOn = false;
  #last = Number.NaN;
  #lastBeat = Number.NaN;
  readonly #gaps: number[] = [];
  readonly #beats: number[] = [];
  #timer: NodeJS.Timeout | undefined;

  begin(): void {
    this.#isOn = true;
    this.#lastBeat = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#beats.push(now - this.#lastBeat);
      this.#lastBeat = now;
    }, BEAT_MS);
  }

  end(): void {
    this.#isOn = false;
    clearInterval(this.#timer);
  }

  hear(text: string): void {
    if (!this.#isOn || !text.includes(FRAME)) return;
    const now = performance.now();
    if (!Number.isNaN(this.#last)) this.#gaps.push(now - this.#last);
    this.#last = now;
  }

  figures(): Figure[] {
    const against = `a timer of ${BEAT_MS} ms that has nothing to do`;
    const gap = (name: string, share: number): Figure => {
      return { name, value: quantile(this.#gaps, share), unit: 'ms', baseline: quantile(this.#beats, share), against };
    };
    return [
      gap('screen: between two frames, p50', 0.5),
      { ...gap('screen: between two frames, p99', 0.99), goal: { atMost: 150 } },
      gap('screen: between two frames, at most', 1),
    ];
  }
}

/** 0 of none. */
function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** What a process takes, looked at twice a second. */
class Looks {
  readonly #pid: number;
  readonly #warmUp: number;
  readonly #began = performance.now();
  readonly #cpuMs: number;
  readonly #points: { readonly at: number; readonly rssMb: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #share = 0;

  /** @param warmUp seconds */
  constructor(pid: number, warmUp: number) {
    this.#pid = pid;
    this.#warmUp = warmUp;
    this.#cpuMs = processFigures(pid).cpuMs;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#look();
  }

  figures(form: Form): Figure[] {
    const points = this.#points.filter(({ at }) => at >= this.#warmUp);
    const growth = { name: `${form}: growth of memory in a minute`, value: slopeOf(points) * 60, unit: 'MB' };
    return [
      { name: `${form}: of a processor`, value: this.#share * 100, unit: '%' },
      { name: `${form}: memory after the warm-up`, value: points[0]?.rssMb ?? 0, unit: 'MB' },
      { name: `${form}: memory at the end`, value: points.at(-1)?.rssMb ?? 0, unit: 'MB' },
      form === 'screen' ? { ...growth, goal: { atMost: 1 } } : growth,
    ];
  }

  #look(): void {
    if (!existsSync(`/proc/${this.#pid}`)) return;
    const { cpuMs, rssMb } = processFigures(this.#pid);
    const ms = performance.now() - this.#began;
    this.#points.push({ at: ms / 1_000, rssMb });
    this.#share = (cpuMs - this.#cpuMs) / ms;
  }
}

/** Of the straight line nearest to the points, in MB a second. */
function slopeOf(points: readonly { readonly at: number; readonly rssMb: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, rss] = [mean(points.map((point) => point.at)), mean(points.map((point) => point.rssMb))];
  const rise = points.reduce((sum, point) => sum + (point.at - at) * (point.rssMb - rss), 0);
  return rise / points.reduce((sum, point) => sum + (point.at - at) ** 2, 0);
}
