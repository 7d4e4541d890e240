import { Writable } from 'node:stream';
import { isObject } from '../../shared/page/json-value.ts';
import { printable } from '../../shared/text/printable.ts';
import { count } from '../../shared/text/plural.ts';
import { fill, parseTemplate, valueAt } from '../text/template.ts';
import type { Output } from './context.ts';
import { exitCode } from './exit-code.ts';
import { Failure, UsageError } from './failure.ts';

/** `--jq` and `--template`, as they were written. */
export interface FilterFlags {
  readonly jq?: string | undefined;
  readonly template?: string | undefined;
}

/**
 * Stdout of a command with `--jq` or `--template`: what the command prints as JSON, a line each, goes through the filter
 * on its way. A filter that fails at one value says so on stderr and goes on with the next, as jq does; the command ends
 * with 1 then. Each write is done when the text that came of it has left, so that a reader's pace, and the cursor of
 * `tail --resume`, mean what they mean without a filter.
 */
export class FilteredOutput extends Writable {
  readonly #below: Output;
  readonly #stderr: Output;
  readonly #filter: Filter;
  #begun = '';
  #failures = 0;

  constructor(filter: Filter, { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output }) {
    super({ decodeStrings: false, defaultEncoding: 'utf8' });
    this.#filter = filter;
    this.#below = stdout;
    this.#stderr = stderr;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    const lines = (this.#begun + chunk.toString()).split('\n');
    this.#begun = lines.pop() ?? '';
    this.#pass(lines, done);
  }

  override _final(done: () => void): void {
    const rest = this.#begun;
    this.#begun = '';
    this.#pass(rest === '' ? [] : [rest], done);
  }

  /** Resolved when all of it has left. @throws {Failure} where the filter failed at something */
  async finish(): Promise<void> {
    if (!this.destroyed) await new Promise<void>((resolve) => this.end(() => resolve()));
    const complaint = this.#filter.complaint?.();
    if (complaint !== undefined) this.#stderr.write(`warning: ${printable(complaint)}\n`);
    if (this.#failures === 0) return;
    throw new Failure('filter_failed', exitCode.no, `the filter failed at ${count(this.#failures, 'value')}`);
  }

  #pass(lines: readonly string[], done: () => void): void {
    const texts: string[] = [];
    for (const line of lines) {
      if (line.trim() === '') continue;
      const { text, trouble } = this.#filter.apply(line);
      texts.push(text);
      if (trouble === undefined) continue;
      this.#failures += 1;
      this.#stderr.write(`error: ${printable(trouble)}\n`);
    }
    const text = texts.join('');
    // A reader that has gone is no fault of this write: the command hears of it by itself.
    if (text === '') done();
    else this.#below.write(text, () => done());
  }
}

interface Filter {
  /** One line of JSON in, its text out, line ends included; `trouble` is a sentence on what was wrong at this value. */
  readonly apply: (json: string) => { readonly text: string; readonly trouble?: string };
  /** What should be known at the end. */
  readonly complaint?: () => string | undefined;
}

/** The filter of the flag that is given. @throws {UsageError} for both, and for one that does not compile */
export async function filterOf(flags: FilterFlags, isTerminal: boolean): Promise<Filter> {
  const { jq, template } = flags;
  if (jq !== undefined && template !== undefined)
    throw new UsageError('--jq and --template both form the output; give one');
  if (jq !== undefined) return jqFilter(jq, isTerminal);
  if (template !== undefined) return templateFilter(template);
  throw new Error('a filter of neither flag');
}

/** jq itself, as WebAssembly; strings come as they are, as with `jq --raw-output`. */
async function jqFilter(written: string, isTerminal: boolean): Promise<Filter> {
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  const flags = isTerminal ? ['-r'] : ['-r', '-c'];
  // Without a value only the compiler can complain: before anything is asked of the daemon.
  const compiled = jq.raw('', written, flags);
  if (compiled.exitCode !== 0) throw notCompiled(written, compiled.stderr);
  return {
    apply: (json) => {
      const { stdout, stderr, exitCode: code } = jq.raw(json, written, flags);
      // What a page says may not act on a terminal; a program gets it as it is.
      const text = isTerminal ? stdout.split('\n').map(printable).join('\n') : stdout;
      const trouble =
        code === 0 ? {} : { trouble: `--jq: ${stderr.replace(/^jq: error \(at [^)]*\):? ?/, '').trim()}` };
      return { text: text === '' ? '' : `${text}\n`, ...trouble };
    },
  };
}

/** From `jq: error: foo/0 is not defined at <top-level>, line 1, column 3:` and what follows. */
function notCompiled(written: string, stderr: string): UsageError {
  const [, words = stderr, line = '1', column = '1'] =
    /^jq: error: (.*?) at <top-level>, line (\d+), column (\d+)/.exec(stderr) ?? [];
  const before = written.split('\n').slice(0, Number(line) - 1);
  const start = before.reduce((sum, one) => sum + one.length + 1, Number(column) - 1);
  const span = { start: Math.min(start, written.length), end: Math.min(start + 1, written.length) };
  return new UsageError(`--jq: ${words.trim()}`, { source: written, span, docs: 'https://jqlang.org/manual/' });
}

/** A line for each element of a list, or for the one object. */
function templateFilter(written: string): Filter {
  const template = parseTemplate(written, '--template');
  const missing = new Set(template.flatMap((part) => (typeof part === 'string' ? [] : [part.field])));
  const known = new Set<string>();
  let objects = 0;
  const line = (value: unknown): string => {
    if (!isObject(value)) return `${printable(JSON.stringify(value))}\n`;
    objects += 1;
    for (const key of Object.keys(value)) known.add(key);
    for (const field of missing) if (valueAt(value, field) !== undefined) missing.delete(field);
    return fill(template, value);
  };
  return {
    apply: (json) => {
      const value = JSON.parse(json) as unknown;
      return { text: (Array.isArray(value) ? value : [value]).map(line).join('') };
    },
    complaint: () => {
      if (objects === 0 || missing.size === 0) return undefined;
      const names = [...missing].map((field) => `\`${field}\``).join(', ');
      return `--template: nothing has ${names}; there is ${[...known].join(', ')}`;
    },
  };
}
