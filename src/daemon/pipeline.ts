import { type HostDoor, type HostReply, isFullTurn, requestOfHost } from './crawl/host-request.ts';
import type { Asked } from './crawl/host-word.ts';
import type { Next, Seen } from './crawl/revisit.ts';
import { kindOf } from './discovery/kinds.ts';
import { bringsSitemaps, robotsSitemaps } from './discovery/robots-sitemaps.ts';
import { withoutSessions } from './discovery/canonical.ts';
import { faultPoint } from './fault-points.ts';
import type { Fetched, FetchedBody, FetchFailure, NotModified, PageRequest } from './fetch/fetched.ts';
import {
  commit,
  failure,
  type Finding,
  judged,
  type JudgingStages,
  nothing,
  seenOf,
  type VisitReport,
} from './finding.ts';
import { followable, movedElsewhere } from './redirects.ts';
import type { Refused, Robots } from './robots/robots.ts';
import type { Form, SessionForms } from './session-forms.ts';
import type { Discovered, DuePage, Frontier, HostState } from './storage/frontier.ts';

/**
 * The path of a page, from the web to everyone who asked for it. One direction:
 *
 *     robots ─► fetch ─► judge (extract ─► diff ─► label ─► match ─► discover) ─► store ─► deliver
 *
 * Robots, fetch, store and deliver touch the world. The judge does not: it is a function of the bytes, what is known of
 * the page and the clock, and sits in another thread (`judging/`). Most visits do not come that far: the server says that
 * nothing has changed, or the bytes are the same.
 *
 * A visit is one commit: version, events, discovered URLs, the next due time and what the host can bear become durable
 * together, or not at all. A crash in between repeats the visit; it neither loses an event nor doubles one. Deliver comes
 * after the commit, never before: an event that someone has seen is an event that survives.
 */
export interface Stages extends JudgingStages, HostDoor {
  readonly robots: Pick<Robots, 'ask' | 'mayFollow' | 'sitemaps'>;
  readonly frontier: Pick<Frontier, 'offer' | 'release'>;
  /** Whether addresses are asked for with the session that is written in them. */
  readonly sessions: Pick<SessionForms, 'formOf' | 'settles' | 'refused'>;
  /** When the page is visited next (`crawl/revisit.ts`). */
  readonly next: (due: DuePage, seen: Seen) => Next;
  /** Keeps what was fetched (an archive). Resolved when there is room for more; never rejects. */
  readonly keep?: (fetched: FetchedBody, at: number) => Promise<void>;
}

/** What a page's turn came to for its host, and for the page. */
export interface Turn {
  /** What was asked of the host; undefined where nothing was, or it was called off. */
  readonly asked: Asked | undefined;
  /** Undefined where nothing was recorded: the page is as due as it was. */
  readonly report: VisitReport | undefined;
}

/**
 * One request at most. A host is first asked for its robots.txt; the page stays due, and has the next turn. What that
 * refuses, or where it cannot be had, is a failed visit without a request, and comes round again when the file has to be
 * fetched anew.
 */
export async function turn(due: DuePage, stages: Stages, signal: AbortSignal): Promise<Turn> {
  faultPoint('visit:taken');
  const refusal = stages.begun?.refusal(due.url);
  if (refusal)
    return { asked: undefined, report: await refuse(due, { reason: 'crash', ...refusal }, due.hostState, stages) };
  const form = stages.sessions.formOf(due);
  const reply = await requestOfHost({ ...due, url: form.url }, () => requestFor(due, form, stages), stages, signal);
  switch (reply.kind) {
    case 'called_off':
      return callOff(due, reply.host, stages);
    case 'refused':
      if (stages.sessions.refused(due, form)) return callOff(due, due.hostState, stages);
      return { asked: undefined, report: await refuse(due, reply.refusal, due.hostState, stages) };
    case 'robots':
      return meet(due, reply, stages);
    case 'fetched':
      return visit(due, form, reply, stages);
  }
}

/** The lease of the host ends, and nothing else happens. */
async function callOff(due: DuePage, host: HostState, { frontier }: Stages): Promise<Turn> {
  await frontier.release(due.id, host);
  return { asked: undefined, report: undefined };
}

type Refusal = Pick<Refused, 'detail' | 'until'> & { readonly reason: string };

async function refuse(due: DuePage, refusal: Refusal, host: HostState, stages: Stages): Promise<VisitReport> {
  const { reason, detail, until } = refusal;
  return record(due, failure(reason, detail, { until }), host, stages);
}

/** The host was asked for its robots.txt, which says where its sitemaps are. */
async function meet(
  due: DuePage,
  { met, asked, host }: Extract<HostReply, { kind: 'robots' }>,
  stages: Stages,
): Promise<Turn> {
  const found = robotsSitemaps(met.sitemaps, stages.terms(due.holders), due.isBaseline);
  if (found.length > 0) await stages.frontier.offer(found, asked.at);
  if (met.refusal) return { asked, report: await refuse(due, met.refusal, host, stages) };
  await stages.frontier.release(due.id, host);
  return { asked, report: undefined };
}

