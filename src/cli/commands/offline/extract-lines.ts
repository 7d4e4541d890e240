import type { Zone } from '../../../shared/page/page.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { eachLine, type Line, openFile } from '../../runtime/input.ts';
import { pacedWrite, Progress } from '../../runtime/output.ts';
import { type Answer, refusal, type Task } from '../../pages/page-answer.ts';
import { PagePool } from '../../pages/page-pool.ts';
import { Ending, exitCodeOf } from '../../runtime/ending.ts';
import type { Session } from '../session.ts';
import { count } from '../../text/plural.ts';
import { isObject } from '../../../shared/page/json-value.ts';

/**
 * `hydrant extract --jsonl`: JSON lines in, each a file; JSON lines out, each what hydrant sees of it, in the order of
 * the input. Pages are read on all cores, and only so many are held that memory does not grow with their number.
 */
export async function runExtractLines(session: Session, file: string, zone: Zone | undefined): Promise<number> {
  const { context, out } = session;
  const input = file === '-' ? context.readBytes('the lines') : openFile(file);
  const ending = new Ending(process, context.closed);
  const pool = new PagePool();
  // A pipe that says nothing, and pages under way, would hold up the end.
  const end = (): void => {
    input.destroy();
    void pool.close();
  };
  ending.signal.addEventListener('abort', end, { once: true });
  const lines = eachLine(input, file === '-' ? 'stdin' : file);
  try {
    const tally = await new Batch(session, pool, ending.signal, zone).run(lines);
    if (ending.signal.aborted) return exitCodeOf(ending.cause);
    out.notice(`${count(tally.all, 'page')}${tally.failed === 0 ? '' : `, ${tally.failed} failed`}`);
    return tally.failed > 0 ? exitCode.usage : exitCode.ok;
  } catch (error) {
    // What an interruption breaks off is no failure.
    if (ending.signal.aborted) return exitCodeOf(ending.cause);
    throw error;
  } finally {
    ending.dispose();
    input.destroy();
    await pool.close();
  }
}

/** Pages for each thread that are under way or wait for those before them; a long page holds up no more than that. */
const AHEAD = 16;
/** UTF-16 units of answers that wait; more are held only of pages that are under way already. */
const HELD = 64 * 1_024 * 1_024;

class Batch {
  readonly #session: Session;
  readonly #pool: PagePool;
  readonly #signal: AbortSignal;
  readonly #zone: Zone | undefined;
  readonly #now: number;
  readonly #progress: Progress;
  readonly #tally = { all: 0, failed: 0 };
  /** In the order of the input. */
  readonly #answers: Promise<Answer>[] = [];
  #held = 0;

  constructor(session: Session, pool: PagePool, signal: AbortSignal, zone: Zone | undefined) {
    const { context, flags } = session;
    this.#session = session;
    this.#pool = pool;
    this.#signal = signal;
    this.#zone = zone;
    this.#now = context.now();
    const { stdout, stderr } = context.io;
    const isAside = stderr.isTTY === true && stdout.isTTY !== true;
    this.#progress = new Progress(context, { silent: !isAside || flags.quiet === true || flags.json === true });
  }

  async run(lines: AsyncIterable<Line>): Promise<{ readonly all: number; readonly failed: number }> {
    try {
      for await (const line of lines) {
        if (this.#signal.aborted) break;
        if (line.text?.trim() === '') continue;
        this.#answers.push(this.#answer(line));
        while (this.#answers.length >= AHEAD * this.#pool.threads || this.#held > HELD) await this.#tell();
      }
      while (this.#answers.length > 0 && !this.#signal.aborted) await this.#tell();
    } finally {
      this.#progress.end();
    }
    return this.#tally;
  }

  async #answer(line: Line): Promise<Answer> {
    const answer = await this.#asked(line);
    this.#held += answer.line.length;
    return answer;
  }

  async #asked(line: Line): Promise<Answer> {
    const task = taskOf(line, this.#now);
    if (typeof task === 'string') return refusal({ line: line.number }, 'bad_line', task);
    return this.#pool.ask(this.#zone === undefined ? task : { ...task, zone: this.#zone });
  }

  async #tell(): Promise<void> {
    const answer = await this.#answers.shift();
    if (!answer || this.#signal.aborted) return;
    this.#held -= answer.line.length;
    this.#tally.all += 1;
    if (answer.failed) this.#tally.failed += 1;
    const { all, failed } = this.#tally;
    await pacedWrite(this.#session.context.io.stdout, `${answer.line}\n`, this.#signal);
    this.#progress.tell(() => `${count(all, 'page')}${failed === 0 ? '' : `, ${failed} failed`}`);
  }
}

/** The task, or what is wrong with the line. */
function taskOf({ text }: Line, now: number): Task | string {
  if (text === undefined) return 'the line is too long';
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    return `the line is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (!isObject(found)) return 'a line is an object with a `file`';
  const { file, url = null, at = null } = found;
  if (typeof file !== 'string') return 'the line has no `file`, which is a text';
  if (url !== null && typeof url !== 'string') return 'its `url` is neither a text nor null';
  const time = at === null ? now : timeOf(at);
  return time === undefined ? 'its `at` is not a time: 2026-02-13T08:00:00Z, or milliseconds' : { file, url, at: time };
}

/** Without a zone it is UTC, as everywhere. */
function timeOf(at: unknown): number | undefined {
  if (typeof at === 'number') return Number.isFinite(at) ? at : undefined;
  if (typeof at !== 'string' || !/^\d{4}-\d\d-\d\d/.test(at)) return undefined;
  const hasZone = /^.{10}$|(?:Z|[+-]\d\d:?\d\d)$/.test(at);
  const time = Date.parse(hasZone ? at : `${at}Z`);
  return Number.isNaN(time) ? undefined : time;
}
