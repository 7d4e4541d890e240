import { exitCode } from '../../runtime/exit-code.ts';
import { Failure } from '../../runtime/failure.ts';
import { report } from '../../text/report.ts';
import { openSession, type Session } from '../session.ts';
import { callContext, Captured, runForJson, runForLines } from './command-run.ts';
import { type Call, errorOf, resultOf, type Tool, type ToolResult } from './tool.ts';

/** Calls that run at once; others wait. A client that asks for hundreds is no reason to ask the daemon for as many. */
const AT_ONCE = 4;
const WAITING = 100;
/** Milliseconds that a call may take. */
const WITHIN_MS = 90_000;
/** Bytes of what a call itself says, beside what it answers. */
const SAID_BYTES = 64 * 1_024;

/** What all calls of one server share. */
export interface Serving {
  readonly session: Session;
  /** Aborted when the server ends. */
  readonly ended: AbortSignal;
  /** Whether a tool may fetch a page of the web itself. */
  readonly fetches: boolean;
}

/** Runs the calls of tools and resources: so many at once, each with an end, and what fails is told and stops nobody else. */
export class Calls {
  readonly #serving: Serving;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(serving: Serving) {
    this.#serving = serving;
  }

  /** Never rejects: a failure is an answer, too. */
  async answer(tool: Tool, input: unknown, cancelled: AbortSignal): Promise<ToolResult> {
    try {
      return resultOf(await this.within(cancelled, tool.withinMs, (call) => tool.call(call, input)));
    } catch (error) {
      return errorOf(error instanceof Failure ? error.code : 'bug', reported(error));
    }
  }

  /** @throws what `run` throws, and a Failure where it takes too long or too many wait */
  async within<Result>(
    cancelled: AbortSignal,
    withinMs: number | undefined,
    run: (call: Call) => Promise<Result>,
  ): Promise<Result> {
    await this.#turn();
    const timeout = AbortSignal.timeout(withinMs ?? WITHIN_MS);
    const signal = AbortSignal.any([cancelled, this.#serving.ended, timeout]);
    try {
      signal.throwIfAborted();
      return await abortable(run(this.#call(signal)), signal);
    } catch (error) {
      if (!timeout.aborted) throw error;
      throw new Failure('timeout', exitCode.tryAgain, `it took longer than ${(withinMs ?? WITHIN_MS) / 1_000} s`, {
        hint: 'ask for less, or try again when the daemon has less to do',
      });
    } finally {
      const next = this.#waiting.shift();
      // Whoever has waited takes the place, which is never free in between.
      if (next) next();
      else this.#running -= 1;
    }
  }

  #call(signal: AbortSignal): Call {
    const { context, flags, run } = this.#serving.session;
    const io = { stdout: new Captured(SAID_BYTES), stderr: new Captured(SAID_BYTES) };
    const own = callContext(context, io, { signal, fetches: this.#serving.fetches });
    const session = openSession(own, { ...flags, json: true }, run);
    return {
      session,
      run: (words) => runForJson(session, words),
      tell: (words) => runForLines(session, words),
    };
  }

  async #turn(): Promise<void> {
    if (this.#waiting.length >= WAITING) {
      throw new Failure('busy', exitCode.tryAgain, `${WAITING} calls wait already; try again when they are answered`);
    }
    if (this.#running < AT_ONCE) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** A command notices an abort where it waits for the daemon; whoever has called need not wait until it does. */
async function abortable<Result>(running: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([running, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** As the command line prints it: the sentence, the place in a query, what to do next. */
export function reported(error: unknown): string {
  return report(error, { json: false, stack: false, paint: (_style, text) => text, width: 100 });
}
