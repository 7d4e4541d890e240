import { dueBy, jitterOf, MINUTE_MS, slotsOf } from './cadence.ts';
import { labelsOf, newestEntries, watchToWire } from './watch-wire.ts';
import type { Quota } from './quota.ts';
import type { Plan, Plans } from '../accounts/plans.ts';
import type { PlanLimitFacts } from '../../shared/api/problem.ts';
import type { Manager } from '../accounts/keys.ts';
import type { Outside } from '../outside.ts';
import type { OwnRequests } from '../requests/own-requests.ts';
import { checkRender, type RenderRefusal } from '../requests/rendering.ts';
import { Problem } from '../problem.ts';
import type { CatalogData, OrganizationRecord } from '../storage/catalog.ts';
import type { StoredRequest } from '../storage/stored-request.ts';
import type { StoredWatchOptions, Watches as Port, WatchRecord, WatchTerms } from '../storage/watches.ts';
import type {
  CrawlEntry,
  Watch,
  WatchChange,
  WatchCreation,
  WatchEdit,
  WatchOptions,
  WatchOrder,
} from '../../shared/api/watch.ts';
import { WATCH_FREQUENCIES, WATCH_HISTORY_LIMIT } from '../../shared/limits.ts';
import { watchedUrl } from '../../shared/page/canonical-url.ts';
import { hostOf } from '../discovery/canonical.ts';
import { checkUrl, type Guard } from '../fetch/address-guard.ts';
import type { AnalysisOptions } from '../analysis/findings.ts';
import { lookupIn } from '../filters/filters.ts';
import { tagsFault, titleFault, uniqueTags } from '../../shared/api/watch-labels.ts';
import { NO_OPTIONS } from '../../shared/api/watch-values.ts';
import { unknownFilterIn, validate } from '../../shared/query/validate.ts';

interface WatchesDeps {
  readonly port: Port;
  readonly catalog: { readonly data: CatalogData };
  readonly plans: Plans;
  readonly quota: Pick<Quota, 'isUsedUp' | 'limitOf' | 'refresh'>;
  readonly requests: Pick<OwnRequests, 'changed'>;
  readonly guard: Guard;
  readonly outside: Pick<Outside, 'now' | 'uuid'>;
  /** Absent: every page can be rendered. */
  readonly renderRefusal?: RenderRefusal;
  /** A watch may be due that was not. */
  readonly wake: () => void;
}

type Asking = Pick<Manager, 'organizationId' | 'memberId'>;

/**
 * Watches of URLs: who may have which, and how often they are checked. A member comes in with a URL and a cadence; goes
 * out: the watch as the API shows it, and what its checks have found. A watch is its member's alone: for everyone else
 * there is none with its id (spec, URL Watch), and only the operator sees all of an organization.
 */
export class Watches {
  readonly #deps: WatchesDeps;

  constructor(deps: WatchesDeps) {
    this.#deps = deps;
  }

