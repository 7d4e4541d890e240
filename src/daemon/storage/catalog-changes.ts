import { applied, type CatalogData, type Draft } from './catalog.ts';
import { checkShape } from './catalog-schema.ts';

/**
 * What a write makes of the catalog: the changes that it carries, applied one after another. Whoever writes may call it again, on
 * a newer state: the last call counts.
 */
export type ApplyChanges = (data: CatalogData) => CatalogData;

/**
 * Changes of the catalog on their way to be written, one write after another; each write takes all the changes that came while
 * the last one was under way.
 */
export class CatalogChanges {
  readonly #write: (apply: ApplyChanges) => Promise<void>;
  #waiting: Waiting[] = [];
  #turn: Promise<void> | undefined;
  #closed = false;

  /** `write`: resolved when what `apply` made of the newest state is durable and has become `data`. */
  constructor(write: (apply: ApplyChanges) => Promise<void>) {
    this.#write = write;
  }

  /** As `Catalog.update`. */
  update<Result>(change: (draft: Draft<CatalogData>) => Result): Promise<Result> {
    if (this.#closed) return Promise.reject(new Error('the catalog is closed'));
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const attempt = (data: CatalogData): Outcome => {
      const { result, data: next } = applied(data, change);
      const checked = checkShape(next);
      // Written all the same, it would stop the next start.
      if (!checked.ok) throw new Error(`a change would damage the catalog: ${checked.what}`);
      return { data: next, answer: () => resolve(result) };
    };
    this.#waiting.push({ attempt, reject });
    this.#turn ??= this.#work();
    return promise;
  }

  /** Waits for what is under way; later changes are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn;
  }

  async #work(): Promise<void> {
    // Not in this turn of the event loop: what is asked for together is written together.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#writeTogether(this.#waiting.splice(0));
    this.#turn = undefined;
  }

  async #writeTogether(group: readonly Waiting[]): Promise<void> {
    let answers: (() => void)[] = [];
    const apply = (data: CatalogData): CatalogData => {
      answers = [];
      let next = data;
      for (const { attempt, reject } of group) {
        try {
          const outcome = attempt(next);
          next = outcome.data;
          answers.push(outcome.answer);
        } catch (error) {
          // Answered after the write: it may have been refused for what a neighbour did, and that may not last.
          answers.push(() => reject(error));
        }
      }
      return next;
    };
    try {
      await this.#write(apply);
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const answer of answers) answer();
  }
}

interface Waiting {
  readonly attempt: (data: CatalogData) => Outcome;
  readonly reject: (error: unknown) => void;
}

interface Outcome {
  readonly data: CatalogData;
  readonly answer: () => void;
}
