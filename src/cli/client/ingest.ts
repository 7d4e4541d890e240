import type { ArchiveAnswer, ArchiveQuestion, Ingested } from '../../shared/api/crawl.ts';
import type { Asking } from './shape.ts';
import { isObject } from '../../shared/page/json-value.ts';

/** The endpoints below `/admin/ingest`, one method each. @throws as `Client` */
export class IngestEndpoints {
  readonly #asking: Pick<Asking, 'ask'>;

  constructor(asking: Pick<Asking, 'ask'>) {
    this.#asking = asking;
  }

  /** One `response` record of an archive, as it stands there. */
  async add(record: Uint8Array): Promise<Ingested> {
    return this.#asking.ask(isIngested, 'POST', '/admin/ingest', record);
  }

  /** Which of these records need not be sent. */
  async known(question: ArchiveQuestion): Promise<readonly boolean[]> {
    const { known } = await this.#asking.ask(isArchiveAnswer, 'POST', '/admin/ingest/known', question);
    return known;
  }
}

function isIngested(value: unknown): value is Ingested {
  if (!isObject(value) || typeof value['events'] !== 'number') return false;
  return ['changed', 'unchanged', 'failed', 'skipped'].includes(String(value['outcome']));
}

function isArchiveAnswer(value: unknown): value is ArchiveAnswer {
  return isObject(value) && Array.isArray(value['known']);
}

/**
 * Records on their way to the daemon, a few at the same time, and of one host one after another: the daemon judges a
 * page with what it has learned of the others of its host, and a version against the one before.
 */
export class IngestUpload {
  readonly #endpoints: Pick<IngestEndpoints, 'add'>;
  readonly #onAnswer: (answer: Ingested) => void;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #signal: AbortSignal;
  #failure: { readonly error: unknown } | undefined;

  /** @param signal after which nothing is sent any more; what is under way arrives */
  constructor(endpoints: Pick<IngestEndpoints, 'add'>, signal: AbortSignal, onAnswer: (answer: Ingested) => void) {
    this.#endpoints = endpoints;
    this.#signal = signal;
    this.#onAnswer = onAnswer;
  }

  /** Resolved when the record is under way, or will not be. Throws what became of one before. */
  async add(record: Uint8Array, host: string): Promise<void> {
    await this.#underWay.get(host);
    while (this.#underWay.size >= AT_ONCE) await Promise.race(this.#underWay.values());
    this.#check();
    if (this.#signal.aborted) return;
    const sent = this.#send(record).finally(() => this.#underWay.delete(host));
    this.#underWay.set(host, sent);
  }

  /** Resolved when all that was under way is answered. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay.values());
    this.#check();
  }

  async #send(record: Uint8Array): Promise<void> {
    try {
      this.#onAnswer(await this.#endpoints.add(record));
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  #check(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

/** Enough that the daemon never waits for the next one. */
const AT_ONCE = 8;
