import {
  type Catalog,
  type CatalogData,
  type CatalogFollower,
  type Draft,
  type RecordChange,
  recordChanges,
} from '../../catalog.ts';
import { type ApplyChanges, CatalogChanges } from '../../catalog-changes.ts';
import { StartFailure } from '../../../start-failure.ts';
import { StorageUnavailable } from '../../unavailable.ts';
import { type Database, settledBy, type Transaction } from '../connection/database.ts';
import { Notifications } from '../connection/notifications.ts';
import {
  type CatalogSnapshot,
  lockCatalog,
  newestSnapshot,
  openSnapshot,
  UnreadableCatalog,
  wasWritten,
  writeSnapshot,
} from './catalog-rows.ts';
import { BEHIND_MS, type NodeRows } from './nodes.ts';

const CHANNEL = 'hydrant_catalog';
/** Milliseconds between two looks at what others have changed, where no notification comes. */
const LOOK_MS = 1_000;
/** So long it is asked what has become of a write of unknown outcome: whoever wrote waits for the answer. */
const ASKED_MS = 10_000;

export interface PostgresCatalogDeps {
  readonly database: Database;
  /** What this process is called: no two have the same name. */
  readonly node: string;
  /** Where it is entered. */
  readonly nodes: NodeRows;
  readonly onError: (what: string, error: unknown) => void;
  /** Milliseconds of a clock that nobody sets; absent: that of the process. */
  readonly elapsed?: () => number;
}

/**
 * The catalog in a table, a row a record; `data` is a copy in memory, which follows what other processes write. A write locks the
 * catalog, catches up with what was written before it, and writes the rows that it changes as the next version.
 */
export class PostgresCatalog implements Catalog {
  readonly #deps: PostgresCatalogDeps;
  readonly #nodes: NodeRows;
  readonly #changes = new CatalogChanges((apply) => this.#inTurn(() => this.#write(apply)));
  #snapshot: CatalogSnapshot;
  #turn: Promise<unknown> = Promise.resolve();
  #follower: CatalogFollower | undefined;
  /** What others changed before there was a follower. */
  #unreported: RecordChange[] = [];
  #feed: CatalogFeed | undefined;

  /** @throws {StartFailure} for a catalog that is damaged, or of a newer version */
  static async open(deps: PostgresCatalogDeps): Promise<PostgresCatalog> {
    try {
      return new PostgresCatalog(
        deps,
        await deps.database.transaction((transaction) => openSnapshot(transaction, deps)),
      );
    } catch (error) {
      if (!(error instanceof UnreadableCatalog)) throw error;
      throw new StartFailure('configuration', error.message, { cause: error });
    }
  }

  private constructor(deps: PostgresCatalogDeps, snapshot: CatalogSnapshot) {
    this.#deps = deps;
    this.#nodes = deps.nodes;
    this.#snapshot = snapshot;
  }

  get data(): CatalogData {
    return this.#snapshot.data;
  }

  get isBehind(): boolean {
    return this.#feed?.isBehind ?? false;
  }

  /** Answered when all live nodes have the change, or a second after it became durable. */
  async update<Result>(change: (draft: Draft<CatalogData>) => Result): Promise<Result> {
    const result = await this.#changes.update(change);
    // It is durable, whether or not anybody can be asked who has it.
    await this.#nodes.haveVersion(this.#snapshot.version).catch(() => undefined);
    return result;
  }

  /** From now on this process counts as a node: others wait for it. */
  async follow(follower: CatalogFollower): Promise<void> {
    this.#follower = follower;
    this.#report(this.#unreported.splice(0));
    const look = (): Promise<void> => this.#inTurn(() => this.#catchUp());
    this.#feed ??= new CatalogFeed(this.#deps, look);
    await this.#feed.begun;
  }

  async close(): Promise<void> {
    await this.#changes.close();
    await this.#feed?.close();
    await this.#nodes.leave().catch(() => undefined);
  }

  /** One at a time: a look at what others wrote does not overtake a write of our own. */
  async #inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #catchUp(): Promise<void> {
    const newest = await this.#nodes.renew(this.#snapshot.version);
    if (newest === this.#snapshot.version) return;
    this.#advance(await newestSnapshot(this.#deps.database, this.#snapshot));
    await this.#nodes.renew(this.#snapshot.version);
  }

