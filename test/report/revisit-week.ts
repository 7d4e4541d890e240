import { revisit, SchedulingFactor, type Seen } from '../../src/daemon/crawl/revisit.ts';
import { type DuePage, type Lead, NEW_HOST, URGENT } from '../../src/daemon/storage/frontier.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { type Tally, type Web } from './revisit-web.ts';

/**
 * A crawl of a made-up web with a clock that is moved by hand: the frontier, the revisit rule and the scheduling factor are the
 * real ones, only pages and politeness are not there. Each step is a minute; what is due in it is visited, one page of
 * a host after the other. The pages come in over the first day.
 */
export interface CrawlOptions {
  readonly web: Web;
  readonly storage: Pick<Storage, 'frontier' | 'pages'>;
  /** Visits a day that are planned for. */
  readonly perDay: number;
  readonly hasHints: boolean;
  /** Whether the pages that are found are news, and looked at again soon; else they were there before. */
  readonly isNews?: boolean;
  readonly random: () => number;
  readonly onDay?: (day: number) => void;
}

export async function crawl({
  web,
  storage,
  perDay,
  hasHints,
  isNews = false,
  random,
  onDay,
}: CrawlOptions): Promise<Tally> {
  const { frontier } = storage;
  await frontier.putSource({ id: SOURCE, everyMs: undefined, maxPages: Infinity, isPaused: false }, [], 0);
  const tally = web.tally();
  const schedulingFactor = new SchedulingFactor(perDay / 86_400);
  const hints = hasHints ? web.hints : [];
  let told = 0;
  let found = 0;
  for (let minute = 0; minute < web.minutes; minute += 1) {
    const now = minute * MINUTE_MS;
    const leads: Lead[] = [];
    for (; found < web.firstVisits(minute); found += 1) leads.push(leadOf(found, !isNews));
    for (let hint = hints[told]; hint && hint.at <= now; hint = hints[(told += 1)]) {
      if (hint.page < found)
        leads.push({ ...leadOf(hint.page, !isNews), urgency: URGENT.feed, changedAt: hint.changedAt });
    }
    if (leads.length > 0) await frontier.offer([{ sourceId: SOURCE, leads }], now);
    await visitDue(storage, now, schedulingFactor, (due) => visit(due, tally.visit(pageOf(due.url), now, minute), now));
    if (minute % 1_440 === 0) onDay?.(minute / 1_440);
  }
  return tally;

  async function visit(due: DuePage, isMainChange: boolean, at: number): Promise<void> {
    const outcome = isMainChange ? 'changed' : 'unchanged';
    const seen: Seen = { at, outcome, kind: due.kind, isMainChange, matches: 0 };
    const next = revisit(due, seen, schedulingFactor.ms, random);
    if (due.state) schedulingFactor.revisited(next.nextDue - at);
    const made = { pageId: due.id, sourceIds: [SOURCE], at, outcome, ...next, host: NEW_HOST } as const;
    await storage.pages.commit({ ...made, bodyHash: HASH, isNamed: true, isMainChange, events: [], discovered: [] });
  }
}

async function visitDue(
  { frontier }: Pick<Storage, 'frontier'>,
  now: number,
  schedulingFactor: SchedulingFactor,
  visit: (due: DuePage) => Promise<void>,
): Promise<void> {
  for (;;) {
    const { pages, pull } = await frontier.take({ now, atMost: 64, leaseMs: MINUTE_MS, except: [] });
    schedulingFactor.steer(now, pull);
    if (pages.length === 0) return;
    await Promise.all(pages.map(visit));
  }
}

function leadOf(page: number, isBaseline: boolean): Lead {
  const host = `h${page % HOSTS}.example`;
  const plain = { depth: 1, kind: 'article', urgency: URGENT.none, isForeign: false, isBaseline } as const;
  return { ...plain, host, hash: page + 1, url: `https://${host}/${page}`, pattern: page };
}

function pageOf(url: string): number {
  return Number(url.slice(url.lastIndexOf('/') + 1));
}

const SOURCE = 'src_week';
const HOSTS = 500;
const HASH = '00'.repeat(16);
const MINUTE_MS = 60_000;
