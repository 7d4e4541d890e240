import { styleText } from 'node:util';
import { once as heard } from 'node:events';
import { rename, rm, writeFile } from 'node:fs/promises';
import type { Context, Environment, GlobalFlags, Output } from './context.ts';
import { printable, printableJson } from '../../shared/text/printable.ts';
import { type Column, layTable, layTsv, wrap } from '../text/table.ts';
import { localTime } from '../text/time.ts';
import { exitCode } from './exit-code.ts';
import { Failure, systemReason } from './failure.ts';

/**
 * What a command says. Data goes to stdout and everything else to stderr, so that a pipe sees data alone. On a
 * terminal data is for people; in a pipe it is tab-separated; with --json it is one value, with --quiet the ids.
 */
export class Out {
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #json: boolean;
  readonly #quiet: boolean;
  readonly now: number;
  /** Colours of stdout and of stderr: each is a terminal or not, by itself. */
  readonly paint: Paint;
  readonly paintNotice: Paint;

  constructor(context: Pick<Context, 'io' | 'environment' | 'now'>, flags: GlobalFlags) {
    this.#stdout = context.io.stdout;
    this.#stderr = context.io.stderr;
    this.#json = flags.json === true;
    this.#quiet = flags.quiet === true;
    this.now = context.now();
    this.paint = paintFor(context.io.stdout, context.environment, flags);
    this.paintNotice = paintFor(context.io.stderr, context.environment, flags);
  }

  get forPeople(): boolean {
    return this.#stdout.isTTY === true && !this.#json && !this.#quiet;
  }

  /** An instant: for people on the clock where they are, with its zone; in a pipe, as it came, which is UTC. */
  time(instant: string): string {
    return (this.forPeople ? localTime(instant) : undefined) ?? instant;
  }

