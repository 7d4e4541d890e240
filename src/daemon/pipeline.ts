import { type Asked, type HostAccess, type HostReply, isFullTurn, requestOfHost } from './crawl/host-request.ts';
import type { BegunVisits } from './crawl/begun-visits.ts';
import { isReadAlike, type OwnPage, wayKey, wayOf } from './crawl/own-page.ts';
import { followable, moved, movedElsewhere, newAddress } from './crawl/redirects.ts';
import type { Next, Seen } from './crawl/revisit.ts';
import type { Form, SessionForms } from './crawl/session-forms.ts';
import { withoutSessions } from './discovery/canonical.ts';
import { kindOf } from './discovery/discover.ts';
import { bringsSitemaps, robotsSitemaps } from './discovery/robots-sitemaps.ts';
import type { Terms } from './discovery/scope.ts';
import { faultPoint } from './fault-points.ts';
import type { Fetched, FetchedBody, FetchFailure, PageRequest } from './fetch/fetched.ts';
import { failed, faultText, internalFailure, type PageFinding, type PageInput } from './analysis/findings.ts';
import { renderRequest } from './requests/rendering.ts';
import { isSignedOut, type SignIn, type SignInFailure, type SignIns } from './requests/sign-ins.ts';
import type { Robots } from './robots/robots.ts';
import type { AppendedEvent } from './storage/event-log.ts';
import type { Discovered, DuePage, Frontier, Holder, HostState } from './storage/frontier.ts';
import type { Committed, PackedVersion, Pages } from './storage/pages.ts';
import { siteOf } from '../shared/page/domain.ts';

/**
 * The path of a page, from the web to everyone who asked for it. One direction, and one record that grows on its way:
 *
 *     due ─► robots, fetch ─► analyze (extract ─► diff ─► label ─► match ─► discover) ─► commit ─► deliver
 *     DuePage    + Fetched       + PageFinding                                             + Committed
 *
 * Robots, fetch, commit and deliver touch the world. The analysis does not: it is a function of the bytes, what is known of
 * the page and the clock, and runs in another thread (`analysis/`). Most visits do not come that far: the server says that
 * nothing has changed, or the bytes are the same.
 *
 * A visit is one commit: version, events, discovered URLs, the next due time and what the host can bear become durable
 * together, or not at all. A crash in between repeats the visit; it neither loses an event nor doubles one. Delivery comes
 * after the commit, never before: an event that someone has seen is an event that survives.
 */
export interface Stages extends AnalysisStages, HostAccess {
  readonly robots: Pick<Robots, 'ask' | 'mayFollow' | 'mayLoad' | 'sitemaps'>;
  readonly frontier: Pick<Frontier, 'offer' | 'release'>;
  /** Whether URLs are requested with the session id that is written in them. */
  readonly sessions: Pick<SessionForms, 'formOf' | 'settles' | 'refused'>;
  /** Keeps what was fetched (an archive). Resolved when there is room for more; never rejects. */
  readonly keep?: (fetched: FetchedBody, at: number) => Promise<void>;
  /** How the page is read, where its operator has said so. */
  readonly ownPage: (due: DuePage) => OwnPage | undefined;
  readonly signIns: Pick<SignIns, 'of'>;
}

/** What the second half of the path needs, which the pages of archives take, too (`ingest.ts`). */
export interface AnalysisStages {
  readonly pages: Pages;
  /** The body's bytes are gone after it. Never rejects; a finding with the reason `aborted` was called off. */
  readonly analyze: (given: PageInput, onBegin?: () => void) => Promise<PageFinding>;
  /** Records which pages are being read. Without it, no page is refused. */
  readonly begun?: Pick<BegunVisits, 'refusal' | 'began' | 'ended'>;
  /** How well known a site is: the `dr` of its pages, by the last of their domains. */
  readonly ratings: { of(domain: string): Promise<number | undefined> };
  /** How far the sources go that hold a page. */
  readonly terms: (holders: readonly Holder[]) => readonly Terms[];
  /** Whether the operator gave this very URL as a source. */
  readonly isNamed: (url: string) => boolean;
  /** When the page is visited next (`crawl/revisit.ts`). */
  readonly next: (due: DuePage, seen: Seen) => Next;
  /** A tap may be revoked while its page is on the way; its log must not come back to life. */
  readonly tapExists: (tapId: string) => boolean;
  readonly deliver: (events: readonly AppendedEvent[]) => void;
  /** Whether what rules see of a change is kept for a day. */
  readonly keepsChanges?: boolean;
  /** The setting `compat-legacy-match-payload`. */
  readonly hasLegacyPayload?: boolean;
}

