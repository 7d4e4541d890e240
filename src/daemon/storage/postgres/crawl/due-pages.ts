import type { DuePage, Urgency } from '../../frontier.ts';
import { FLAG, kindOf, urgencyOf, validatorsOf, wholeUrl } from '../../frontier-coding.ts';
import { nextClass } from '../../frontier-rules.ts';
import type { PageState } from '../../frontier.ts';
import type { Transaction } from '../connection/database.ts';
import type { Chosen, FreeHost } from './host-queue.ts';
import { type HolderRow, type HostRow, hostState, type PageRow, type VisitedRow } from './rows.ts';
import { WorkingSet } from './working-set.ts';

/** Pages of a class that are looked at when the first ones are being removed or paused this very moment. */
const LOOKED_AT = 20;

/**
 * The most urgent due page of each of these hosts, which are locked: of each class the first, by an index, so that a host with a
 * million overdue pages costs the same as one with a single page.
 */
export async function mostUrgent(
  transaction: Transaction,
  hosts: readonly FreeHost[],
  now: number,
): Promise<Map<number, Chosen<DuePage>>> {
  const firsts = await transaction.query<{ host: number; urgency: Urgency; key: number }>(FIRSTS, [
    hosts.map(({ key }) => key),
    now,
  ]);
  const byHost = Map.groupBy(firsts, ({ host }) => host);
  const found = hosts.flatMap(({ key, turn }) => {
    const its = byHost.get(key) ?? [];
    const next = nextClass((urgency) => its.some((first) => first.urgency === urgency), turn);
    const page = its.find(({ urgency }) => urgency === next?.urgency);
    return page && next ? [{ host: key, page: page.key, isContest: next.isContest }] : [];
  });
  const set = new WorkingSet();
  await set.loadPages(
    transaction,
    found.map(({ page }) => page),
  );
  await set.lockHosts(
    transaction,
    found.map(({ host }) => host),
  );
  return new Map(
    found.flatMap(({ host, page, isContest }) => {
      const [row, hostRow] = [set.pages.get(page), set.hosts.get(host)];
      return row && hostRow ? [[host, { due: duePage(set, row, hostRow), owner: page, isContest }] as const] : [];
    }),
  );
}

export function duePage(set: WorkingSet, page: PageRow, host: HostRow): DuePage {
  const active = set.holders(page).filter((holder) => !holder.isPaused);
  const visited = set.visited.get(page.key);
  const kind = kindOf(page.kind);
  return {
    id: page.key,
    url: wholeUrl(page.url, host.name),
    host: host.name,
    due: page.due,
    kind,
    urgency: urgencyOf(page.urgency),
    isBaseline: (page.flags & FLAG.baseline) !== 0,
    everyMs: shortest(active),
    holders: active.map(({ id, depth }) => ({ sourceId: id, depth })),
    state: visited && pageState(visited),
    hostState: hostState(host),
    trust: kind === 'sitemap' ? { right: visited?.rights ?? 0, wrong: visited?.wrongs ?? 0 } : undefined,
  };
}

/** Of those that have a fixed interval. */
export function shortest(holders: readonly HolderRow[]): number | undefined {
  const fixed = holders.map((holder) => holder.everyMs).filter((everyMs) => everyMs > 0);
  return fixed.length === 0 ? undefined : Math.min(...fixed);
}

function pageState(row: VisitedRow): PageState {
  const { visitedAt, bodyHash, fullAt, failures, doubtedAt, theta, info, pull } = row;
  return {
    visitedAt,
    bodyHash: bodyHash ?? undefined,
    validators: bodyHash === null ? undefined : validatorsOf(row),
    fullAt,
    failures,
    doubtedAt: doubtedAt ?? undefined,
    rate: { theta, info, pull },
  };
}

const FIRSTS = `SELECT wanted.host, class.urgency, first.key
  FROM unnest($1::bigint[]) AS wanted (host) CROSS JOIN (VALUES (0), (1), (2), (3)) AS class (urgency)
    CROSS JOIN LATERAL (
      SELECT key FROM (
        SELECT key, source, flags, due FROM pages
        WHERE pages.host = wanted.host AND pages.urgency = class.urgency AND due <= $2 ORDER BY due, key LIMIT ${LOOKED_AT}) AS front
      WHERE EXISTS (SELECT 1 FROM sources WHERE key = front.source AND id IS NOT NULL AND NOT is_paused)
        OR (flags & ${FLAG.shared} <> 0 AND EXISTS (SELECT 1 FROM holdings JOIN sources ON sources.key = holdings.source
          WHERE holdings.page = front.key AND sources.id IS NOT NULL AND NOT sources.is_paused))
      ORDER BY due, key LIMIT 1) AS first`;
