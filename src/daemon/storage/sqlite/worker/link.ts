import { Worker } from 'node:worker_threads';
import type { EventLog } from '../../event-log.ts';
import type { Frontier } from '../../frontier.ts';
import type { Ledger } from '../../ledger.ts';
import type { PackedVersion, Pages, Visit } from '../../pages.ts';
import type { Ratings } from '../../ratings.ts';
import type { RecentChanges } from '../../recent-changes.ts';
import type { RobotsCopies, RobotsCopy } from '../../robots-copies.ts';
import { StartFailure } from '../../../start-failure.ts';
import type { RuleCounters } from '../../rule-counters.ts';
import type { SavedMatches } from '../../saved-matches.ts';
import type { Watches } from '../../watches.ts';
import { ledgerOver } from './ledger-link.ts';
import type { Operations } from './operations.ts';
import { ratingsOver, recentChangesOver, ruleCountersOver, savedMatchesOver } from './record-links.ts';
import type { Answer, Call, Flaw, Reply, Request, ThreadOptions } from './protocol.ts';
import { watchesOver } from './watch-link.ts';

/** Beside this file, in the form this file is in: `.ts` when run from the sources, `.js` when built. */
const entry = new URL(`./thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** What a call makes is garbage when it is answered: a larger young generation holds more of it, and saves nothing. */
const LIMITS = { maxYoungGenerationSizeMb: 12 };

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * This side of the storage thread: ports whose calls are messages. If the thread dies – it should not, so what
 * it left behind is not guessed at – all that waits is rejected, and so is all that comes; `onFatal` is told, so that
 * the daemon can stop and begin again from what is on the disk.
 */
export class StorageLink {
  readonly eventLog: EventLog;
  readonly frontier: Frontier;
  readonly ledger: Ledger;
  readonly pages: Pages;
  readonly ratings: Ratings;
  readonly recentChanges: RecentChanges;
  readonly robots: RobotsCopies;
  readonly ruleCounters: RuleCounters;
  readonly savedMatches: SavedMatches;
  readonly watches: Watches;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  #calls: Call[] = [];
  /** What those calls hand over, and nobody else has. */
  #own: ArrayBuffer[] = [];
  #nextId = 1;
  #refusal: Error | undefined;

  /** Resolved once the database is open. Throws StartFailure when it cannot be used. */
  static async open(options: ThreadOptions, onFatal: (error: Error) => void, file = entry): Promise<StorageLink> {
    const worker = new Worker(file, { workerData: options, resourceLimits: LIMITS });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    worker.once('message', (reply: Reply) => {
      if (reply.kind === 'refused') reject(new StartFailure(reply.failure, reply.message));
      else resolve();
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the storage thread ended before it was open')));
    await promise;
    return new StorageLink(worker, onFatal);
  }

  private constructor(worker: Worker, onFatal: (error: Error) => void) {
    this.#worker = worker;
    this.#exited = new Promise((resolve) => {
      worker.once('exit', () => resolve());
    });
    const end = (cause: unknown): void => {
      if (this.#refusal) return;
      const error = new Error('the storage thread has died', { cause });
      this.#refuse(error);
      onFatal(error);
    };
    worker.on('error', end);
    worker.on('exit', (code) => end(new Error(`it ended with code ${code}`)));
    worker.on('message', (reply: Reply) => this.#hear(reply));
    this.eventLog = {
      bounds: (tapId) => this.#call('bounds', [tapId]),
      read: (tapId, from, atMost) => this.#call('read', [tapId, from, atMost]),
      firstAt: (tapId, at) => this.#call('firstAt', [tapId, at]),
      trim: (before, mostBytes) => this.#call('trim', [before, mostBytes]),
      repairTimes: (now) => this.#call('repairTimes', [now]),
      drop: (tapId) => this.#call('drop', [tapId]),
      retain: (tapIds) => this.#call('retain', [tapIds]),
      count: () => this.#call('count', []),
    };
    this.frontier = {
      putSource: (source, seeds, at) => this.#call('putSource', [source, seeds, at]),
      removeSource: (sourceId) => this.#call('removeSource', [sourceId]),
      sources: () => this.#call('sources', []),
      take: (question) => this.#call('take', [question]),
      release: (pageId, host) => this.#call('release', [pageId, host]),
      offer: (found, at) => this.#call('offer', [found, at]),
      hasten: (identity, at) => this.#call('hasten', [identity, at]),
      look: (identity) => this.#call('look', [identity]),
      bringForward: (now) => this.#call('bringForward', [now]),
      tidy: (now) => this.#call('tidy', [now]),
      frontierTotals: (now) => this.#call('frontierTotals', [now]),
      unhealthyHosts: (atMost) => this.#call('unhealthyHosts', [atMost]),
      failingPages: (atMost) => this.#call('failingPages', [atMost]),
    };
    this.ledger = ledgerOver((name, args) => this.#call(name, args));
    this.recentChanges = recentChangesOver((name, args) => this.#call(name, args));
    this.ruleCounters = ruleCountersOver((name, args) => this.#call(name, args));
    this.savedMatches = savedMatchesOver((name, args) => this.#call(name, args));
    this.watches = watchesOver(
      (name, args) => this.#call(name, args),
      (bytes) => copied(bytes, this.#own),
    );
    this.pages = {
      version: (pageId) => this.#call('version', [pageId]),
      furniture: (host) => this.#call('furniture', [host]),
      commit: (visit) => this.#call('commit', [detached(visit, this.#own)]),
    };
    this.ratings = ratingsOver((name, args) => this.#call(name, args));
    this.robots = {
      robotsCopy: (origin) => this.#call('robotsCopy', [origin]),
      saveRobotsCopy: (copy) => this.#call('saveRobotsCopy', [alone(copy)]),
      robotsTotals: () => this.#call('robotsTotals', []),
      answeredLast: (atMost) => this.#call('answeredLast', [atMost]),
    };
  }

  /** The thread commits what waits, answers it, puts the file in order and ends. */
  async close(): Promise<void> {
    if (!this.#refusal) {
      this.#refusal = new Error('the storage is closed');
      this.#sendCalls();
      this.#send('close');
    }
    await this.#exited;
    this.#refuse(this.#refusal);
  }

  async #call<Name extends keyof Operations>(
    name: Name,
    args: Parameters<Operations[Name]>,
  ): Promise<ReturnType<Operations[Name]>> {
    if (this.#refusal) throw this.#refusal;
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<Operations[Name]>>();
    this.#waiting.set(id, { resolve, reject });
    // After whatever else this turn of the event loop asks.
    if (this.#calls.length === 0) process.nextTick(() => this.#sendCalls());
    this.#calls.push({ id, name, args });
    return promise;
  }

  #sendCalls(): void {
    const [calls, own] = [this.#calls, this.#own];
    this.#calls = [];
    this.#own = [];
    if (calls.length === 0) return;
    try {
      this.#send(calls, own);
    } catch {
      // One of them cannot be copied to another thread, and nothing was asked.
      for (const call of calls) this.#sendAlone(call);
    }
  }

  #sendAlone(call: Call): void {
    try {
      this.#send([call]);
    } catch (error) {
      this.#waiting.get(call.id)?.reject(error as Error);
      this.#waiting.delete(call.id);
    }
  }

  #send(request: Request, own: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, own);
  }

  #hear(reply: Reply): void {
    if (reply.kind === 'answers') for (const answer of reply.answers) this.#settle(answer);
  }

  #settle(given: Answer): void {
    const waiting = this.#waiting.get(given.id);
    this.#waiting.delete(given.id);
    if ('error' in given) waiting?.reject(restored(given.error));
    else waiting?.resolve(given.answer as never);
  }

  #refuse(error: Error): void {
    this.#refusal = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** With bytes of its own, to be handed over: those of the caller may change before the message is made. */
function detached(visit: Visit, own: ArrayBuffer[]): Visit {
  const { version, furniture, recent } = visit;
  return {
    ...visit,
    ...(version && { version: detachedVersion(version, own) }),
    ...(furniture && { furniture: copied(furniture, own) }),
    ...(recent && { recent: copied(recent, own) }),
  };
}

function detachedVersion(version: PackedVersion, own: ArrayBuffer[]): PackedVersion {
  return { ...version, page: copied(version.page, own), body: copied(version.body, own) };
}

function copied(bytes: Uint8Array, own: ArrayBuffer[]): Uint8Array {
  const copy = new Uint8Array(bytes);
  own.push(copy.buffer);
  return copy;
}

function alone(copy: RobotsCopy): RobotsCopy {
  return copy.file ? { ...copy, file: new Uint8Array(copy.file) } : copy;
}

function restored({ message, code }: Flaw): Error {
  return Object.assign(new Error(message), code !== undefined && { code });
}
