import type { SeenChange } from '../analysis/trial.ts';
import type { Look, LookOrder } from '../analysis/trials.ts';
import { identityOf } from '../discovery/canonical.ts';
import { type Outside, timestamp } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { CatalogData, RuleRecord } from '../storage/catalog.ts';
import type { EventLog } from '../storage/event-log.ts';
import type { Frontier, PageReport } from '../storage/frontier.ts';
import { formatEventId } from '../../shared/api/stream.ts';
import type { KeptChange, PageChangeReport, RuleSight } from '../../shared/api/crawl.ts';
import { TRIAL_SECONDS } from '../../shared/limits.ts';
import type { RegisteredRule } from '../../shared/match/rule-index.ts';
import type { Query } from '../../shared/query/ast.ts';
import { canonicalOf } from './url-service.ts';

/** Who finds the newest change of a page among those that are kept, and asks rules of it. */
export interface Looking {
  look(order: LookOrder): Promise<Look>;
}

interface Deps {
  readonly catalog: { readonly data: CatalogData };
  readonly frontier: Pick<Frontier, 'look'>;
  readonly eventLog: Pick<EventLog, 'bounds' | 'firstAt' | 'read'>;
  /** Whether a reader of the tap has the event. */
  readonly isDelivered: (tapId: string, offset: number) => Promise<boolean>;
  readonly changes: Looking;
  readonly registered: () => Iterable<RegisteredRule>;
  /** Why a rule matches nothing; undefined if its query is accepted. */
  readonly refusalOf: (rule: RuleRecord) => string | undefined;
  /** A query of an organization, with its filters. @throws {Problem} invalid_query, unknown_filter */
  readonly accepted: (organizationId: string, value: string) => Query;
  readonly outside: Pick<Outside, 'now'>;
  /** Whether changes are kept. */
  readonly isKept: boolean;
}

type Delivery = Required<Pick<RuleSight, 'event' | 'delivered'>>;

/** The last change of a page, and what the rules of an organization make of it. */
export class PageChanges {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * `value`: a query that is asked of the change, too.
   * @throws {Problem} `invalid_field`, `url_not_held`; `invalid_query`, `unknown_filter`
   */
  async last(organizationId: string, text: string, value?: string): Promise<PageChangeReport> {
    const { frontier, changes, outside, isKept, accepted } = this.#deps;
    const query = value === undefined ? undefined : accepted(organizationId, value);
    const canonical = canonicalOf(text);
    const report = await frontier.look(identityOf(canonical));
    if (report === undefined) throw new Problem('url_not_held', { url: canonical });
    const oldest = outside.now() - TRIAL_SECONDS * 1_000;
    const changedAt = lastChangeOf(report);
    const asked = query && { id: ASKED, tapId: ASKED, query, quality: true, nsfw: false };
    const rules = [...this.#registered(organizationId), ...(asked ? [asked] : [])];
    const order = { urls: [report.page.url, canonical], rules, ...spanOf(changedAt, oldest) };
    const isLookedFor = isKept && (changedAt === undefined || changedAt >= oldest);
    const { seen, isComplete } = isLookedFor ? await changes.look(order) : NOTHING;
    const about = {
      url: report.page.url,
      kept: isKept,
      since: timestamp(oldest),
      changed_at: changedAt === undefined ? null : timestamp(changedAt),
      complete: isComplete,
    };
    if (seen === undefined) return { ...about, change: null, rules: [] };
    const rulesSeen = await this.#sights(organizationId, seen);
    const found = { ...about, change: changeToWire(seen), rules: rulesSeen };
    return asked ? { ...found, query: outcomeOf(ASKED, seen) } : found;
  }

  /** The rules of an organization that are asked of every page. */
  #registered(organizationId: string): RegisteredRule[] {
    const { catalog, registered } = this.#deps;
    const own = new Set(catalog.data.taps.flatMap((tap) => (tap.organizationId === organizationId ? [tap.id] : [])));
    return [...registered()].filter(({ tapId }) => own.has(tapId));
  }

