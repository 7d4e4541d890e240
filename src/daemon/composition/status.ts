import type { Crawler } from '../crawl/crawler.ts';
import { failingToWire, MOST_NAMED, movedToWire, unhealthyToWire } from '../crawl/crawl-status.ts';
import { type Outside, timestamp } from '../outside.ts';
import type { RuleRegistration } from '../taps/rule-registration.ts';
import type { Storage } from '../storage/storage.ts';
import type { RecentProblems } from './visit-log.ts';
import type { Status } from '../../shared/api/status.ts';

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
  readonly analysisPool: { readonly size: number };
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
    match: { taps: taps.length, rules: analysisPool.size, events: await storage.eventLog.count() },
    stream: { open: hub.open, buffered_bytes: hub.bufferedBytes },
    memory_bytes: process.memoryUsage.rss(),
    ...(from.problems.kept.length > 0 && { losses: from.problems.kept }),
    ...(refused.length > 0 && { refused_rules: refused }),
    problems: from.problems.newest,
  };
}