async function visit(
  due: DuePage,
  form: Form,
  { fetched, asked, host }: Extract<HostReply, { kind: 'fetched' }>,
  stages: Stages,
): Promise<Turn> {
  faultPoint('visit:fetched');
  const finding = await findingOf(due, asReported(fetched, form), asked.at, stages);
  faultPoint('visit:judged');
  // A trial is over with its next turn, which comes before that of any other page.
  if (finding === undefined || !stages.sessions.settles(due, form, finding)) {
    return { ...(await callOff(due, host, stages)), asked: finding && asked };
  }
  const answeredBy = fetched.outcome === 'failed' ? due.url : fetched.url;
  const { readMs } = finding;
  const rested = readMs === undefined ? host : stages.host(due, { ...asked, readMs });
  return { asked, report: await record(due, finding, rested, stages, { at: asked.at, answeredBy }) };
}

/**
 * Sitemaps of a robots.txt that was fetched for somebody else: another source, a watch, a redirect to this host. Each copy
 * is looked through once for each source, at the first visit since it was read that one of its own pages makes.
 */
async function namedSitemaps(due: DuePage, answeredBy: string, stages: Stages): Promise<Discovered[]> {
  const holders = stages.terms(due.holders).filter((terms) => bringsSitemaps(due, terms));
  if (holders.length === 0) return [];
  const found: Discovered[] = [];
  for (const origin of new Set([due.url, answeredBy].map((url) => new URL(url).origin))) {
    const named = await stages.robots.sitemaps(origin);
    if (named && isNewTo(due, named.readAt)) found.push(...robotsSitemaps(named.sitemaps, holders, due.isBaseline));
  }
  return found;
}

/** Also a page that a source has come to hold since its last visit: its body is to be read again. */
function isNewTo({ state }: DuePage, readAt: number): boolean {
  return state?.bodyHash === undefined || state.visitedAt < readAt;
}

function withDiscovered(finding: Finding, found: readonly Discovered[]): Finding {
  if (found.length === 0) return finding;
  return { ...finding, visit: { ...finding.visit, discovered: [...found, ...finding.visit.discovered] } };
}

/** Also where a server answers the clean address by a redirect to one with a session. */
function asReported(fetched: Fetched, { isReportedClean }: Form): Fetched {
  if (!isReportedClean || fetched.outcome === 'failed') return fetched;
  return { ...fetched, url: withoutSessions(fetched.url) };
}

function requestFor(due: DuePage, { url, step }: Form, { robots, terms, isNamed, keep, outside }: Stages): PageRequest {
  return {
    url,
    // The operator's own is not known as one before it was read.
    isSitemap: due.kind === 'sitemap' || kindOf(new URL(due.url)) === 'sitemap',
    validators: step !== 'settled' || isFullTurn(due.state?.fullAt, outside.now()) ? undefined : due.state?.validators,
    mayFollow: followable(due, { holders: terms(due.holders), isNamed: isNamed(due.url) }, robots.mayFollow),
    withExchange: keep !== undefined,
  };
}

/** Undefined when the judging was called off. */
async function findingOf(due: DuePage, fetched: Fetched, at: number, stages: Stages): Promise<Finding | undefined> {
  if (fetched.outcome === 'failed') return unfetched(due, fetched, at, stages);
  if (fetched.outcome === 'not_modified') return answered(fetched, { visit: nothing('unchanged') });
  await stages.keep?.(fetched, at);
  const kept = { bodyHash: fetched.hash, isFull: true };
  if (fetched.hash === due.state?.bodyHash) return answered(fetched, { visit: { ...nothing('unchanged'), ...kept } });
  const finding = await judged(due, fetched, at, stages);
  if (finding?.visit.outcome === 'failed') {
    // Its validators are not kept: told that nothing has changed, nobody would look again.
    return { ...finding, visit: { ...finding.visit, status: fetched.status } };
  }
  return finding && answered(fetched, { ...finding, visit: { ...finding.visit, ...kept } });
}

function unfetched(due: DuePage, fetched: FetchFailure, at: number, { terms }: Stages): Finding {
  const { reason, detail, answer, leadsTo } = fetched;
  // Where a redirect was followed to another host, its word is kept by the page: it is not that host's turn that was had.
  const isOthers = answer?.retryAfterMs !== undefined && answer.host !== due.host;
  const finding = failure(reason, detail, isOthers ? { until: at + answer.retryAfterMs } : {});
  const led = leadsTo === undefined ? {} : movedElsewhere(due, terms(due.holders), leadsTo);
  return { ...finding, visit: { ...finding.visit, ...led, ...(answer && { status: answer.status }) } };
}

/** With what the server said of its answer. */
function answered(
  { answer, validators }: FetchedBody | NotModified,
  finding: Partial<Finding> & Pick<Finding, 'visit'>,
): Finding {
  const { status, maxAgeMs } = answer;
  return {
    visit: { ...finding.visit, status, ...(validators && { validators }) },
    hints: { ...finding.hints, ...(maxAgeMs !== undefined && { maxAgeMs }) },
    notes: finding.notes ?? {},
    ...(finding.readMs !== undefined && { readMs: finding.readMs }),
  };
}

/** `answeredBy`: where the answer came from, after redirects. */
async function record(
  due: DuePage,
  finding: Finding,
  host: HostState,
  stages: Stages,
  { at, answeredBy } = { at: stages.outside.now(), answeredBy: due.url },
): Promise<VisitReport> {
  const whole = withDiscovered(finding, await namedSitemaps(due, answeredBy, stages));
  return commit(due, whole, { at, host, ...stages.next(due, seenOf(due, whole, at)) }, stages);
}