/** The end of the path: what was found, with the events as they were written to the log. */
export type VisitReport = Omit<PageFinding, 'events'> & Committed;

export interface VisitEnd {
  /** What was asked of the host; undefined where nothing was, or it was called off. */
  readonly asked: Asked | undefined;
  /** Undefined where nothing was recorded: the page is as due as it was. */
  readonly report: VisitReport | undefined;
}

/**
 * Robots and fetch: one request at most. A host is first asked for its robots.txt; the page stays due, and comes next. What
 * robots.txt refuses, or where it cannot be fetched, is a failed visit without a request, and comes again when the file has
 * to be fetched anew.
 */
export async function visitPage(due: DuePage, stages: Stages, signal: AbortSignal): Promise<VisitEnd> {
  faultPoint('visit:taken');
  const refusal = stages.begun?.refusal(due.url);
  if (refusal) return refuse(due, { reason: 'crash', ...refusal }, stages);
  const own = stages.ownPage(due);
  const sign = await signInBy(own, stages, signal);
  if (sign && 'reason' in sign) return refuse(due, { ...sign, until: stages.outside.now() + UNASKED_MS }, stages);
  const form = stages.sessions.formOf(due);
  const way: Way = { form, own, sign };
  const request = (): PageRequest => requestFor(due, way, stages);
  const reply = await requestOfHost({ ...due, url: form.url }, request, stages, signal);
  switch (reply.kind) {
    case 'called_off':
      return release(due, reply.host, stages);
    case 'refused':
      if (stages.sessions.refused(due, form)) return release(due, due.hostState, stages);
      return refuse(due, reply.refusal, stages);
    case 'robots':
      return readRobots(due, reply, stages);
    case 'fetched':
      if (mayBeRenewed(reply.fetched, sign)) return release(due, reply.host, stages);
      return readPage({ due, ...way, ...reply, fetched: asReported(asSignedOut(reply.fetched, sign), form) }, stages);
  }
}

async function signInBy(
  own: OwnPage | undefined,
  { signIns }: Stages,
  signal: AbortSignal,
): Promise<SignIn | SignInFailure | undefined> {
  return own?.signing && signIns.of(own.signing, signal);
}

/** How the page is asked for and read this time. */
interface Way {
  readonly form: Form;
  readonly own: OwnPage | undefined;
  readonly sign: SignIn | undefined;
}

/** The page comes again at once, with headers that are made anew. */
function mayBeRenewed(fetched: Fetched, sign: SignIn | undefined): boolean {
  return sign !== undefined && isSignedOut(fetched) && sign.expired();
}

/** What could not be asked for is tried again after so long. */
const UNASKED_MS = 5 * 60_000;

function asSignedOut(fetched: Fetched, sign: SignIn | undefined): Fetched {
  return sign?.isSignedIn === true && isSignedOut(fetched) ? { ...fetched, reason: 'signed_out' } : fetched;
}

function requestFor(due: DuePage, way: Way, { robots, terms, isNamed, keep, outside }: Stages): PageRequest {
  const { form, own, sign } = way;
  return {
    url: form.url,
    // The kind of a sitemap that the operator gave is unknown before its first visit: until then its URL decides.
    isSitemap: due.kind === 'sitemap' || kindOf(new URL(due.url)) === 'sitemap',
    validators: isConditional(due, way, outside.now()) ? due.state?.validators : undefined,
    mayFollow: followable(due, { holders: terms(due.holders), isNamed: isNamed(due.url) }, robots.mayFollow),
    withExchange: keep !== undefined,
    own: sign?.own,
    ...(own?.render && { render: renderRequest(own.render, robots.mayLoad) }),
  };
}

/** Whether a 304 would say all there is to know. */
function isConditional({ state }: DuePage, { form, own, sign }: Way, now: number): boolean {
  if (sign?.own.method === 'POST' || form.step !== 'settled') return false;
  return isReadAlike(state?.bodyHash, own) && !isFullTurn(state?.fullAt, now);
}

/** Also where a server answers the URL without a session by a redirect to one with a session. */
function asReported(fetched: Fetched, { isReportedClean }: Form): Fetched {
  if (!isReportedClean || fetched.outcome === 'failed') return fetched;
  return { ...fetched, url: withoutSessions(fetched.url) };
}

/** The lease of the host ends, and nothing else happens. */
async function release(due: DuePage, host: HostState, { frontier }: Stages): Promise<VisitEnd> {
  await frontier.release(due.id, host, due.lease);
  return { asked: undefined, report: undefined };
}

