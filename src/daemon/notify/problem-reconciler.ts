import { hash } from 'node:crypto';
import type { ProblemFacts } from './problem-facts.ts';
import type { Outside } from '../outside.ts';
import type { EndedProblem, StandingProblem } from '../storage/deliveries.ts';
import type { FailingPage } from '../storage/frontier.ts';
import type { Storage } from '../storage/storage.ts';
import { DISK_FULL_BYTES, OPEN_PROBLEMS, SINK_DEAD_MS } from '../../shared/limits.ts';

export interface ReconcilerDeps {
  readonly storage: Pick<Storage, 'catalog' | 'deliveries' | 'frontier' | 'losses' | 'watches'>;
  readonly outside: Pick<Outside, 'now'>;
  /** Free bytes of the disk that the data is on. */
  readonly freeBytes: () => Promise<number>;
  /** There are new events. */
  readonly onRecorded: () => void;
}

interface Condition extends Pick<StandingProblem, 'key' | 'after'> {
  readonly facts: () => Promise<ProblemFacts | undefined>;
  readonly since: number;
}

/**
 * Compares what is wrong now with what is known to be, and notes what began and what is over: each once, whatever happens in between,
 * since the comparison is with what is on the disk. A failing source or watch is a problem once for each number of failures that some
 * sink asks for.
 */