  /**
   * The member's own, the newest first. `limit` may be from 1 to the plan's maximum, which is also the default. On a plan
   * without a maximum, and on one without watches, where some may be left of an earlier plan, any limit from 1 may be
   * asked for, and the default is all. @throws {Problem} invalid_field
   */
  async list({ organizationId, memberId }: Asking, limit?: number): Promise<Watch[]> {
    const most = placesOf(this.#planOf(organizationId)) || Number.MAX_SAFE_INTEGER;
    checkLimit(limit, most);
    const atMost = limit ?? most;
    return (await this.#deps.port.watches({ organizationId, memberId, atMost })).map(watchToWire);
  }

  /** @throws {Problem} */
  async create(asking: Asking, { url, frequency_minutes }: WatchCreation): Promise<Watch> {
    return watchToWire(await this.add(asking, { url, frequency_minutes }));
  }

  /** With its crawls, the newest first: 50, or `limit` from 1 to 100. @throws {Problem} not_found, invalid_field */
  async show(asking: Asking, id: string, limit?: number): Promise<{ data: Watch; diffs: CrawlEntry[] }> {
    const watch = await this.#owned(asking, id);
    checkLimit(limit, WATCH_HISTORY_LIMIT.most);
    const atMost = limit ?? WATCH_HISTORY_LIMIT.default;
    return { data: watchToWire(watch), diffs: await newestEntries(this.#deps.port, id, atMost) };
  }

  /** @throws {Problem} */
  async change(asking: Asking, id: string, { frequency_minutes, status }: WatchChange): Promise<Watch> {
    const watch = await this.#owned(asking, id);
    // Named one by one: options are the operator's to say, and a client may send whatever it likes.
    const edit = { ...(frequency_minutes !== undefined && { frequency_minutes }), ...(status && { status }) };
    return watchToWire(await this.edit(watch, edit));
  }

  /** With its history. @throws {Problem} not_found */
  async remove(asking: Asking, id: string): Promise<void> {
    await this.#owned(asking, id);
    if (!(await this.#deps.port.removeWatch(id))) throw unknownWatch();
  }

  /** For whoever is asking; its first check is due at once. @throws {Problem} */
  async add({ organizationId, memberId }: Asking, order: WatchOrder): Promise<WatchRecord> {
    const { port, catalog, outside, wake } = this.#deps;
    const organization = this.#organization(organizationId);
    const { plans } = this.#deps;
    const plan = plans.of(organization);
    const places = plans.reached(organization, 'watchedUrls');
    if (places.limit === 0) throw new Problem('watches_not_in_plan', places);
    const target = this.#target(order.url);
    const everyMs = checkFrequency(order.frequency_minutes, plans.reached(organization, 'fastestMinutes'));
    const request = order.request && this.#deps.requests.changed(undefined, order.request);
    const { renderRefusal } = this.#deps;
    const options = {
      ...(await optionsWith(order.options, { catalog: catalog.data, organizationId, renderRefusal })),
      ...(request && { request }),
    };
    await this.checkQuota(organizationId);
    const [id, createdAt] = [outside.uuid(), outside.now()];
    const isPaused = order.status === 'paused';
    const cadence = { everyMs, jitterMs: jitterOf(id, everyMs), createdAt };
    const terms = { url: order.url, ...target, ...cadence, options, ...labelsOf(labelTerms(order)), isPaused };
    const added = await port.addWatch({ id, organizationId, memberId, ...terms }, placesOf(plan));
    if (added.kind === 'full') {
      throw new Problem('watch_limit_reached', places);
    }
    if (added.kind === 'known') {
      throw new Problem(added.isOwn ? 'already_watching' : 'watched_in_organization', { url: order.url });
    }
    wake();
    return added.watch;
  }

  /** What is absent stays as it is. @throws {Problem} */
  async edit(watch: WatchRecord, edit: WatchEdit): Promise<WatchRecord> {
    const { port, wake } = this.#deps;
    const terms = {
      ...labelTerms(edit),
      ...(await this.#statusTerms(watch, edit.status)),
      ...((edit.options ?? edit.request) && { options: await this.#optionsAfter(watch, edit) }),
    };
    const all = { ...this.#cadenceTerms(watch, edit.frequency_minutes), ...terms };
    if (Object.keys(all).length === 0) return watch;
    const changed = await port.changeWatch(watch.id, all);
    if (!changed) throw unknownWatch();
    wake();
    return changed;
  }

  async #optionsAfter(
    { organizationId, options: former }: WatchRecord,
    { options = {}, request: change }: WatchEdit,
  ): Promise<StoredWatchOptions> {
    const { catalog, requests, renderRefusal } = this.#deps;
    const request = change ? requests.changed(former.request, change) : former.request;
    const said = await optionsWith(options, { catalog: catalog.data, organizationId, renderRefusal, former });
    return { ...said, ...(request && { request }) };
  }

  /** @throws {Problem} check_quota_used_up */
  async checkQuota(organizationId: string): Promise<void> {
    const { quota, outside, plans } = this.#deps;
    if (!(await quota.isUsedUp(organizationId))) return;
    const reached = plans.reached(this.#organization(organizationId), 'checksAMonth');
    const now = new Date(outside.now());
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
    const until = next.toISOString().slice(0, 10);
    throw new Problem('check_quota_used_up', { ...reached, until });
  }

  /** An organization's plan, or its numbers, have changed: what is due follows the cadence that is allowed now. */
  async planChanged(before: OrganizationRecord, after: OrganizationRecord): Promise<void> {
    const { plans, quota, wake } = this.#deps;
    const plan = plans.of(after);
    if (plans.of(before).fastestMinutes !== plan.fastestMinutes) await this.#reslot(after.id, plan);
    await quota.refresh();
    wake();
  }

  /** A member is gone, and the watches with him. */
  async memberRemoved(memberId: string): Promise<void> {
    await this.#deps.port.removeWatchesOf({ memberId });
  }

  /** After a start: a crash may have come between the removal of a member and that of his watches. */
  async restore(): Promise<void> {
    const { port, catalog } = this.#deps;
    const members = new Set(catalog.data.members.map(({ id }) => id));
    for (const memberId of await port.watchMembers()) {
      if (!members.has(memberId)) await port.removeWatchesOf({ memberId });
    }
  }

  async #reslot(organizationId: string, plan: Plan): Promise<void> {
    const { port, outside } = this.#deps;
    const now = outside.now();
    const reslot = async (watch: WatchRecord): Promise<void> => {
      // Paused: due when it is resumed. Due already: its next check is about to come, and finds its slot itself.
      if (watch.isPaused || watch.checkedAt === undefined || watch.due <= now) return;
      const due = dueBy(slotsOf(watch, plan), { ...watch, checkedAt: watch.checkedAt }, now);
      if (due !== watch.due) await port.changeWatch(watch.id, { due });
    };
    const all = await port.watches({ organizationId, atMost: Number.MAX_SAFE_INTEGER });
    // Commits are shared by those who wait.
    for (let at = 0; at < all.length; at += STEP) await Promise.all(all.slice(at, at + STEP).map(reslot));
  }

  async #statusTerms(watch: WatchRecord, status: WatchEdit['status']): Promise<WatchTerms> {
    if (status === 'paused' && !watch.isPaused) return { isPaused: true };
    if (status !== 'active' || !watch.isPaused) return {};
    await this.checkQuota(watch.organizationId);
    return { isPaused: false, due: this.#deps.outside.now() };
  }

  /**
   * Other slots; a first check, or one that is due already, waits for none of them. It may be under way, and come to an end
   * by the slots of before: where they are rarer, it is made once more, and finds the new ones.
   */
  #cadenceTerms(watch: WatchRecord, minutes: number | undefined): WatchTerms {
    if (minutes === undefined || minutes * MINUTE_MS === watch.everyMs) return {};
    const { plans } = this.#deps;
    const organization = this.#organization(watch.organizationId);
    const everyMs = checkFrequency(minutes, plans.reached(organization, 'fastestMinutes'));
    const jitterMs = jitterOf(watch.id, everyMs);
    const now = this.#deps.outside.now();
    const { checkedAt, createdAt, due } = watch;
    if (checkedAt === undefined || due <= now) return { everyMs, jitterMs, ...(everyMs < watch.everyMs && { due }) };
    const slots = slotsOf({ createdAt, jitterMs, everyMs }, plans.of(organization));
    return { everyMs, jitterMs, due: dueBy(slots, { due, checkedAt, doubtedAt: watch.doubtedAt }, now) };
  }

  async #owned({ organizationId, memberId }: Asking, id: string): Promise<WatchRecord> {
    const watch = await this.#deps.port.watch(id);
    if (watch?.organizationId === organizationId && watch.memberId === memberId) return watch;
    throw unknownWatch();
  }

  #target(url: string): { readonly target: string; readonly host: string } {
    const checked = targetOf(url, this.#deps.guard);
    if (checked.ok) return { target: checked.target, host: checked.host };
    const { reason, detail } = checked;
    if (reason === 'private_address') throw new Problem('private_address', { url, detail });
    throw new Problem('invalid_field', { field: 'url', message: `The url field is not valid: ${detail}.` });
  }

  #planOf(organizationId: string): Plan {
    return this.#deps.plans.of(this.#organization(organizationId));
  }

  #organization(id: string): OrganizationRecord {
    const found = this.#deps.catalog.data.organizations.find((one) => one.id === id);
    if (found === undefined) throw new Problem('not_found', { resource: 'organization' });
    return found;
  }
}

export function unknownWatch(): Problem<'not_found'> {
  return new Problem('not_found', { resource: 'watch' });
}

function checkFrequency(minutes: number, fastest: PlanLimitFacts): number {
  const allowed: readonly number[] = WATCH_FREQUENCIES;
  if (!allowed.includes(minutes)) {
    const message = `The frequency_minutes field must be one of ${allowed.join(', ')}.`;
    throw new Problem('invalid_field', { field: 'frequency_minutes', message });
  }
  if (minutes >= fastest.limit) return minutes * MINUTE_MS;
  throw new Problem('watch_too_frequent', { ...fastest, allowed: allowed.filter((one) => one >= fastest.limit) });
}

function checkLimit(limit: number | undefined, most: number): void {
  if (limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= most)) return;
  const range = most === Number.MAX_SAFE_INTEGER ? 'of 1 or more' : `from 1 to ${most}`;
  throw new Problem('invalid_field', { field: 'limit', message: `limit must be a whole number ${range}.` });
}

/** Watches that are changed at a time. */
const STEP = 200;

/** No infinity: it would not pass through every storage. */
function placesOf({ watchedUrls }: Plan): number {
  return Math.min(watchedUrls, Number.MAX_SAFE_INTEGER);
}

/** What is fetched of a watched URL, and what makes two watches one. */
interface Target {
  readonly target: string;
  /** `hostname[:port]`, as the frontier names it: one host rests for the crawl and for watches. */
  readonly host: string;
}

type CheckedTarget =
  | ({ readonly ok: true } & Target)
  | { readonly ok: false; readonly reason: 'bad_url' | 'private_address'; readonly detail: string };

/**
 * By the WHATWG rules (lower-case host, default port dropped, dots resolved), without the fragment, which no server sees,
 * and the dot behind a host. Decided against the crawl's canonical form, which drops tracking parameters too: who watches
 * a URL has it fetched as it was written.
 */
export function targetOf(text: string, guard: Guard): CheckedTarget {
  const checked = checkUrl(text, guard);
  if (!checked.ok) return checked;
  const target = watchedUrl(checked.url.href);
  return { ok: true, target, host: hostOf(target) };
}

/**
 * The options of a watch with what is given of them, or as they were. Only what is given is checked: an option that was
 * accepted once stays, also when a later release would refuse it.
 * @throws {Problem} `invalid_field`, `invalid_query` or `unknown_filter`, which name the option and the place in it.
 */
export async function optionsWith(
  given: Partial<WatchOptions> = {},
  { catalog, organizationId, renderRefusal, former = NO_OPTIONS }: OptionsPlace,
): Promise<WatchOptions> {
  for (const [index, selector] of (given.select ?? []).entries()) {
    refuseWrong('select', index, selector, await flawOf(selector));
  }
  for (const [index, text] of (given.ignore ?? []).entries()) {
    refuseWrong('ignore', index, text, await (text.startsWith('/') ? flawOfPattern(text) : flawOf(text)));
  }
  if (typeof given.trigger === 'string') checkTrigger(given.trigger, catalog, organizationId);
  if (given.render) await checkRender(given.render, renderRefusal);
  const { select, ignore, only, trigger, confirm, render } = { ...former, ...given };
  return { select, ignore, only, trigger, confirm, ...(render && { render }) };
}

/** What is given of a title and of tags, as it is kept. @throws {Problem} `invalid_field` */
function labelTerms({ title, tags }: Pick<WatchOrder, 'title' | 'tags'>): Pick<WatchTerms, 'title' | 'tags'> {
  const isTitled = typeof title === 'string' && title !== '';
  if (isTitled) refuseFault('title', titleFault(title));
  if (tags !== undefined) refuseFault('tags', tagsFault(tags));
  return {
    ...(title !== undefined && { title: isTitled ? title.trim() : null }),
    ...(tags !== undefined && { tags: uniqueTags(tags) }),
  };
}

function refuseFault(field: 'title' | 'tags', fault: string | undefined): void {
  if (fault !== undefined) throw new Problem('invalid_field', { field, message: `The ${field} field ${fault}.` });
}

/** With parsers of HTML, selectors and expressions, which are loaded when the first option is checked. */
async function flawOf(selector: string): Promise<string | undefined> {
  const { checkSelector } = await import('../../shared/page/select/selectors.ts');
  return checkSelector(selector);
}

async function flawOfPattern(pattern: string): Promise<string | undefined> {
  const { checkPattern } = await import('../../shared/page/select/ignored-lines.ts');
  return checkPattern(pattern);
}

interface OptionsPlace {
  readonly catalog: CatalogData;
  readonly organizationId: string;
  readonly renderRefusal?: RenderRefusal | undefined;
  /** Absent: `NO_OPTIONS`. */
  readonly former?: WatchOptions;
}

/**
 * The options as the judge takes them: saved filters in the trigger are written out as they are now, and of how the page is
 * asked for only whether it is otherwise than before. Without one of the filters the trigger says nothing, and every change
 * counts: better one too many than one that is never told.
 */
export function analysisOptions(
  stored: StoredWatchOptions,
  catalog: CatalogData,
  organizationId: string,
): AnalysisOptions {
  const options = stored.request === undefined ? stored : askedOtherwise(stored, stored.request);
  const { trigger } = options;
  if (trigger === null || !trigger.includes('$')) return options;
  const { valid, expanded } = validate(trigger, lookupIn(catalog, organizationId));
  return { ...options, trigger: valid ? expanded : null };
}

function askedOtherwise(stored: StoredWatchOptions, { version }: StoredRequest): AnalysisOptions {
  const { select, ignore, only, trigger, confirm, render } = stored;
  return { select, ignore, only, trigger, confirm, ...(render && { render }), asked: version };
}

function refuseWrong(field: 'select' | 'ignore', index: number, text: string, complaint: string | undefined): void {
  if (complaint === undefined) return;
  const message = `The ${field} field, entry ${index + 1}, ${JSON.stringify(text)}: ${complaint}`;
  throw new Problem('invalid_field', { field, message });
}

function checkTrigger(trigger: string, catalog: CatalogData, organizationId: string): void {
  const validation = validate(trigger, lookupIn(catalog, organizationId));
  const { valid, diagnostics, expanded: query } = validation;
  const name = unknownFilterIn(validation);
  if (name !== undefined) throw new Problem('unknown_filter', { field: 'trigger', name, query, diagnostics });
  if (!valid) throw new Problem('invalid_query', { field: 'trigger', query, diagnostics });
}
