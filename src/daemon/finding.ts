import type { BegunVisits } from './crawl/begun-visits.ts';
import type { Seen } from './crawl/revisit.ts';
import { faultPoint } from './fault-points.ts';
import type { Case, Judgement, JudgedFailure, JudgedPage, Terms } from './judging/case.ts';
import { broken, said } from './judging/refusals.ts';
import { moved } from './redirects.ts';
import type { AppendedEvent } from './storage/event-log.ts';
import type { DuePage, Holder } from './storage/frontier.ts';
import type { PackedVersion, Pages, Visit } from './storage/pages.ts';
import type { WithheldPage } from '../shared/match/rule-index.ts';
import { siteOf } from '../shared/page/domain.ts';

/**
 * The second half of a page's path: a body that is there, from the web or out of an archive, is judged, and what was
 * found is committed and delivered.
 */
export interface JudgingStages {
  readonly pages: Pages;
  /** The body's bytes are gone after it. Never rejects; a judgement with the reason `aborted` is none. */
  readonly judge: (given: Case, onBegin?: () => void) => Promise<Judgement>;
  /** What is noted of pages that are being read; where nothing is, none is refused. */
  readonly begun?: Pick<BegunVisits, 'refusal' | 'began' | 'ended'>;
  /** How well known a site is: the `dr` of its pages, by the last of their domains. */
  readonly ratings: { of(domain: string): Promise<number | undefined> };
  /** How far the sources go that hold a page. */
  readonly terms: (holders: readonly Holder[]) => readonly Terms[];
  /** Whether the operator gave this very URL as a source. */
  readonly isNamed: (url: string) => boolean;
  /** A tap may be revoked while its page is on the way; its log must not come back to life. */
  readonly tapExists: (tapId: string) => boolean;
  readonly deliver: (events: readonly AppendedEvent[]) => void;
  /** Whether what rules see of a change is kept for a day. */
  readonly keepsChanges?: boolean;
  /** The setting `compat-legacy-match-payload`. */
  readonly hasLegacyPayload?: boolean;
}

/** What a visit came to, before anything of it is durable. */
export interface Finding {
  /** What is recorded. */
  readonly visit: Found;
  /** What else decides when the next visit is. */
  readonly hints: Pick<Seen, 'restMs' | 'maxAgeMs' | 'publishedAt' | 'until' | 'dr'>;
  readonly notes: Notes;
  /** Milliseconds that threads have spent on the page. */
  readonly readMs?: number;
}

type Found = Omit<Visit, 'pageId' | 'sourceIds' | 'isNamed' | keyof Settled>;

/** What goes into the log. */
export interface Notes {
  /** What our own code threw on this page. */
  readonly fault?: string;
  /** Why what differed did not count, each reason once. */
  readonly ignored?: readonly string[];
  /** Rules whose query fits the page, and which it was kept from. */
  readonly missedBy?: readonly WithheldPage[];
  /** Rules that threw on this page, with what they threw. */
  readonly ruleFailures?: ReadonlyMap<string, string>;
}

/** What others say of a visit: when it was, when the next one is, and what its host can bear. */
export type Settled = Pick<Visit, 'at' | 'nextDue' | 'rate' | 'host' | 'toldAt'>;

/** What a visit came to. */
export interface VisitReport extends Pick<Visit, 'outcome' | 'reason' | 'detail' | 'status'>, Notes {
  /** Events that were written. */
  readonly events: number;
  /** Why they were not, where there were some. */
  readonly withheld?: 'duplicate' | 'alias';
}

/** What a body is. Undefined when the judging was called off, and nothing is to be recorded. */
export async function judged(
  due: DuePage,
  fetched: Case['fetched'],
  at: number,
  stages: JudgingStages,
): Promise<Finding | undefined> {
  let given: Case;
  try {
    given = await gather(due, fetched, at, stages);
  } catch (fault) {
    // A storage that is gone fails the commit too, and that is thrown.
    return refusedAs(broken(said(fault)), {});
  }
  const judgement = await stages.judge(given, () => stages.begun?.began(due.url));
  stages.begun?.ended(due.url);
  const hints = given.dr === undefined ? {} : { dr: given.dr };
  if (judgement.outcome !== 'failed') return readAs(judgement, due, given, hints);
  return judgement.reason === 'aborted' ? undefined : refusedAs(judgement, hints);
}