/** Where the lease was over, nothing was recorded: whoever has the host now visits the page. */
function ended(asked: Asked | undefined, report: VisitReport): VisitEnd {
  return { asked, report: report.isFenced === true ? undefined : report };
}

interface Refusal {
  readonly reason: string;
  readonly detail: string;
  /** When the page may be asked for again; ms since 1970. */
  readonly until: number;
}

/** A failed visit without a request for the page. */
async function refuse(
  due: DuePage,
  { reason, detail, until }: Refusal,
  stages: Stages,
  { asked, host }: { readonly asked?: Asked; readonly host: HostState } = { host: due.hostState },
): Promise<VisitEnd> {
  const finding = { ...failed(reason, detail), hints: { until } };
  const at = asked?.at ?? stages.outside.now();
  return ended(asked, await record({ due, finding, at, host }, due.url, stages));
}

/** The host was asked for its robots.txt, which says where its sitemaps are. */
async function readRobots(
  due: DuePage,
  { met, asked, host }: Extract<HostReply, { kind: 'robots' }>,
  stages: Stages,
): Promise<VisitEnd> {
  const found = robotsSitemaps(met.sitemaps, stages.terms(due.holders), due.isBaseline);
  if (found.length > 0) await stages.frontier.offer(found, asked.at);
  if (met.refusal) return refuse(due, met.refusal, stages, { asked, host });
  return { ...(await release(due, host, stages)), asked };
}

interface FetchedVisit extends Way {
  readonly due: DuePage;
  readonly fetched: Fetched;
  readonly asked: Asked;
  readonly host: HostState;
}

async function readPage(visit: FetchedVisit, stages: Stages): Promise<VisitEnd> {
  const { due, form, sign, fetched, asked, host } = visit;
  faultPoint('visit:fetched');
  const finding = await findingOf(visit, stages);
  faultPoint('visit:judged');
  if (finding?.reason === 'signed_out' && sign?.expired() === true) return release(due, host, stages);
  // Of a trial with and without the session, the second request follows before any other page of the host.
  if (finding === undefined || !stages.sessions.settles(due, form, finding)) {
    return { ...(await release(due, host, stages)), asked: finding && asked };
  }
  const { spentMs: readMs } = finding;
  const delayed = readMs === undefined ? host : stages.host(due, { ...asked, readMs });
  const answeredBy = fetched.outcome === 'failed' ? due.url : fetched.url;
  return ended(asked, await record({ due, finding, at: asked.at, host: delayed }, answeredBy, stages));
}

/** What the answer comes to. Undefined when the analysis was called off. */
async function findingOf(visit: FetchedVisit, stages: Stages): Promise<PageFinding | undefined> {
  const { due, fetched, asked, own } = visit;
  if (fetched.outcome === 'failed') return findingWithoutPage(due, fetched, asked.at, stages);
  const { validators, answer } = fetched;
  const { status, maxAgeMs } = answer;
  const answered = { status, ...(validators && { validators }) };
  const hints = maxAgeMs === undefined ? {} : { maxAgeMs };
  if (fetched.outcome === 'not_modified') return { outcome: 'unchanged', ...answered, hints };
  await stages.keep?.(fetched, asked.at);
  const address = newAddress(due, fetched, stages.isNamed(due.url));
  const bodyHash = fetched.hash + wayKey(own);
  const body = { bodyHash, isFull: true, ...address };
  if (bodyHash === due.state?.bodyHash) return { outcome: 'unchanged', ...answered, ...body, hints };
  const finding = await analyze(due, arrivedBy(visit, fetched), stages);
  // Its validators are not kept: a 304 would hide the page from the next visit.
  if (finding?.outcome === 'failed') return { ...finding, status: fetched.status };
  return finding && { ...finding, ...answered, ...body, hints: { ...finding.hints, ...hints } };
}

function arrivedBy({ asked, own, sign }: FetchedVisit, fetched: FetchedBody): Arrived {
  const way = own && wayOf(own);
  return { fetched, at: asked.at, isSignedIn: sign?.isSignedIn === true, ...(way !== undefined && { way }) };
}

function findingWithoutPage(due: DuePage, fetched: FetchFailure, at: number, { terms }: Stages): PageFinding {
  const { reason, detail, answer, leadsTo } = fetched;
  // Where a redirect was followed to another host, its Retry-After is kept with the page: that host has a queue of its own.
  const isOthers = answer?.retryAfterMs !== undefined && answer.host !== due.host;
  return {
    ...failed(reason, detail),
    ...(leadsTo !== undefined && { discovered: movedElsewhere(due, terms(due.holders), leadsTo) }),
    ...(answer && { status: answer.status }),
    ...(isOthers && { hints: { until: at + answer.retryAfterMs } }),
  };
}

