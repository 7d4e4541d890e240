import { timestamp } from '../outside.ts';
import { type HostState, type PageReport, URGENT, type Urgency } from '../storage/frontier.ts';
import { DAY_MS } from './rate.ts';
import { answerToWire } from './source-wire.ts';
import type { UrlHost, UrlPage } from '../../shared/api/crawl.ts';

/** A page of the frontier as the API tells it. */
export function pageToWire({ page, answers, isHostLeased, ahead, sameAs }: PageReport, now: number): UrlPage {
  const { state, everyMs } = page;
  return {
    kind: page.kind,
    due_at: timestamp(page.due),
    urgency: urgencyNames[page.urgency],
    ahead,
    host: hostToWire(page.hostState, isHostLeased, now),
    every_seconds: everyMs === undefined ? null : Math.round(everyMs / 1_000),
    changes_every_seconds: changesEvery({ page, answers }),
    failures: state?.failures ?? 0,
    doubted_since: state?.doubtedAt === undefined ? null : timestamp(state.doubtedAt),
    conditional: state?.validators !== undefined,
    full_at: state?.bodyHash === undefined ? null : timestamp(state.fullAt),
    same_as: sameAs ?? null,
    last_visit_ms: state?.visitedAt ?? null,
    answers: answers.map(answerToWire),
  };
}

function hostToWire(state: HostState, leased: boolean, now: number): UrlHost {
  const isToday = state.day === Math.floor(now / DAY_MS);
  return {
    leased,
    rests_until: state.notBefore > now ? timestamp(state.notBefore) : null,
    backing_off:
      state.backoff === 0
        ? null
        : { since: timestamp(state.backoffAt), times: state.backoff, reason: state.backoffReason ?? 'unknown' },
    failures: state.failures,
    response_ms: state.responseMs === 0 ? null : Math.round(state.responseMs),
    today: { fetches: isToday ? state.fetches : 0, bytes: isToday ? state.bytes : 0 },
  };
}

/** Two looks say something of what is between them; before that the rate is what such pages have on the whole. */
function changesEvery({ page, answers }: Pick<PageReport, 'page' | 'answers'>): number | null {
  const looks = answers.filter(({ outcome }) => outcome !== 'failed').length;
  if (page.state === undefined || looks < 2) return null;
  return Math.round(DAY_MS / 1_000 / Math.exp(page.state.rate.theta));
}

const urgencyNames: Readonly<Record<Urgency, UrlPage['urgency']>> = {
  [URGENT.none]: 'none',
  [URGENT.sitemap]: 'sitemap',
  [URGENT.feed]: 'feed',
  [URGENT.asked]: 'asked',
};
