import { Readable, Writable } from 'node:stream';
import { isObject } from '../../../shared/page/json-value.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure, UsageError } from '../../runtime/failure.ts';
import type { Context, GlobalFlags } from '../../runtime/context.ts';
import type { RunWords, Session } from '../session.ts';

/** What a command has printed. */
export interface Ran {
  /** Its JSON: one value, or one for each line. */
  readonly values: readonly unknown[];
  /** Sentences that it wrote to stderr. */
  readonly warnings: readonly string[];
}

/** Bytes that one command may print: more is of no use to whoever called, and is in nobody's way. */
const OUTPUT_BYTES = 16 * 1_024 * 1_024;
const WARNING_BYTES = 64 * 1_024;

/** A context for one call: no stdin, no terminal, an end of its own, and no page of a private network. */
export function callContext(
  context: Context,
  io: { readonly stdout: Captured; readonly stderr: Captured },
  { signal, fetches }: { readonly signal: AbortSignal; readonly fetches: boolean },
): Context {
  const noInput = (purpose: string): never => {
    throw new UsageError(`${purpose}: \`-\` reads stdin, which a tool has not; give the text itself`);
  };
  return {
    ...context,
    io: { stdin: Readable.from([]), ...io },
    closed: AbortSignal.any([signal, io.stdout.full]),
    readInput: async (purpose) => noInput(purpose),
    readBytes: noInput,
    readLines: noInput,
    // Whoever calls may have the address from a page.
    fetchPage: async (url, until) => {
      if (fetches) return context.fetchPage(url, until, 'program');
      return { outcome: 'failed', reason: 'not_allowed', detail: 'this server fetches no pages (--no-fetch)' };
    },
  };
}

/**
 * Runs a command in this process for its JSON, with the flags that say which daemon is meant. The exit code of one that
 * answers "no" is an answer like any other; what a command fails with is thrown.
 */
export async function runForJson(session: Session, words: readonly string[]): Promise<Ran> {
  const { stdout, stderr } = await runCaptured(session, ['--json', ...words]);
  const warnings = jsonLines(stderr).map((one) => (isObject(one) ? String(one['message']) : String(one)));
  return { values: jsonLines(stdout), warnings };
}

/** The same for what it tells people. */
export async function runForLines(session: Session, words: readonly string[]): Promise<string[]> {
  const { stdout } = await runCaptured(session, ['--no-color', ...words]);
  return stdout.trimEnd().split('\n');
}

async function runCaptured(
  { context, flags, run }: Pick<Session, 'context' | 'flags' | 'run'>,
  words: readonly string[],
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const io = { stdout: new Captured(OUTPUT_BYTES), stderr: new Captured(WARNING_BYTES) };
  const closed = AbortSignal.any([...(context.closed ? [context.closed] : []), io.stdout.full]);
  try {
    await (run satisfies RunWords)({ ...context, io: { ...context.io, ...io }, closed }, [...whereOf(flags), ...words]);
  } catch (error) {
    // A command that was ended from outside may end with any error.
    if (!io.stdout.full.aborted) throw error;
  }
  if (io.stdout.full.aborted) {
    const words = `the answer has more than ${OUTPUT_BYTES / 1_024 / 1_024} MiB`;
    throw new Failure('too_large', exitCode.refused, words, {
      hint: 'ask for less: one tap, one watch, a shorter time',
    });
  }
  context.closed?.throwIfAborted();
  return { stdout: io.stdout.text, stderr: io.stderr.text };
}

/** The flags of the root that say which daemon and organization are meant. */
function whereOf({ url, dataDir, context, keyFile, org }: GlobalFlags): string[] {
  const given = { url, 'data-dir': dataDir, context, 'key-file': keyFile, org };
  return Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`]));
}

function jsonLines(text: string): unknown[] {
  return text.split('\n').flatMap((line): unknown[] => (/^[[{"]/.test(line) ? [JSON.parse(line)] : []));
}

/** A stream that keeps what is written to it, up to a bound. */
export class Captured extends Writable {
  readonly #most: number;
  readonly #chunks: Buffer[] = [];
  readonly #full = new AbortController();
  #bytes = 0;

  constructor(most: number) {
    super({ decodeStrings: true });
    this.#most = most;
  }

  /** Aborted once more was written than it keeps. */
  get full(): AbortSignal {
    return this.#full.signal;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#most) this.#chunks.push(chunk);
    else this.#full.abort();
    done();
  }
}
