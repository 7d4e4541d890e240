import { event } from './match-event.ts';
import type { DuePage, Pages, StoredVersion, Visit } from './storage/pages.ts';
import type { AppendedEvent } from './storage/event-log.ts';
import type { Fetched, FetchedBody, Fetcher } from './fetch/fetched.ts';
import type { Outside } from './outside.ts';
import type { Permission, Robots } from './robots/robots.ts';
import type { ChangedPage } from '../shared/match/document.ts';
import type { RuleIndex } from '../shared/match/rule-index.ts';
import type { Labels } from '../shared/label/label.ts';
import type { Change } from '../shared/page/change.ts';
import { compare } from '../shared/page/compare.ts';
import { credible } from '../shared/page/credible.ts';
import { domainsOf } from '../shared/page/domain.ts';
import { challenge, massDeletion } from '../shared/page/doubt.ts';
import type { Extraction } from '../shared/page/extract.ts';
import { Furniture } from '../shared/page/furniture.ts';
import { NO_HISTORY, type PageHistory } from '../shared/page/history.ts';
import { linkedDomains } from '../shared/page/linked-domains.ts';
import { type Body, EXTRACTOR, type Page } from '../shared/page/page.ts';

/**
 * The path of a page, from the web to everyone who asked for it. It begins where robots.txt allows it. One direction,
 * seven doors:
 *
 *     fetch ─► extract ─► diff ─► label ─► match ─► store ─► deliver
 *
 * Fetch, store and deliver touch the world; what lies between is a function of the bytes, the last version and the
 * clock. Most visits end at the diff, so labels come after it.
 *
 * A visit is one commit: version, events, discovered URLs and the next due time become durable together, or not at
 * all. A crash in between repeats the visit; it neither loses an event nor doubles one. Deliver comes after the
 * commit, never before: an event that someone has seen is an event that survives.
 */
export interface Stages {
  readonly robots: Pick<Robots, 'ask' | 'mayFollow'>;
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  readonly rules: RuleIndex;
  readonly pages: Pages;
  readonly outside: Outside;
  /** The page that a body of any type holds. Never rejects. */
  readonly extract: (body: Body) => Promise<Extraction>;
  /** What the page is: language, kind, subject. */
  readonly label: (page: Page) => Promise<Labels>;
  /** How well known a site is: the `dr` of its pages, by the last of their domains. */
  readonly ratings: { of(domain: string): Promise<number | undefined> };
  /** The URLs that each source of this page wants visited next. */
  readonly discover: (due: DuePage, page: Page) => Visit['discovered'];
  /** Whether the operator gave this very page as a source. */
  readonly isNamed: (due: DuePage) => boolean;
  /** A tap may be revoked while its page is on the way; its log must not come back to life. */
  readonly tapExists: (tapId: string) => boolean;
  readonly deliver: (events: readonly AppendedEvent[]) => void;
}

/** What a visit came to; `undefined` when it was called off and nothing was recorded. */
export type VisitReport = Pick<Visit, 'outcome' | 'reason' | 'detail'> & {
  readonly events: number;
  /** What our own code threw on this page. */
  readonly fault?: unknown;
  /** Why what differed did not count, each reason once. */
  readonly ignored?: readonly string[];
  /** Rules that threw on this page, with what they threw: one bad rule never silences the others. */
  readonly ruleFailures: ReadonlyMap<string, unknown>;
};

type Finding = Omit<Visit, keyof ReturnType<typeof visitOf>> &
  Partial<Pick<Visit, 'nextDue'> & Pick<VisitReport, 'ruleFailures' | 'fault' | 'ignored'>>;

/** What a page's turn came to for its host, and for the page, if that was visited or refused. */
export interface Turn {
  /** Whether anything was asked of the host. */
  readonly isRequest: boolean;
  /** The rest that the host wants after it. */
  readonly crawlDelayMs: number;
  readonly report?: VisitReport | undefined;
}

/**
 * One request at most. A host is first asked for its robots.txt; the page stays due, and has the next turn. What that
 * refuses is a failed visit without a request, and comes round again when the file has to be fetched anew.
 */