  async #write(apply: ApplyChanges): Promise<void> {
    const attempt: { made?: Written } = {};
    try {
      await this.#deps.database.transaction(async (transaction) => {
        attempt.made = await this.#writeIn(transaction, apply);
      });
    } catch (error) {
      const isUnknown = error instanceof StorageUnavailable && error.isOutcomeUnknown;
      if (!isUnknown || !attempt.made || !(await this.#isDone(attempt.made, error))) throw error;
    }
    if (attempt.made) this.#written(attempt.made);
  }

  async #writeIn(transaction: Transaction, apply: ApplyChanges): Promise<Written> {
    await lockCatalog(transaction);
    const before = await newestSnapshot(transaction, this.#snapshot);
    const data = apply(before.data);
    if (data === before.data) return { before, after: before };
    return { before, after: await writeSnapshot(transaction, { before, data, node: this.#deps.node }) };
  }

  #written({ before, after }: Written): void {
    this.#advance(before);
    this.#snapshot = after;
    if (after === before) return;
    // Behind the transaction: those that notify in theirs commit one after another. Whoever misses it looks by himself.
    void this.#deps.database.query(`SELECT pg_notify('${CHANNEL}', '')`).catch(() => undefined);
  }

  /** Whether a write whose COMMIT was not answered has been done. @throws the error that left it open, where nobody can be asked */
  #isDone({ after }: Written, lost: StorageUnavailable): Promise<boolean> {
    const { database } = this.#deps;
    const ask = (): Promise<boolean> =>
      database.transaction((transaction) => wasWritten(transaction, after.version, this.#deps));
    return settledBy(ask, lost, ASKED_MS);
  }

  /** To a state that others have written. */
  #advance(next: CatalogSnapshot): void {
    if (next === this.#snapshot) return;
    const changes = recordChanges(this.#snapshot.data, next.data);
    this.#snapshot = next;
    this.#report(changes);
  }

  #report(changes: readonly RecordChange[]): void {
    if (changes.length === 0) return;
    if (this.#follower === undefined) {
      this.#unreported.push(...changes);
      return;
    }
    try {
      this.#follower(changes);
    } catch (error) {
      this.#deps.onError('a change of the catalog by another daemon could not be followed', error);
    }
  }
}

interface Written {
  readonly before: CatalogSnapshot;
  readonly after: CatalogSnapshot;
}

/** Looks at what others have changed: each second, when it is notified, and when it begins to listen. */
class CatalogFeed {
  readonly #look: () => Promise<void>;
  readonly #onError: PostgresCatalogDeps['onError'];
  readonly #notifications: Notifications;
  readonly #done: Promise<void>;
  /** Resolved after the first look, whatever came of it. */
  readonly begun: Promise<void>;
  #isClosed = false;
  #isNotified = false;
  #wake: () => void = () => undefined;
  readonly #elapsed: () => number;
  #lookedAt: number;
  #isFailing = false;

  constructor(
    { database, onError, elapsed = () => performance.now() }: PostgresCatalogDeps,
    look: () => Promise<void>,
  ) {
    this.#look = look;
    this.#onError = onError;
    this.#elapsed = elapsed;
    this.#lookedAt = elapsed();
    const notify = (): void => this.#notify();
    this.#notifications = new Notifications(database, CHANNEL, { heard: notify, listening: notify });
    this.begun = this.#lookOnce();
    this.#done = this.begun.then(() => this.#run());
  }

  get isBehind(): boolean {
    return this.#elapsed() > this.#lookedAt + BEHIND_MS;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#notify();
    await this.#notifications.close();
    await this.#done;
  }

  #notify(): void {
    this.#isNotified = true;
    this.#wake();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      await this.#pause();
      this.#isNotified = false;
      await this.#lookOnce();
    }
  }

  async #lookOnce(): Promise<void> {
    // What was read is as old as the look, which may take long.
    const at = this.#elapsed();
    try {
      await this.#look();
      this.#lookedAt = at;
      this.#isFailing = false;
    } catch (error) {
      // Said once, not each second.
      if (!this.#isFailing) this.#onError('the catalog could not be read', error);
      this.#isFailing = true;
    }
  }

  #pause(): Promise<void> {
    if (this.#isNotified) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#wake = () => undefined;
        resolve();
      };
      const timer = setTimeout(end, LOOK_MS);
      this.#wake = end;
    });
  }
}
