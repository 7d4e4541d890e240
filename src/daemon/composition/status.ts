import type { Crawler } from '../crawl/crawler.ts';
import { failingToWire, MOST_NAMED, movedToWire, unhealthyToWire } from '../crawl/crawl-status.ts';
import { type Outside, timestamp } from '../outside.ts';
import type { RuleRegistration } from '../taps/rule-registration.ts';
import type { Storage } from '../storage/storage.ts';
import type { Status } from '../../shared/api/status.ts';
import type { AnalysisPool } from '../analysis/analysis-pool.ts';
import type { Log } from '../process/log.ts';
import { memoryUse } from '../process/memory.ts';
import type { DaemonSettings } from '../settings.ts';
import type { VisitReport } from '../pipeline.ts';
import type { CheckFinding } from '../analysis/findings.ts';

/** What `hydrant status` shows: gathered when asked, from those who know. */
export async function readStatus(from: {
  readonly version: string;
  readonly url: string;
  readonly dataDir: string;
  readonly userAgent: string;
  readonly startedAt: number;
  readonly outside: Outside;
  readonly storage: Storage;
  readonly crawler: Pick<Crawler, 'inFlight' | 'figures'>;
  readonly robots: { readonly refused: number };
  readonly problems: RecentProblems;
  readonly hub: { readonly open: number; readonly bufferedBytes: number };
  readonly analysisPool: Pick<AnalysisPool, 'size' | 'heapUse'>;
  readonly settings: Pick<DaemonSettings, 'memory' | 'streamRetention' | 'logBytes'>;
  /** At most `MOST_NAMED` are shown. */
  readonly registration: Pick<RuleRegistration, 'refused'>;
  readonly watch: () => Promise<Status['watch']>;
}): Promise<Status> {
  const { storage, hub, analysisPool } = from;
  const now = from.outside.now();
  const { organizations, sources, taps } = storage.catalog.data;
  const { pages, visits, changes, failures, oldestDue } = await storage.frontier.frontierTotals(now);
  const refused = from.registration.refused
    .slice(0, MOST_NAMED)
    .map(({ rule, tap, why }) => ({ id: rule.id, tap, why }));
  const robots = await storage.robots.robotsTotals();
  const { networkDoubtedSince: doubtedSince } = from.crawler.figures;
  const oldestDueMs = oldestDue === undefined ? null : now - oldestDue;
  return {
    version: from.version,
    pid: process.pid,
    started_at: timestamp(from.startedAt),
    url: from.url,
    data_dir: from.dataDir,
    user_agent: from.userAgent,
    organization: organizations[0]?.name ?? '',
    crawl: {
      sources: sources.length,
      pages,
      visits,
      changes,
      failures,
      in_flight: from.crawler.inFlight,
      oldest_due_ms: oldestDueMs,
      network_doubted_since: doubtedSince === undefined ? null : timestamp(doubtedSince),
      unhealthy: (await storage.frontier.unhealthyHosts(MOST_NAMED)).map(unhealthyToWire),
      failing: (await storage.frontier.failingPages(MOST_NAMED)).map(failingToWire),
      moved: (await storage.frontier.movedPages(MOST_NAMED)).map(movedToWire),
      robots: { hosts: robots.copies, unreachable: robots.unreachable, refused: from.robots.refused },
    },
    watch: await from.watch(),
    match: { taps: taps.length, rules: analysisPool.size, ...(await logUse(from)) },
    stream: { open: hub.open, buffered_bytes: hub.bufferedBytes },
    memory_bytes: process.memoryUsage.rss(),
    memory: await memoryUse(from.settings.memory, storage, analysisPool),
    ...(from.problems.kept.length > 0 && { losses: from.problems.kept }),
    ...(refused.length > 0 && { refused_rules: refused }),
    problems: from.problems.newest,
  };
}

async function logUse({
  storage,
  settings: { streamRetention, logBytes },
}: Pick<Parameters<typeof readStatus>[0], 'storage' | 'settings'>): Promise<Pick<Status['match'], 'events' | 'log'>> {
  const { bytes, droppedUpTo } = await storage.eventLog.extent();
  const log = {
    bytes,
    most_bytes: logBytes,
    retention_seconds: streamRetention,
    kept_from: droppedUpTo === 0 ? null : timestamp(droppedUpTo + 1),
  };
  return { events: await storage.eventLog.count(), log };
}

