import type { Metering } from '../accounts/metering.ts';
import { Problem } from '../problem.ts';
import type { CatalogData } from '../storage/catalog.ts';
import { eventsOf, matchIn } from '../feeds/feed-state.ts';
import type { EventLog, LoggedEvent } from '../storage/event-log.ts';
import type { PastMatch } from '../../shared/documents/past-match.ts';
import { VIEW_MATCHES_SEARCHED } from '../../shared/limits.ts';

interface Deps {
  readonly catalog: { readonly data: CatalogData };
  readonly eventLog: Pick<EventLog, 'bounds' | 'firstAt' | 'read'>;
  readonly metering: Pick<Metering, 'deliver'>;
}

interface Asked {
  readonly tapIds: readonly string[];
  /** Only matches of this rule. */
  readonly ruleId?: string | undefined;
  /** Only matches of an earlier time, in milliseconds since 1970. */
  readonly before?: number | undefined;
  readonly atMost: number;
}

interface Found {
  /** Newest first. */
  readonly matches: readonly PastMatch[];
  /** What to give as `before` to go on; undefined: there are no older ones. */
  readonly next: number | undefined;
}

/**
 * The newest matches of some taps, together: what their streams would replay, from the end. They are read from the log as a stream
 * reads them, and delivered as a stream delivers them: a match that nobody has had before is charged.
 */
export class Timeline {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** At most `atMost`, and those beside them that have the very time of the last one. @throws {Problem} out_of_credit */
  async newest(asked: Asked): Promise<Found> {
    const lists = await Promise.all(asked.tapIds.map((tapId) => this.#ofTap(tapId, asked)));
    const all = lists.flatMap(({ matches }) => matches).toSorted((one, other) => other.ms - one.ms);
    // What is older than where a list ends may have others of that list before it.
    const known = Math.max(...lists.flatMap(({ next }) => next ?? []), -Infinity);
    const later = all.filter(({ ms }) => ms > known);
    const certain = later.length > 0 ? later : all.filter(({ ms }) => ms >= known);
    const last = certain[asked.atMost - 1]?.ms ?? certain.at(-1)?.ms;
    const shown = certain.filter(({ ms }) => last !== undefined && ms >= last);
    const isAll = shown.length === all.length && known === -Infinity;
    return { matches: shown.map(({ match }) => match), next: isAll ? undefined : (last ?? known) };
  }

  /** Of one tap, newest first. `next`: the time of the oldest that was looked at; undefined where there is no older one. */
  async #ofTap(tapId: string, { ruleId, before, atMost }: Asked): Promise<OfTap> {
    const { eventLog, catalog } = this.#deps;
    const bounds = await eventLog.bounds(tapId);
    const end = before === undefined ? bounds.head : await eventLog.firstAt(tapId, before);
    const about = { tapId, bounds, ...labelsOf(tapId, catalog.data) };
    const lowest = Math.max(bounds.floor, end - (ruleId === undefined ? atMost + TIES : VIEW_MATCHES_SEARCHED));
    const found: { readonly ms: number; readonly match: PastMatch }[] = [];
    let at = end;
    let oldest = before ?? Infinity;
    while (at > lowest && found.length < atMost + TIES) {
      const from = Math.max(lowest, at - STEP);
      for (const event of await this.#delivered(tapId, from, at)) {
        oldest = event.at;
        const match = isOfRule(event, ruleId) ? matchIn(event, about) : undefined;
        if (match !== undefined) found.push({ ms: event.at, match });
      }
      at = from;
    }
    return { matches: found, next: at > bounds.floor ? oldest : undefined };
  }

  /** Events, the newest first, as far as they are paid for. @throws {Problem} out_of_credit, where none of them is */
  async #delivered(tapId: string, from: number, to: number): Promise<LoggedEvent[]> {
    const paidTo = await this.#deps.metering.deliver(tapId, from, to);
    if (paidTo <= from) throw new Problem('out_of_credit', {});
    return (await eventsOf(tapId, { from, to: Math.min(to, paidTo) }, this.#deps)).toReversed();
  }
}

interface OfTap {
  readonly matches: readonly { readonly ms: number; readonly match: PastMatch }[];
  readonly next: number | undefined;
}

function isOfRule({ queryIds }: LoggedEvent, ruleId: string | undefined): boolean {
  return ruleId === undefined || (JSON.parse(queryIds) as string[]).includes(ruleId);
}

/** The name of a tap, and what its rules are called: their tags, or their queries. */
export function labelsOf(
  tapId: string,
  { taps, rules }: CatalogData,
): { readonly tap: string; readonly tags: ReadonlyMap<string, string> } {
  const own = rules.filter((rule) => rule.tapId === tapId);
  return {
    tap: taps.find(({ id }) => id === tapId)?.name ?? '',
    tags: new Map(own.map(({ id, tag, value }) => [id, tag ?? value])),
  };
}

/** Offsets that are read and paid at a time. */
const STEP = 200;
/** Matches of one instant, at the end of a page, that are shown with it. */
const TIES = 20;
