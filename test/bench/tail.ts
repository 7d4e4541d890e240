import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PER_SECOND = 5_000;
const SECONDS = 8;
/** Milliseconds between two batches. */
const BATCH_MS = 10;
const KIB = 1_024;
const bin = join(import.meta.dirname, '../../bin/hydrant');
/** Ticks of /proc in a second; USER_HZ is 100 on every Linux. */
const HZ = 100;

type Form = 'plain' | 'json' | 'json --resume' | 'screen';

/**
 * `hydrant tail` of the built program under 5,000 matches of 1 KiB a second: what each form takes of a processor and
 * of memory, and whether all of them arrive. The screen runs on a pseudo terminal of 120 × 40 made by `script`. Memory
 * is that of the process after a quarter of the matches and at the end: what grows, grows between the two. `behind` is
 * how long after the last match was sent it was through. Linux only: the figures are read from /proc.
 */
export async function tail(perSecond = PER_SECOND): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'hydrant-bench-'));
  try {
    const lines: string[] = [];
    for (const form of ['plain', 'json', 'json --resume', 'screen'] as const) {
      lines.push(await measured(form, perSecond, directory));
    }
    return lines;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function measured(form: Form, perSecond: number, directory: string): Promise<string> {
  const count = perSecond * SECONDS;
  const source = new Source(count, perSecond);
  const port = await source.listen();
  const run = started(form, port, directory);
  let output = '';
  const pauses = new Pauses();
  run.stdout.on('data', (chunk: Buffer) => {
    pauses.hear();
    // Only the summary at the end is read of it.
    output = (output + chunk.toString('latin1')).slice(-4 * KIB);
  });
  run.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString('latin1')).slice(-4 * KIB)));
  const exited = once(run, 'exit');
  await source.opened;
  const pid = form === 'screen' ? Number(readFileSync(join(directory, 'pid'), 'utf8')) : (run.pid ?? 0);
  pauses.hear();
  const begin = { cpu: cpuOf(pid), at: performance.now() };
  let early = 0;
  let late = begin;
  let rss = 0;
  source.send((sent) => {
    if (early === 0 && sent >= count / 4) early = rssOf(pid);
    late = { cpu: cpuOf(pid), at: performance.now() };
    rss = rssOf(pid);
  });
  await source.sent;
  const last = performance.now();
  await exited;
  const behind = performance.now() - last;
  source.close();
  const seen = Number(/(\d+) match(?:es)? in/.exec(output)?.[1] ?? Number.NaN);
  const cpu = (((late.cpu - begin.cpu) / (late.at - begin.at)) * 1_000 * 100).toFixed(0);
  const missing = Number.isNaN(seen) ? `the run says: ${output.slice(-200)}` : `${count - seen} dropped of ${count}`;
  const still = form === 'screen' ? `, ${pauses.told()}` : '';
  return `${form.padEnd(13)} ${cpu} % of a processor, ${mib(early)} then ${mib(rss)} MiB, ${missing}, behind ${behind.toFixed(0)} ms${still}`;
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
  const words = [bin, 'tail', '--no-reconnect', ...flags];
  if (form !== 'screen') return spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const command = `stty cols 120 rows 40; echo $$ > ${directory}/pid; exec ${process.execPath} ${words.join(' ')}`;
  return spawn('script', ['-qfec', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** A daemon with one tap and one rule, whose stream is as many matches as are asked for, and then its end. */
class Source {
  readonly #server: Server;
  readonly #count: number;
  readonly #perSecond: number;
  readonly opened: Promise<void>;
  readonly sent: Promise<void>;
  #open = (): void => {};
  #done = (): void => {};
  #response: ServerResponse | undefined;

  constructor(count: number, perSecond: number) {
    this.#count = count;
    this.#perSecond = perSecond;
    this.opened = new Promise((resolve) => (this.#open = resolve));
    this.sent = new Promise((resolve) => (this.#done = resolve));
    this.#server = createServer((request, response) => {
      if (request.url?.startsWith('/v1/stream') === true) this.#start(response);
      else response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [RULE] }));
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** @param tell called now and then, with how many were sent */
  send(tell: (sent: number) => void): void {
    void this.#sendAll(tell).then(() => this.#done());
  }

  async #sendAll(tell: (sent: number) => void): Promise<void> {
    // The reader compiles its code and draws its first frame.
    await sleep(500);
    const begin = performance.now();
    let told = 0;
    for (let sent = 0; sent < this.#count;) {
      const due = Math.min(this.#count, Math.floor(((performance.now() - begin) / 1_000) * this.#perSecond));
      let batch = '';
      for (; sent < due; sent += 1) batch += frame(sent);
      if (batch !== '' && this.#response?.write(batch) === false) await once(this.#response, 'drain');
      if (performance.now() - told > 200) {
        told = performance.now();
        tell(sent);
      }
      await sleep(BATCH_MS);
    }
    tell(this.#count);
    this.#response?.end('event: end\ndata: {}\n\n');
  }

  #start(response: ServerResponse): void {
    this.#response = response;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-stream-start': '0-0; live' });
    response.write('event: connected\ndata: {}\n\n');
    this.#open();
  }
}

const RULE = { id: 'r1', value: 'ferry OR tram', tag: 'ways', nsfw: false, quality: false };
const TEXT = 'The ferry is late again, and so is every tram that would have met it at the quay. '.repeat(9);

function frame(offset: number): string {
  const url = `https://www.h${offset % 97}.example/${offset}`;
  const chunks = [
    { typ: 'ins', text: TEXT },
    { typ: 'del', text: 'Ferries leave at noon.' },
  ];
  const document = { url, title: `A ferry, number ${offset}`, language: 'en', diff: { chunks } };
  const match = { tap_id: 't', query_ids: ['r1'], matched_at: new Date().toISOString(), document };
  return `id: 0-${offset}\nevent: update\ndata: ${JSON.stringify(match)}\n\n`;
}

/** The times between what is drawn: a screen that stutters has long ones. */
class Pauses {
  #last = 0;
  readonly #all: number[] = [];

  hear(): void {
    const now = performance.now();
    if (this.#last > 0) this.#all.push(now - this.#last);
    this.#last = now;
  }

  told(): string {
    // A frame comes in pieces.
    const sorted = this.#all.filter((ms) => ms > 20).toSorted((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
    return `${sorted.length} frames, between two of them p50 ${at(0.5)}, p99 ${at(0.99)}, at most ${(sorted.at(-1) ?? 0).toFixed(0)} ms`;
  }
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

function mib(bytes: number): string {
  return (bytes / KIB / KIB).toFixed(0);
}