function readAs(
  { ignored, missedBy, ruleFailures, restMs, publishedAt, spentMs, ...visit }: JudgedPage,
  due: DuePage,
  given: Case,
  hints: Finding['hints'],
): Finding {
  const { discovered, sameAs } = moved(due, given);
  const led = { discovered: [...visit.discovered, ...discovered], ...(sameAs && { sameAs }) };
  return {
    visit: { ...visit, ...led, bodyHash: given.fetched.hash },
    hints: { ...hints, ...(restMs !== undefined && { restMs }), ...(publishedAt !== undefined && { publishedAt }) },
    notes: { ruleFailures, ...(ignored && { ignored }), ...(missedBy && { missedBy }) },
    ...(spentMs !== undefined && { readMs: spentMs }),
  };
}

function refusedAs({ fault, spentMs, ...refusal }: JudgedFailure, hints: Finding['hints']): Finding {
  return {
    visit: { ...nothing(refusal.outcome), ...refusal },
    hints,
    notes: fault === undefined ? {} : { fault },
    ...(spentMs !== undefined && { readMs: spentMs }),
  };
}

/** A visit that found nothing to keep or tell. */
export function nothing(outcome: 'unchanged' | 'failed'): Found {
  return { outcome, isMainChange: false, events: [], discovered: [] };
}

export function failure(reason: string, detail: string, hints: Finding['hints'] = {}): Finding {
  return { visit: { ...nothing('failed'), reason, detail }, hints, notes: {} };
}

/** What decides when the page is visited next. */
export function seenOf(due: DuePage, { visit, hints }: Finding, at: number): Seen {
  const { outcome, reason, status, kind = due.kind, isMainChange, events } = visit;
  return {
    at,
    outcome,
    kind,
    isMainChange,
    matches: events.length,
    ...(reason !== undefined && { reason }),
    ...(status !== undefined && { status }),
    ...hints,
  };
}

/** All or nothing; what was told is told to those who listen after it is durable. */
export async function commit(
  due: DuePage,
  { visit, notes }: Finding,
  settled: Settled,
  stages: Pick<JudgingStages, 'pages' | 'isNamed' | 'tapExists' | 'deliver'>,
): Promise<VisitReport> {
  const { events, withheld } = await stages.pages.commit({
    pageId: due.id,
    sourceIds: due.holders.map(({ sourceId }) => sourceId),
    isNamed: stages.isNamed(due.url),
    ...visit,
    events: visit.events.filter(({ tapId }) => stages.tapExists(tapId)),
    ...settled,
  });
  faultPoint('visit:committed');
  stages.deliver(events);
  faultPoint('visit:told');
  const { outcome, reason, detail, status } = visit;
  return {
    outcome,
    events: events.length,
    ...(reason !== undefined && { reason }),
    ...(detail !== undefined && { detail }),
    ...(status !== undefined && { status }),
    ...(withheld && { withheld }),
    ...notes,
  };
}

async function gather(due: DuePage, fetched: Case['fetched'], at: number, stages: JudgingStages): Promise<Case> {
  const { url, host, kind, isBaseline, trust, state } = due;
  const [last, furniture, dr] = await Promise.all([
    stages.pages.version(due.id),
    stages.pages.furniture(host),
    stages.ratings.of(siteOf(fetched.url) ?? ''),
  ]);
  return {
    url,
    host,
    kind,
    isBaseline,
    holders: stages.terms(due.holders),
    isNamed: stages.isNamed(url),
    isFirstVisit: last === undefined,
    doubtedAt: state?.doubtedAt,
    visits: visitsSince(last, due, at),
    trust,
    fetched,
    at,
    last,
    furniture,
    dr,
    keepsChange: stages.keepsChanges === true,
    hasLegacyPayload: stages.hasLegacyPayload === true,
  };
}

/** Visits that found the bytes as they were leave no version: about how many there have been since there was one. */
function visitsSince(last: PackedVersion | undefined, { everyMs, state }: DuePage, at: number): number {
  const apart = everyMs ?? at - (state?.visitedAt ?? at);
  return last && apart > 0 ? Math.max(1, Math.round((at - last.at) / apart)) : 1;
}