export async function turn(due: DuePage, stages: Stages, signal: AbortSignal): Promise<Turn> {
  const permission = await stages.robots.ask(due.url, signal);
  if (permission.kind === 'refused') {
    return { isRequest: false, crawlDelayMs: 0, report: await refuse(due, permission, stages) };
  }
  const { kind, crawlDelayMs } = permission;
  const report = kind === 'allowed' ? await visit(due, stages, signal) : undefined;
  return { isRequest: true, crawlDelayMs, report };
}

async function refuse(due: DuePage, refusal: Permission & { kind: 'refused' }, stages: Stages): Promise<VisitReport> {
  const found = failed(refusal.reason, refusal.detail);
  const made = visitOf(due, stages.outside.now());
  await stages.pages.commit({ ...made, ...found, nextDue: Math.max(made.nextDue, refusal.until) });
  return { ...pick(found), events: 0, ruleFailures: new Map<string, unknown>() };
}

export async function visit(due: DuePage, stages: Stages, signal: AbortSignal): Promise<VisitReport | undefined> {
  const fetched = await stages.fetcher.fetch(due.url, signal, stages.robots.mayFollow);
  if (signal.aborted) return undefined;
  const at = stages.outside.now();
  const reading = read(due, fetched, at, stages).catch(broken);
  const { ruleFailures = new Map<string, unknown>(), fault, ignored, ...found } = await reading;
  const events = await stages.pages.commit({ ...visitOf(due, at), ...found });
  stages.deliver(events);
  const more = { ...(fault !== undefined && { fault }), ...(ignored && { ignored }) };
  return { ...pick(found), events: events.length, ruleFailures, ...more };
}

async function read(due: DuePage, fetched: Fetched, at: number, stages: Stages): Promise<Finding> {
  if (fetched.outcome === 'failed') return failed(fetched.reason, fetched.detail);
  if (fetched.hash === due.bodyHash) return unchanged({});

  const extraction = await stages.extract(fetched);
  if (!extraction.ok) return failed(extraction.reason, extraction.detail);
  const page = credible(extraction.page, at);
  const asked = challenge(page);
  return asked === undefined ? judge(due, fetched, page, at, stages) : failed('challenge', asked);
}

/** What a page that was read comes to: against the last version, and against the rules. */
async function judge(due: DuePage, fetched: FetchedBody, page: Page, at: number, stages: Stages): Promise<Finding> {
  const read = { bodyHash: fetched.hash, ...ledTo(due, page, stages) };
  const last = await lastPage(due, stages);
  if (last === 'unreadable') return unchanged({ ...read, version: version(fetched, page, at, NO_HISTORY) });
  const furniture = Furniture.from(await stages.pages.furniture(due.host));
  const isFurniture = furniture.has.bind(furniture);
  const doubt = isFirstWord(due, at) ? massDeletion(last?.page, page, isFurniture) : undefined;
  if (doubt !== undefined) return doubtful(due, at, doubt);
  const { change, ignored, history } = compare(last?.page, page, {
    ...last,
    isFurniture,
    visits: visitsSince(last, due, at),
  });
  if (!change && ignored.length === 0) return unchanged(read);
  furniture.learn(last?.isCounted === true ? last.page : undefined, page);
  const kept = { ...read, version: version(fetched, page, at, history), furniture: furniture.toBytes() };
  if (!change) return unchanged({ ...kept, ignored: [...new Set(ignored.map(({ reason }) => reason))] });

  return { outcome: 'changed', ...kept, ...(await news(due, page, { change, at }, stages)) };
}

/** Where the page leads: for the crawl, unless it asks robots not to follow, and for ratings. */
function ledTo(due: DuePage, page: Page, stages: Stages): Pick<Visit, 'discovered' | 'linksTo'> {
  const linksTo = linkedDomains(page);
  const discovered = page.facts.robots.includes('nofollow') ? [] : stages.discover(due, page);
  return { discovered, ...(linksTo && { linksTo }) };
}

/**
 * Who does not want a page to be found does not want it found by a crawl: it is kept as the baseline, and nobody is told.
 * Whoever names the page knows it already.
 */
async function news(
  due: DuePage,
  page: Page,
  { change, at }: { readonly change: Change; readonly at: number },
  stages: Stages,
): Promise<Pick<Finding, 'events' | 'ruleFailures'>> {
  if (page.facts.robots.includes('noindex') && !stages.isNamed(due)) return { events: [] };
  const changed = await described(page, change, stages);
  const { matches, failures } = stages.rules.match(changed, at);
  const events = matches.filter((match) => stages.tapExists(match.tapId)).map((match) => event(match, changed));
  return { events, ruleFailures: failures };
}

