import { Worker } from 'node:worker_threads';
import type { ArmedRule } from '../../shared/match/rule-index.ts';
import type { JudgedFailure } from './case.ts';
import { answer, type Job, type Question, type Reply, type Request } from './protocol.ts';
import { broken, CALLED_OFF } from './refusals.ts';

/** What the owner of a thread is told. */
export interface ThreadEvents {
  /** It has nothing to do. */
  readonly onIdle: () => void;
  /** It is gone; what it had has been answered. */
  readonly onEnd: () => void;
  readonly onUnarmed: (ruleId: string, fault: string) => void;
}

/** This side of one judging thread. It has one case at a time, so that none of those that wait is lost with it. */
export class JudgingThread {
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #deadlineMs: number;
  #job: Job | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(entry: URL, deadlineMs: number, events: ThreadEvents) {
    this.#events = events;
    this.#deadlineMs = deadlineMs;
    this.#worker = new Worker(entry, { resourceLimits: LIMITS });
    // A thread without a case keeps no process alive.
    this.#worker.unref();
    let cause = 'the judging thread ended without a word';
    this.#worker.on('message', (reply: Reply) => this.#hear(reply));
    this.#worker.on('error', (error) => {
      cause = `the judging thread has died: ${error instanceof Error ? error.message : String(error)}`;
    });
    this.#worker.on('exit', () => this.#end(broken(cause)));
  }

  arm(rule: ArmedRule): void {
    this.#tell({ kind: 'arm', rule }, []);
  }

  withdraw(ruleId: string): void {
    this.#tell({ kind: 'withdraw', ruleId }, []);
  }

  /** The body's bytes change hands: whoever gave them has them no more. */
  judge(job: Job): void {
    this.#job = job;
    this.#worker.ref();
    this.#timer = setTimeout(() => {
      this.#end(broken(`the page was not judged within ${this.#deadlineMs / 1_000} s`));
    }, this.#deadlineMs);
    const own = alone(job.given.fetched.bytes);
    this.#tell(questionWith(job, own), [own.buffer]);
  }

  /** Ends it at once. What it had is answered as called off. */
  async close(): Promise<void> {
    this.#end(CALLED_OFF);
    await this.#worker.terminate();
  }

  #tell(request: Request, transfer: readonly ArrayBuffer[]): void {
    this.#worker.postMessage(request, transfer);
  }

  #hear(reply: Reply): void {
    if (reply.kind === 'unarmed') {
      this.#events.onUnarmed(reply.ruleId, reply.fault);
      return;
    }
    const job = this.#done();
    if (job) answer(job, reply);
    this.#worker.unref();
    if (!this.#hasEnded) this.#events.onIdle();
  }

  #done(): Job | undefined {
    clearTimeout(this.#timer);
    const job = this.#job;
    this.#job = undefined;
    return job;
  }

  #end(failure: JudgedFailure): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#done()?.resolve(failure);
    void this.#worker.terminate();
    this.#events.onEnd();
  }
}

function questionWith({ kind, given }: Job, bytes: Uint8Array): Question {
  // One branch each, for the compiler: a kind and its case belong together.
  if (kind === 'judge') return { kind, given: { ...given, fetched: { ...given.fetched, bytes } } };
  return { kind, given: { ...given, fetched: { ...given.fetched, bytes } } };
}

/**
 * Of one thread. A page of 5 MB and half a million elements takes half of the old generation. What a page makes is garbage
 * when it is judged: the three parts of a young generation of this size hold a few pages, and larger ones took as much
 * time and 150 MB more.
 */
const LIMITS = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 12 };

/** A view into a larger buffer would cross with all of it, and take it away from the others that look at it. */
function alone(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isWhole ? new Uint8Array(buffer) : Uint8Array.from(bytes);
}