  async #sights(organizationId: string, seen: SeenChange): Promise<RuleSight[]> {
    const { catalog, refusalOf } = this.#deps;
    const { data } = catalog;
    const taps = data.taps.filter((tap) => tap.organizationId === organizationId);
    const sights: RuleSight[] = [];
    const byTap = Map.groupBy(data.rules, ({ tapId }) => tapId);
    for (const tap of taps) {
      const rules = byTap.get(tap.id) ?? [];
      const hasMatched = rules.some(({ id }) => seen.matched.includes(id));
      const events = hasMatched ? await this.#eventsOf(tap.id, seen) : new Map<string, Delivery>();
      for (const rule of rules) {
        const isPaused = tap.status !== 'active' || rule.paused === true;
        const outcome = isPaused ? PAUSED : refusalOf(rule) === undefined ? outcomeOf(rule.id, seen) : REFUSED;
        sights.push({
          ...named(rule, tap.name),
          ...outcome,
          ...(outcome.outcome === 'matched' && events.get(rule.id)),
        });
      }
    }
    return sights;
  }

  /** By rule: the event that the change became, and whether someone has read it. */
  async #eventsOf(tapId: string, { at, url }: SeenChange): Promise<Map<string, Delivery>> {
    const { eventLog, isDelivered } = this.#deps;
    const found = new Map<string, Delivery>();
    const { partition } = await eventLog.bounds(tapId);
    const from = await eventLog.firstAt(tapId, at - SKEW_MS);
    for (const event of await eventLog.read(tapId, from, EVENTS)) {
      if (event.at > at + SKEW_MS) break;
      if ((JSON.parse(event.document) as { url: string }).url !== url) continue;
      const delivery = {
        event: formatEventId({ partition, offset: event.offset }),
        delivered: await isDelivered(tapId, event.offset),
      };
      for (const ruleId of JSON.parse(event.queryIds) as string[]) found.set(ruleId, delivery);
    }
    return found;
  }
}

/** The id of a query that is no rule; those of rules are UUIDs. */
const ASKED = 'asked';
const PAUSED = { outcome: 'paused' } as const;
const REFUSED = { outcome: 'refused' } as const;
const NOTHING = { seen: undefined, isComplete: true };
/** The log and the changes each keep a time that never goes back: by so much the two may differ for one visit. */
const SKEW_MS = 60_000;
/** Looked through for the event of a change: all of some minutes, but of the busiest taps. */
const EVENTS = { events: 1_000, bytes: 8 * 1_024 * 1_024 };

/** Of the last visits that are remembered; undefined where none of them found a change. */
function lastChangeOf({ answers }: PageReport): number | undefined {
  return answers.find(({ outcome }) => outcome === 'changed')?.at;
}

function spanOf(changedAt: number | undefined, oldest: number): { since: number; until?: number } {
  if (changedAt === undefined) return { since: oldest };
  return { since: Math.max(oldest, changedAt - SKEW_MS), until: changedAt + SKEW_MS };
}

function changeToWire({ at, url, title, change }: SeenChange): KeptChange {
  const { chunks, addedAnchors, removedAnchors, links = [], titleChanged } = change;
  return {
    at: new Date(at).toISOString(),
    url,
    ...(title !== undefined && { title }),
    title_changed: titleChanged,
    chunks,
    added_anchors: addedAnchors,
    removed_anchors: removedAnchors,
    links,
  };
}

function named({ id, tapId, tag, value }: RuleRecord, tap: string): Omit<RuleSight, 'outcome'> {
  return { rule_id: id, tap_id: tapId, tap, ...(tag !== undefined && { tag }), value };
}

function outcomeOf(id: string, { matched, withheld, failed }: SeenChange): Pick<RuleSight, 'outcome' | 'reason'> {
  if (failed.includes(id)) return { outcome: 'failed' };
  if (matched.includes(id)) return { outcome: 'matched' };
  const reason = withheld.find(({ ruleId }) => ruleId === id)?.reason;
  return reason === undefined ? { outcome: 'no_match' } : { outcome: 'filtered', reason };
}