  /** A list: JSON array, ids, table or TSV. */
  list<Row>(rows: readonly Row[], form: ListForm<Row>): void {
    if (this.#json) return this.#line(printableJson(form.json ? rows.map(form.json) : rows));
    if (this.#quiet) return this.#lines(rows.map((row) => printable(form.id(row))));
    if (rows.length === 0) return this.notice(form.none);
    if (this.#stdout.isTTY !== true) return this.#lines(layTsv(form.columns, rows));
    const [head = '', ...body] = layTable(form.columns, rows, this.#stdout.columns ?? 80);
    return this.#lines([this.paint('dim', head), ...body]);
  }

  /** One thing: a JSON object, its id, or lines; `plain` is what a pipe gets instead of the lines. */
  one(value: object, form: { id: string; lines: readonly string[]; plain?: readonly string[] }): void {
    if (this.#json) return this.#line(printableJson(value));
    if (this.#quiet) return this.#line(printable(form.id));
    const lines = this.#stdout.isTTY === true ? form.lines : (form.plain ?? form.lines);
    return this.#lines(lines);
  }

  /** One thing by its fields: a JSON object, its id, a line each; in a pipe the name, a tab and the value. */
  fields(value: object, { id, fields, more = [] }: FieldsForm): void {
    const plain = fields.map(([name, text]) => `${name}\t${printable(text)}`);
    this.one(value, { id, lines: [...this.lay(fields), ...more], plain: [...plain, ...more] });
  }

  /**
   * Names and values, a line each; on a terminal, what is too long for it goes on below where it began.
   * @param columns of the names
   */
  lay(fields: readonly Field[], columns = Math.max(0, ...fields.map(([name]) => name.length))): string[] {
    const width = this.forPeople ? (this.#stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
    return fields.flatMap(([name, text]) => {
      const [first = '', ...others] = wrap(printable(text), width, columns + 1);
      return [`${name.padEnd(columns)} ${first}`, ...others];
    });
  }

  /** Something was done: JSON object, id, or nothing on stdout; the sentence goes to stderr. */
  done(value: object, form: { id: string; notice: string; next?: string }): void {
    if (this.#json) this.#line(printableJson(value));
    else if (this.#quiet) this.#line(printable(form.id));
    this.notice(form.notice, form.next);
  }

  /** Raw text for stdout that we made ourselves: a completion script, help. */
  text(text: string): void {
    this.#stdout.write(text);
  }

  /** What changed, and what to do next. Silent with --quiet and --json. */
  notice(text: string, next?: string): void {
    if (this.#quiet || this.#json) return;
    this.#stderr.write(`${this.#wrapped(printable(text))}\n`);
    if (next !== undefined) this.#stderr.write(`${this.paintNotice('dim', 'next:')} ${printable(next)}\n`);
  }

  /** What one should know although it worked: said with --json and --quiet too. */
  warning(value: object, lines: readonly string[]): void {
    const text = this.#json ? printableJson(value) : lines.join('\n');
    this.#stderr.write(`${text}\n`);
  }

  /** A terminal would break the lines anywhere. */
  #wrapped(text: string): string {
    if (this.#stderr.isTTY !== true) return text;
    const [indent = ''] = /^ */.exec(text) ?? [];
    const lines = wrap(text.slice(indent.length), this.#stderr.columns ?? 80, indent.length);
    return `${indent}${lines.join('\n')}`;
  }

  #line(text: string): void {
    this.#stdout.write(`${text}\n`);
  }

  #lines(lines: readonly string[]): void {
    for (const line of lines) this.#line(line);
  }
}

export type Field = readonly [name: string, value: string];

interface FieldsForm {
  readonly id: string;
  readonly fields: readonly Field[];
  /** Lines below them; printable already. */
  readonly more?: readonly string[];
}

interface ListForm<Row> {
  readonly id: (row: Row) => string;
  /** A column that is empty in each row is left out on a terminal. */
  readonly columns: readonly Column<Row>[];
  /** A row as JSON, where that is not the row itself. */
  readonly json?: (row: Row) => object;
  /** What to say, on stderr, of an empty list. */
  readonly none: string;
}

/** Wraps a text in a colour, where colours are wanted; the text has to be printable already. */
export type Paint = (style: 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'inverse', text: string) => string;

/** https://no-color.org, https://bixense.com/clicolors; a flag beats both. Colour never carries meaning alone. */
export function paintFor(stream: Output, environment: Environment, flags: GlobalFlags): Paint {
  const wanted = wantsColour(stream, environment, flags);
  return (style, text) => (wanted ? styleText(style, text, { validateStream: false }) : text);
}

export function wantsColour(stream: Output, environment: Environment, flags: GlobalFlags): boolean {
  if (flags.color === false || (environment['NO_COLOR'] ?? '') !== '') return false;
  const forced = environment['FORCE_COLOR'] ?? environment['CLICOLOR_FORCE'] ?? '';
  if (forced !== '' && forced !== '0') return true;
  return stream.isTTY === true && environment['TERM'] !== 'dumb';
}

/**
 * Writes at the pace of the reader: waits while what was written before is not on its way, so that a slow reader slows
 * the making of more and nothing piles up. Ends at once when `closed` says that there is no reader any more. `left` is
 * told, once, whether this text has left the process, which may be later.
 */
export async function pacedWrite(
  stdout: Output,
  text: string,
  closed?: AbortSignal,
  left?: (succeeded: boolean) => void,
): Promise<void> {
  const isOnItsWay = left === undefined ? stdout.write(text) : tellingWrite(stdout, text, left);
  if (isOnItsWay || closed?.aborted === true) return;
  await heard(stdout, 'drain', closed ? { signal: closed } : {}).catch(() => {});
}

/**
 * A pipe with room takes the text within the call, but Node says so only once nothing else is ready to run: behind
 * hundreds of events that have come together. What is not in the stream any more has left it.
 */
function tellingWrite(stdout: Output, text: string, left: (succeeded: boolean) => void): boolean {
  let isTold = false;
  const tell = (succeeded: boolean): void => {
    if (!isTold) left(succeeded);
    isTold = true;
  };
  const isOnItsWay = stdout.write(text, (error) => tell(!error));
  if (stdout.writableLength === 0 && !stdout.errored && !stdout.destroyed) tell(true);
  return isOnItsWay;
}

/** Writes a file whole or not at all: whoever reads it meanwhile reads the old one. @throws {Failure} */
export async function writeWhole(file: string, text: string): Promise<void> {
  // Beside it: a name is moved without a copy within one file system only. `crypto` is the global one: every command loads this
  // file, and node:crypto takes longer than the rest of it.
  const draft = `${file}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(draft, text, { flag: 'wx', flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new Failure('unwritable', exitCode.no, `cannot write ${file}: ${systemReason(error)}`, { cause: error });
  }
}

/** Milliseconds between two words: on a terminal one line that changes, elsewhere lines that add up. */
const ON_TERMINAL_MS = 500;
const IN_LOG_MS = 10_000;

/** How far something long has come, on stderr. What is done at once never hears of it. */
export class Progress {
  readonly #context: Pick<Context, 'io' | 'now'>;
  readonly #isSilent: boolean;
  readonly #everyMs: number;
  #saidAt: number;
  #hasLine = false;

  constructor(context: Pick<Context, 'io' | 'now'>, { silent }: { silent: boolean }) {
    this.#context = context;
    this.#isSilent = silent;
    this.#everyMs = context.io.stderr.isTTY === true ? ON_TERMINAL_MS : IN_LOG_MS;
    this.#saidAt = context.now();
  }

  /** Asks for the words only when it is time to say them. */
  tell(words: () => string): void {
    if (this.#isSilent || this.#context.now() - this.#saidAt < this.#everyMs) return;
    this.#saidAt = this.#context.now();
    const { stderr } = this.#context.io;
    if (stderr.isTTY !== true) {
      stderr.write(`${printable(words())}\n`);
      return;
    }
    stderr.write(`${ERASE}${printable(words())}`);
    this.#hasLine = true;
  }

  /** Takes its line away, so that what is said next stands alone. */
  end(): void {
    if (this.#hasLine) this.#context.io.stderr.write(ERASE);
    this.#hasLine = false;
  }
}

/** To the beginning of the line, and nothing on it. */
const ERASE = '\r\u001b[2K';
