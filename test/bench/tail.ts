import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SourceWord } from './tail/source.ts';

const PER_SECOND = 5_000;
const SECONDS = 20;
const KIB = 1_024;
const bin = join(import.meta.dirname, '../../bin/hydrant');
/** Ticks of /proc in a second; USER_HZ is 100 on every Linux. */
const HZ = 100;
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
export async function tail(seconds = SECONDS): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'hydrant-bench-'));
  try {
    const lines: string[] = [];
    for (const form of ['plain', 'json', 'json --resume', 'screen'] as const) {
      lines.push(await measured(form, seconds, directory));
    }
    return lines;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measured(form: Form, seconds: number, directory: string): Promise<string> {
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
  const missing = Number.isNaN(seen) ? `the run says: ${output.slice(-200)}` : `${count - seen} dropped of ${count}`;
  const still = form === 'screen' ? `, ${frames.told()}` : '';
  return `${form.padEnd(13)} ${looks.told()}, ${missing}, behind ${behind.toFixed(0)} ms${still}`;
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

  told(): string {
    return `${this.#gaps.length} frames, between two of them ${spread(this.#gaps)} (a timer of ${BEAT_MS} ms: ${spread(this.#beats)})`;
  }
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, at most ${(sorted.at(-1) ?? 0).toFixed(0)} ms`;
}

/** What a process takes, looked at twice a second. */
class Looks {
  readonly #pid: number;
  readonly #warmUp: number;
  readonly #began = performance.now();
  readonly #cpu: number;
  readonly #points: { readonly at: number; readonly rss: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #share = 0;

  /** @param warmUp seconds */
  constructor(pid: number, warmUp: number) {
    this.#pid = pid;
    this.#warmUp = warmUp;
    this.#cpu = cpuOf(pid);
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#look();
  }

  told(): string {
    const points = this.#points.filter(({ at }) => at >= this.#warmUp);
    const mib = (rss = 0): string => (rss / KIB / KIB).toFixed(0);
    const [first, last] = [mib(points[0]?.rss), mib(points.at(-1)?.rss)];
    const most = mib(Math.max(...points.map(({ rss }) => rss)));
    const slope = (slopeOf(points) * 60) / KIB / KIB;
    return `${(this.#share * 100).toFixed(0)} % of a processor, ${first} then ${last} MiB, at most ${most}, ${slope.toFixed(1)} MiB/min`;
  }

  #look(): void {
    const at = (performance.now() - this.#began) / 1_000;
    this.#points.push({ at, rss: rssOf(this.#pid) });
    this.#share = (cpuOf(this.#pid) - this.#cpu) / at;
  }
}

/** Of the straight line nearest to the points, in bytes a second. */
function slopeOf(points: readonly { readonly at: number; readonly rss: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, rss] = [mean(points.map((point) => point.at)), mean(points.map((point) => point.rss))];
  const rise = points.reduce((sum, point) => sum + (point.at - at) * (point.rss - rss), 0);
  return rise / points.reduce((sum, point) => sum + (point.at - at) ** 2, 0);
}

/** Seconds of processor time that a process has used. */
function cpuOf(pid: number): number {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / HZ;
}

function rssOf(pid: number): number {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * KIB;
}