export class ProblemReconciler {
  readonly #deps: ReconcilerDeps;

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
  }

  async reconcile(): Promise<void> {
    const { storage, outside, onRecorded } = this.#deps;
    const open = await storage.deliveries.openProblems();
    const thresholds = this.#thresholds();
    if (thresholds.size === 0 && open.length === 0) return;
    const now = outside.now();
    const failing = thresholds.size === 0 ? [] : await storage.frontier.failingPages(OPEN_PROBLEMS);
    const present = new Map<string, Condition>();
    if (thresholds.size > 0) {
      const others = await Promise.all([this.#disk(now), this.#sinks(now)]);
      const failures = failing.flatMap((page) => this.#failing(page, thresholds));
      for (const one of [...failures, ...others.flat(), ...this.#losses(now)]) present.set(nameOf(one), one);
    }
    const known = new Set(open.map(nameOf));
    const begun = await this.#begun([...present.values()].filter((one) => !known.has(nameOf(one))));
    // A list that is full may be without some: of those nothing is known.
    const isWhole = failing.length < OPEN_PROBLEMS;
    const gone = open.filter((one) => !present.has(nameOf(one)) && (isWhole || !isOfPage(one)));
    const over = await Promise.all(gone.map((one) => this.#ended(one, thresholds, now)));
    if (begun.length + over.length === 0) return;
    if ((await storage.deliveries.recordProblems(now, begun, over)) > 0) onRecorded();
  }

  /** Failures in a row after which it is a problem to some sink. */
  #thresholds(): ReadonlySet<number> {
    const { sinks } = this.#deps.storage.catalog.data;
    return new Set(sinks.flatMap(({ problems }) => problems?.after ?? []));
  }

  #failing(page: FailingPage, thresholds: ReadonlySet<number>): Condition[] {
    const { kind, id, at, since = at, failures } = page;
    const reached = [...thresholds].filter((after) => failures >= after);
    return reached.map((after) => ({ key: `${kind} ${id}`, after, since, facts: () => this.#factsOf(page) }));
  }

  async #factsOf({
    kind,
    id,
    url,
    reason,
    status,
    failures,
    since,
    at,
    detail,
  }: FailingPage): Promise<ProblemFacts | undefined> {
    const about = { kind, id, url, failures, since: instant(since ?? at), detail: detail ?? reason };
    const said = { ...about, ...(status !== undefined && { status }) };
    if (kind === 'source') return { ...said, ...wordsOf(url) };
    const watch = await this.#deps.storage.watches.watch(id);
    if (!watch) return undefined;
    const { organizationId, title, tags } = watch;
    return { ...said, ...wordsOf(title ?? url), organization_id: organizationId, ...(tags && { tags }) };
  }

  async #disk(now: number): Promise<Condition[]> {
    const free = await this.#deps.freeBytes();
    if (free >= DISK_FULL_BYTES) return [];
    const mebibytes = (bytes: number): string => `${Math.floor(bytes / 1_024 / 1_024)} MiB`;
    const facts: ProblemFacts = {
      kind: 'disk',
      title: `The disk of the data directory is full: ${mebibytes(free)} are free`,
      over: 'The disk of the data directory has room again',
      detail: `below ${mebibytes(DISK_FULL_BYTES)} nothing can be relied on to be written; free some space`,
      since: instant(now),
    };
    return [{ key: 'disk', after: 0, since: now, facts: async () => facts }];
  }

  async #sinks(now: number): Promise<Condition[]> {
    const { catalog, deliveries } = this.#deps.storage;
    const conditions = await Promise.all(
      catalog.data.sinks.map(async ({ id, name, organizationId, paused }): Promise<Condition[]> => {
        const state = paused ? undefined : await deliveries.sinkState(id);
        const { disabledAt, failingSince, lastError } = state ?? {};
        const isDead = failingSince !== undefined && now - failingSince >= SINK_DEAD_MS;
        const since = disabledAt ?? (isDead ? failingSince : undefined);
        if (since === undefined) return [];
        const how = disabledAt === undefined ? 'has failed for three days' : 'is disabled: its receiver is gone';
        const facts: ProblemFacts = {
          kind: 'sink',
          id,
          organization_id: organizationId,
          title: `The sink ${name} ${how}`,
          over: `The sink ${name} delivers again`,
          ...(lastError && { detail: lastError.detail }),
          since: instant(since),
        };
        return [{ key: `sink ${id}`, after: 0, since, facts: async () => facts }];
      }),
    );
    return conditions.flat();
  }

  /** What this start found lost: it is said once, and is never over. */
  #losses(now: number): Condition[] {
    return this.#deps.storage.losses.map((loss) => {
      const facts: ProblemFacts = {
        kind: 'storage',
        title: `The store was damaged: ${loss}`,
        over: '',
        since: instant(now),
      };
      return { key: `storage ${hash('sha1', loss)}`, after: 0, since: now, facts: async () => facts };
    });
  }

  async #begun(conditions: readonly Condition[]): Promise<StandingProblem[]> {
    const begun = await Promise.all(
      conditions.map(async ({ key, after, since, facts }) => {
        const problem = await facts();
        return problem === undefined ? [] : [{ key, after, since, problem: JSON.stringify(problem) }];
      }),
    );
    return begun.flat();
  }

  /** Without an event where nobody asks for it any more, or where it is not over but its subject is gone. */
  async #ended(
    { key, after, problem }: StandingProblem,
    thresholds: ReadonlySet<number>,
    now: number,
  ): Promise<EndedProblem> {
    const facts = JSON.parse(problem) as ProblemFacts;
    const isAsked = after === 0 ? thresholds.size > 0 : thresholds.has(after);
    if (!isAsked || facts.over === '' || !(await this.#isRead(facts, after))) return { key, after, problem: null };
    return { key, after, problem: JSON.stringify({ ...facts, until: instant(now) }) };
  }

  /** What is not visited any more is not read again. */
  async #isRead({ kind, id = '' }: ProblemFacts, after: number): Promise<boolean> {
    const { catalog, watches } = this.#deps.storage;
    if (kind === 'source') return catalog.data.sources.some((source) => source.id === id && !source.paused);
    if (kind === 'sink') return catalog.data.sinks.some((sink) => sink.id === id && !sink.paused);
    if (kind !== 'watch') return true;
    const watch = await watches.watch(id);
    return watch !== undefined && !watch.isPaused && watch.failures < after;
  }
}

function wordsOf(name: string): Pick<ProblemFacts, 'title' | 'over'> {
  return { title: `${name} cannot be read`, over: `${name} can be read again` };
}

function isOfPage({ key }: StandingProblem): boolean {
  return key.startsWith('source ') || key.startsWith('watch ');
}

function nameOf({ key, after }: Pick<StandingProblem, 'key' | 'after'>): string {
  return `${after} ${key}`;
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