/**
 * What the analysis makes of a body, from the web or out of an archive. Undefined when it was called off, and nothing is to
 * be recorded.
 */
export async function analyze(
  due: DuePage,
  arrived: Arrived,
  stages: Omit<AnalysisStages, 'next'>,
): Promise<PageFinding | undefined> {
  let input: PageInput;
  try {
    input = await inputOf(due, arrived, stages);
  } catch (fault) {
    // A storage that is gone fails the commit too, and that is thrown.
    return internalFailure(faultText(fault));
  }
  const found = await stages.analyze(input, () => stages.begun?.began(due.url));
  stages.begun?.ended(due.url);
  const finding = input.dr === undefined ? found : { ...found, hints: { ...found.hints, dr: input.dr } };
  if (finding.outcome === 'failed') return finding.reason === 'aborted' ? undefined : finding;
  const { discovered = [] } = finding;
  const { sameAs, discovered: target } = moved(due, input);
  return {
    ...finding,
    bodyHash: arrived.fetched.hash,
    discovered: [...discovered, ...target],
    ...(sameAs && { sameAs }),
  };
}

type Arrived = Pick<PageInput, 'fetched' | 'at' | 'way' | 'isSignedIn'>;

async function inputOf(due: DuePage, arrived: Arrived, stages: Omit<AnalysisStages, 'next'>): Promise<PageInput> {
  const { fetched, at } = arrived;
  const { url, host, kind, isBaseline, trust, state } = due;
  const [last, boilerplate, dr] = await Promise.all([
    stages.pages.version(due.id),
    stages.pages.boilerplate(host),
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
    ...arrived,
    last,
    // A source that came to hold the page since has its body forgotten.
    areLeadsKnown: state?.bodyHash !== undefined,
    boilerplate,
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

/** A visit that only has to be committed. */
export interface FoundVisit {
  readonly due: DuePage;
  readonly finding: PageFinding;
  readonly at: number;
  /** Absent: the host was not asked (an archive's page). */
  readonly host?: HostState;
  /** When its events are delivered, where that is not `at`. */
  readonly toldAt?: number;
}

/**
 * With the sitemaps of a robots.txt that was fetched for somebody else: another source, a watch, a redirect to this host.
 * Each copy is looked through once for each source, at the first visit since it was read that one of its own pages makes.
 */
async function record(visit: FoundVisit, answeredBy: string, stages: Stages): Promise<VisitReport> {
  const { due, finding } = visit;
  const holders = stages.terms(due.holders).filter((terms) => bringsSitemaps(due, terms));
  if (holders.length === 0) return commit(visit, stages);
  const found: Discovered[] = [];
  for (const origin of new Set([due.url, answeredBy].map((url) => new URL(url).origin))) {
    const named = await stages.robots.sitemaps(origin);
    if (named && isNewTo(due, named.readAt)) found.push(...robotsSitemaps(named.sitemaps, holders, due.isBaseline));
  }
  return commit({ ...visit, finding: { ...finding, discovered: [...found, ...(finding.discovered ?? [])] } }, stages);
}

/** Also a page that a source has come to hold since its last visit: its body is to be read again. */
function isNewTo({ state }: DuePage, readAt: number): boolean {
  return state?.bodyHash === undefined || state.visitedAt < readAt;
}

/** Commit and deliver: all or nothing, and whoever listens is notified after it is durable. */
export async function commit(visit: FoundVisit, stages: AnalysisStages): Promise<VisitReport> {
  const { due, finding, ...settled } = visit;
  const { hints, notes: _notes, spentMs: _spentMs, ...found } = finding;
  const { kind = due.kind, isMainChange = false, discovered = [], events = [] } = found;
  const seen: Seen = { ...found, ...hints, at: visit.at, kind, isMainChange, matches: events.length };
  const committed = await stages.pages.commit({
    ...found,
    ...settled,
    ...stages.next(due, seen),
    pageId: due.id,
    ...(due.lease !== undefined && { lease: due.lease }),
    sourceIds: due.holders.map(({ sourceId }) => sourceId),
    isNamed: stages.isNamed(due.url),
    isMainChange,
    discovered,
    events: events.filter(({ tapId }) => stages.tapExists(tapId)),
  });
  faultPoint('visit:committed');
  stages.deliver(committed.events);
  faultPoint('visit:told');
  return { ...finding, ...committed };
}
