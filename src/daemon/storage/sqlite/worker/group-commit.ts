import type { DatabaseSync } from 'node:sqlite';
import { faultPoint } from '../../../fault-points.ts';
import type { Step } from './operation.ts';
import { TransactionalMaps } from './transactional-map.ts';

export interface Write {
  readonly step: () => Step;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes share a transaction: the disk is what limits them (hundreds of fsyncs a second), so all that comes within a
 * few milliseconds is committed by one. Each has a savepoint of its own, so that one that fails takes nothing with
 * it; and each is answered after COMMIT only. If COMMIT itself fails, the whole group has not happened.
 *
 * Under load a COMMIT costs more processor time than the writes in it, and one of ten visits hardly more than one of two:
 * they share most of the pages of the file. So the next group gathers for longer, until it is large enough or COMMITs
 * are a small share of the time; a write that comes after a quiet moment waits no longer than ever.
 *
 * What is long (a site of a hundred thousand pages to remove) goes in steps, so that it never holds up the visits; a step
 * must leave a state that is right to stop in, and the first one is as short as other writes are. Of those that have more
 * to do a few make a step in each group, in turn: two hundred removals at once make nobody wait longer than two do.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #gatherMs: number;
  readonly #maps: TransactionalMaps;
  readonly #onCommitted: () => void;
  #waiting: Write[] = [];
  /** Those that have made a step and have more to do, and what they would answer now: whose turn is next, first. */
  #unfinished: Committed[] = [];
  #cancel: (() => void) | undefined;
  /** On the clock of `performance`: before this, another COMMIT would be one too many. */
  #restsUntil = 0;
  /** Whether it waits for that. */
  #isResting = false;

  /**
   * @param maps what the stores keep in memory
   * @param onCommitted after each COMMIT, before any write is answered
   */
  constructor(
    database: DatabaseSync,
    gatherMs: number,
    maps = new TransactionalMaps(),
    onCommitted: () => void = () => undefined,
  ) {
    this.#database = database;
    this.#gatherMs = gatherMs;
    this.#maps = maps;
    this.#onCommitted = onCommitted;
  }

  add(write: Write): void {
    this.#waiting.push(write);
    // A full group has nothing to gain from waiting, and a transaction should stay short.
    if (this.#waiting.length >= FULL_GROUP) this.#flush();
    else if (this.#waiting.length === LARGE_GROUP && this.#isResting) this.#reschedule();
    else this.#cancel ??= this.#schedule(this.#restsUntil - performance.now());
  }

  /** Commits what waits. A long write may make one more step, and is answered with what it has done until then. */
  close(): void {
    for (const { write, step } of [...this.#commit(), ...this.#unfinished.splice(0)]) write.resolve(step.answer);
  }

  #reschedule(): void {
    this.#cancel?.();
    this.#cancel = this.#schedule(0);
  }

  #schedule(restMs: number): () => void {
    this.#isResting = restMs > this.#gatherMs;
    const timer = setTimeout(() => this.#flush(), Math.max(this.#gatherMs, restMs));
    return () => clearTimeout(timer);
  }

  #flush(): void {
    for (const { write, step } of this.#commit()) {
      if (step.done || step.isAnswered === true) write.resolve(step.answer);
      if (!step.done) this.#unfinished.push({ write: step.isAnswered === true ? { ...write, ...HEARD } : write, step });
    }
    if (this.#unfinished.length === 0) return;
    // Not a timer: its next step has waited long enough. What else has arrived by then joins in.
    const turn = setImmediate(() => this.#flush());
    this.#cancel = () => clearImmediate(turn);
  }

  /** One transaction over all that waits; answers those that are in it. */
  #commit(): Committed[] {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isResting = false;
    const inTurn = this.#unfinished.splice(0, STEPS_A_GROUP).map(({ write }) => write);
    const group = [...this.#waiting.splice(0), ...inTurn];
    if (group.length === 0) return [];
    const failed: { write: Write; error: unknown }[] = [];
    const stepped: Committed[] = [];
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      this.#maps.begin();
      for (const write of group) {
        const outcome = this.#one(write);
        if ('error' in outcome) failed.push({ write, error: outcome.error });
        else stepped.push({ write, step: outcome });
      }
      this.#commitGroup();
      this.#maps.commit();
    } catch (error) {
      this.#maps.rollBack();
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      for (const write of group) write.reject(error);
      return [];
    }
    for (const { write, error } of failed) write.reject(error);
    return stepped;
  }

  #commitGroup(): void {
    const begin = performance.now();
    faultPoint('group:written');
    this.#database.exec('COMMIT');
    faultPoint('group:committed');
    this.#onCommitted();
    const end = performance.now();
    this.#restsUntil = end + Math.min((end - begin) * REST_A_COMMIT, this.#gatherMs * LONGEST_GATHERS);
  }

  #one(write: Write): Step | { readonly error: unknown } {
    this.#database.exec('SAVEPOINT one');
    const savepoint = this.#maps.savepoint();
    try {
      const step = write.step();
      this.#database.exec('RELEASE one');
      return step;
    } catch (error) {
      // A full disk makes SQLite give up the whole transaction by itself: then nothing of the group is left to save.
      if (!this.#database.isTransaction) throw error;
      this.#database.exec('ROLLBACK TO one; RELEASE one');
      this.#maps.rollBackTo(savepoint);
      return { error };
    }
  }
}

interface Committed {
  readonly write: Write;
  readonly step: Step;
}

/** Of a write that was answered before its end: what it does not come to, the next start does. */
const HEARD = { resolve: () => undefined, reject: () => undefined };

const FULL_GROUP = 256;
/** Each takes some ten milliseconds at most. */
const STEPS_A_GROUP = 2;
/** Of eight, a visit's share of the COMMIT is 0.3 ms of processor time; of two it is 0.7 ms (measured). */
const LARGE_GROUP = 8;
/** A small group waits until COMMITs take a tenth of the time, */
const REST_A_COMMIT = 10;
/** and on a slow disk no longer than this, in times that a group gathers: who writes one by one is not to notice. */
const LONGEST_GATHERS = 5;