/** Recent problems for `hydrant status`, newest first, ten at most; then the losses of the last end, all of them. */
export class RecentProblems {
  readonly #outside: Outside;
  readonly #problems: { at: string; message: string }[] = [];
  readonly #standing: { at: string; message: string }[] = [];

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  get newest(): readonly { readonly at: string; readonly message: string }[] {
    return [...this.#problems.slice(0, Math.max(0, SHOWN - this.#standing.length)), ...this.#standing];
  }

  /** What was kept, oldest first. */
  get kept(): readonly string[] {
    return this.#standing.map(({ message }) => message);
  }

  /** As long as the daemon runs: a loss that ten failed visits must not hide. */
  keep(message: string): void {
    this.#standing.push({ at: timestamp(this.#outside.now()), message });
  }

  /** A problem that a thousand pages have in common is one, as of now. */
  noteShared(message: string): void {
    const before = this.#problems.findIndex((problem) => problem.message === message);
    if (before !== -1) this.#problems.splice(before, 1);
    this.note(message);
  }

  note(message: string): void {
    this.#problems.unshift({ at: timestamp(this.#outside.now()), message });
    this.#problems.length = Math.min(this.#problems.length, SHOWN);
  }
}

const SHOWN = 10;

/** A host whose robots.txt cannot be had: none of its pages can, unless a copy is at hand. */
export function noteRobots(log: Log, problems: RecentProblems): (host: string, detail: string) => void {
  return (host, detail) => {
    problems.noteShared(`robots.txt of ${host} cannot be fetched: ${detail}`);
    log.warn({ host }, `robots.txt cannot be fetched: ${detail}`);
  };
}

/** Pages that a clock that was ahead had scheduled too late. */
export function noteForward(log: Log, problems: RecentProblems, pages: number): void {
  if (pages === 0) return;
  const message = `the clock was ahead and had scheduled ${pages} pages too late: they are due now`;
  problems.note(message);
  log.warn({ pages }, message);
}

/** One line a visit: changes at info, failures at warn, the rest at debug. A rule that threw is our bug: error. */
export function noteVisit(log: Log, problems: RecentProblems, url: string, report: VisitReport | undefined): void {
  if (report === undefined) return;
  const { outcome, withheld, detail } = report;
  const { ruleFailures, fault, ignored } = report.notes ?? {};
  if (fault !== undefined) log.error({ err: fault, url }, 'the page could not be analyzed');
  for (const [rule, error] of ruleFailures ?? []) log.error({ err: error, rule, url }, 'a rule could not be evaluated');
  if (outcome === 'failed') {
    noteFailure(log, problems, url, report);
  } else if (outcome === 'changed') {
    log.info(
      { url, events: report.events.length, ...(withheld && { withheld }), ...(detail && { detail }) },
      'page changed',
    );
  } else {
    log.debug({ url, ...(ignored && { ignored }) }, 'page unchanged');
  }
}

/** One line a check, at debug: ten thousand watches have thirty of them a second. */
export function noteCheck(log: Log, problems: RecentProblems, url: string, report: CheckFinding | undefined): void {
  if (report === undefined) return;
  const { outcome, note, reason, detail, notes } = report;
  if (notes?.fault !== undefined) log.error({ err: notes.fault, url }, 'the watched page could not be checked');
  if (outcome === 'failed') {
    problems.noteShared(`watch ${url}: ${detail ?? reason ?? 'failed'}`);
    log.debug({ url, reason }, `check failed: ${detail ?? reason ?? 'unknown reason'}`);
  } else {
    log.debug({ url, ...(note && { note }) }, `check: ${outcome}`);
  }
}

function noteFailure(log: Log, problems: RecentProblems, url: string, { reason, detail }: VisitReport): void {
  if (reason === 'robots') {
    problems.noteShared(detail ?? reason);
    log.info({ url, reason }, `not visited: ${detail ?? reason}`);
    return;
  }
  if (reason === 'moved') {
    log.debug({ url, reason }, `not visited: ${detail ?? reason}`);
    return;
  }
  problems.note(`${url}: ${detail ?? reason ?? 'failed'}`);
  log.warn({ url, reason }, `visit failed: ${detail ?? reason ?? 'unknown reason'}`);
}