/** The change with all that a rule can ask of its page. */
async function described(page: Page, change: Change, stages: Stages): Promise<ChangedPage> {
  const domains = domainsOf(page.url);
  const labels = await stages.label(page);
  const dr = await stages.ratings.of(domains.at(-1) ?? '');
  return { page, change, domains, labels, ...(dr !== undefined && { dr }) };
}

interface LastPage {
  readonly page: Page;
  readonly history: PageHistory;
  readonly at: number;
  /** Whether the furniture of its host, which another extractor would have known by other texts, knows the page. */
  readonly isCounted: boolean;
}

/** Visits that found the bytes as they were leave no version: how many there have been since there was one. */
function visitsSince(last: LastPage | undefined, { everyMs }: DuePage, at: number): number {
  return last ? Math.max(1, Math.round((at - last.at) / everyMs)) : 1;
}

/**
 * The page as this extractor reads it: a version made by another one is read again from its bytes. What it refuses
 * (a limit that came with an update) is no ground for a comparison, and the page is not new either: a new baseline.
 */
async function lastPage(due: DuePage, { pages, extract }: Stages): Promise<LastPage | 'unreadable' | undefined> {
  const stored = await pages.version(due.id);
  if (!stored) return undefined;
  const history = { ...NO_HISTORY, ...(JSON.parse(stored.history) as Partial<PageHistory>) };
  const { at } = stored;
  if (stored.extractor === EXTRACTOR) return { page: JSON.parse(stored.page) as Page, history, at, isCounted: true };
  const again = await extract({ url: stored.url, contentType: stored.contentType, bytes: stored.body });
  return again.ok ? { page: again.page, history, at, isCounted: false } : 'unreadable';
}

function version(fetched: FetchedBody, page: Page, at: number, history: PageHistory): StoredVersion {
  const { url, contentType, bytes } = fetched;
  const kept = { page: JSON.stringify(page), history: JSON.stringify(history) };
  return { url, contentType, extractor: EXTRACTOR, at, ...kept, body: bytes };
}

function visitOf(due: DuePage, at: number): Pick<Visit, 'pageId' | 'sourceIds' | 'at' | 'nextDue'> {
  return { pageId: due.id, sourceIds: due.sourceIds, at, nextDue: nextSlot(due, at) };
}

/** Fixed slots: a visit that was late does not push the next one, and slots that were missed are not made up for. */
function nextSlot({ due, everyMs }: DuePage, now: number): number {
  const missed = Math.max(0, Math.floor((now - due) / everyMs));
  return due + (missed + 1) * everyMs;
}

/** Whether a mass deletion found now is the first word of it, and waits for a second. */
function isFirstWord({ doubtedAt }: DuePage, at: number): boolean {
  return doubtedAt === undefined || at < doubtedAt + CONFIRM_AFTER_MS;
}

/** Long enough for a server that was being restarted, short enough that true news of a deletion is still news. */
const CONFIRM_AFTER_MS = 60_000;

function doubtful(due: DuePage, at: number, detail: string): Finding {
  const doubtedAt = due.doubtedAt ?? at;
  return { ...failed('doubtful', detail), doubtedAt, nextDue: doubtedAt + CONFIRM_AFTER_MS };
}

function failed(reason: string, detail: string): Finding {
  return { outcome: 'failed', reason, detail, events: [], discovered: [] };
}

/**
 * Recorded as a failed visit, for the sake of its host: thrown on, the page would stay the most overdue one, and be
 * fetched again and again while the others wait. A storage that is gone fails the commit too, and that is thrown.
 */
function broken(fault: unknown): Finding {
  return { ...failed('internal', 'hydrant could not read this page; the log tells why'), fault };
}

function unchanged(more: Partial<Finding>): Finding {
  return { outcome: 'unchanged', events: [], discovered: [], ...more };
}

function pick({ outcome, reason, detail }: Finding): Pick<Visit, 'outcome' | 'reason' | 'detail'> {
  return { outcome, ...(reason !== undefined && { reason }), ...(detail !== undefined && { detail }) };
}
