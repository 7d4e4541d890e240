import { statfs } from 'node:fs/promises';
import type { Crawler } from '../crawl/crawler.ts';
import { identityOf } from '../discovery/canonical.ts';
import { failingToWire, MOST_NAMED, movedToWire, unhealthyToWire } from '../crawl/crawl-status.ts';
import { type Outside, timestamp } from '../outside.ts';
import type { RuleRegistration } from '../taps/rule-registration.ts';
import type { Storage } from '../storage/storage.ts';
import type { SinkTotals, Status } from '../../shared/api/status.ts';
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
  readonly sinks: () => Promise<SinkTotals>;
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
    ...(await watchesSinksAndNodes(from)),
    match: { taps: taps.length, rules: analysisPool.size, ...(await logUse(from)) },
    stream: { open: hub.open, buffered_bytes: hub.bufferedBytes },
    ...(await machineUse(from)),
    ...(from.problems.kept.length > 0 && { losses: from.problems.kept }),
    ...(refused.length > 0 && { refused_rules: refused }),
    problems: await from.problems.newest(isThere(storage)),
  };
}

async function watchesSinksAndNodes({
  watch,
  sinks,
  storage,
}: Pick<Parameters<typeof readStatus>[0], 'watch' | 'sinks' | 'storage'>): Promise<
  Pick<Status, 'watch' | 'sinks' | 'nodes'>
> {
  return { watch: await watch(), sinks: await sinks(), ...(await nodesToWire(storage)) };
}

async function machineUse({
  dataDir,
  settings,
  storage,
  analysisPool,
}: Pick<Parameters<typeof readStatus>[0], 'dataDir' | 'settings' | 'storage' | 'analysisPool'>): Promise<
  Pick<Status, 'memory_bytes' | 'memory' | 'disk'>
> {
  // Some network file systems do not tell.
  const disk = await statfs(dataDir).catch(() => undefined);
  return {
    memory_bytes: process.memoryUsage.rss(),
    memory: await memoryUse(settings.memory, storage, analysisPool),
    ...(disk && { disk: { free_bytes: disk.bavail * disk.bsize, total_bytes: disk.blocks * disk.bsize } }),
  };
}

async function nodesToWire({ nodes }: Pick<Storage, 'nodes'>): Promise<Pick<Status, 'nodes'>> {
  const known = await nodes.list();
  if (known.length === 0) return {};
  return {
    nodes: known.map(({ name, isLive, isThis, silentMs }) => ({
      name,
      is_live: isLive,
      is_this: isThis,
      silent_ms: silentMs,
    })),
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

/** What a problem is of: it is forgotten when that is gone. */
export type Subject = { readonly kind: 'page'; readonly url: string } | { readonly kind: 'watch'; readonly id: string };

interface NotedProblem {
  readonly at: string;
  readonly message: string;
  readonly count: number;
  readonly subject: Subject | undefined;
}

/**
 * Recent problems for `hydrant status`: of a page or watch the newest alone, of others each message once, with how often
 * there was one.
 */
export class RecentProblems {
  readonly #outside: Outside;
  /** The newest last. */
  readonly #problems = new Map<string, NotedProblem>();
  readonly #standing: { at: string; message: string }[] = [];

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /** Newest first, ten at most; then the losses of the last end, all of them. */
  async newest(isThere: (subject: Subject) => Promise<boolean>): Promise<Status['problems']> {
    const shown = [];
    for (const [key, { at, message, count, subject }] of [...this.#problems].toReversed()) {
      if (shown.length >= SHOWN - this.#standing.length) break;
      if (subject !== undefined && !(await isThere(subject))) this.#problems.delete(key);
      else shown.push({ at, message, ...(count > 1 && { count }) });
    }
    return [...shown, ...this.#standing];
  }

  /** What was kept, oldest first. */
  get kept(): readonly string[] {
    return this.#standing.map(({ message }) => message);
  }

  /** As long as the daemon runs: a loss that ten failed visits must not hide. */
  keep(message: string): void {
    this.#standing.push({ at: timestamp(this.#outside.now()), message });
  }

  note(message: string, subject?: Subject): void {
    const key = keyOf(message, subject);
    const count = (this.#problems.get(key)?.count ?? 0) + 1;
    this.#problems.delete(key);
    this.#problems.set(key, { at: timestamp(this.#outside.now()), message, count, subject });
    const [oldest] = this.#problems.keys();
    if (this.#problems.size > REMEMBERED && oldest !== undefined) this.#problems.delete(oldest);
  }
}

function keyOf(message: string, subject: Subject | undefined): string {
  if (subject === undefined) return message;
  return `${subject.kind} ${subject.kind === 'page' ? subject.url : subject.id}`;
}

const SHOWN = 10;
/** More than are shown, since some may be of what is gone. */
const REMEMBERED = 50;

/** Whether what a problem is of is still visited. */
function isThere({ frontier, watches }: Storage): (subject: Subject) => Promise<boolean> {
  return async (subject) =>
    subject.kind === 'page'
      ? (await frontier.look(identityOf(subject.url))) !== undefined
      : (await watches.watch(subject.id)) !== undefined;
}

/** A host whose robots.txt cannot be had: none of its pages can, unless a copy is at hand. */
export function noteRobots(log: Log, problems: RecentProblems): (host: string, detail: string) => void {
  return (host, detail) => {
    problems.note(`robots.txt of ${host} cannot be fetched: ${detail}`);
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
export function noteCheck(
  log: Log,
  problems: RecentProblems,
  { id, url }: { readonly id: string; readonly url: string },
  report: CheckFinding | undefined,
): void {
  if (report === undefined) return;
  const { outcome, note, reason, detail, notes } = report;
  if (notes?.fault !== undefined) log.error({ err: notes.fault, url }, 'the watched page could not be checked');
  if (outcome === 'failed') {
    problems.note(`watch ${url}: ${detail ?? reason ?? 'failed'}`, { kind: 'watch', id });
    log.debug({ url, reason }, `check failed: ${detail ?? reason ?? 'unknown reason'}`);
  } else {
    log.debug({ url, ...(note && { note }) }, `check: ${outcome}`);
  }
}

function noteFailure(log: Log, problems: RecentProblems, url: string, { reason, detail }: VisitReport): void {
  if (reason === 'robots') {
    problems.note(detail ?? reason);
    log.info({ url, reason }, `not visited: ${detail ?? reason}`);
    return;
  }
  if (reason === 'moved') {
    log.debug({ url, reason }, `not visited: ${detail ?? reason}`);
    return;
  }
  problems.note(`${url}: ${detail ?? reason ?? 'failed'}`, { kind: 'page', url });
  log.warn({ url, reason }, `visit failed: ${detail ?? reason ?? 'unknown reason'}`);
}
