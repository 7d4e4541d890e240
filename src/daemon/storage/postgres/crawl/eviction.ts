import { type Lead, URGENT } from '../../frontier.ts';
import { FLAG, urgencyOf } from '../../frontier-coding.ts';
import { dayOf, evictionsADay, type Places } from '../../frontier-rules.ts';
import type { Transaction } from '../connection/database.ts';
import { ownerCode, type PageRow } from './rows.ts';
import type { SourceRow } from './source-store.ts';
import { isQuiet, type WorkingSet } from './working-set.ts';

interface Circumstances {
  readonly set: WorkingSet;
  readonly source: SourceRow;
  readonly at: number;
  /** The page that leads there: its visit is under way. */
  readonly from: number | undefined;
  readonly leads: number;
  readonly places: Places;
}

/** More candidates than are to go: those whose visits are under way, or whose hosts somebody else has locked, are passed over. */
const SPARE = 64;
/** Pages of which another source was the first holder that are looked at: they have no index of their own, and are few. */
const SHARED_AMONG = 2_000;

/**
 * How one source, which is locked, makes room while URLs come in: one page goes for each that comes. Who goes is settled when the
 * first one has to. Pages of hosts that somebody else has locked are passed over, so that nobody waits, and nobody for each other.
 */
export class Eviction {
  readonly #given: Circumstances;
  /** Of those apart, and of the others, the next to go at the end. */
  readonly #waiting = new Map<boolean, PageRow[]>();

  constructor(given: Circumstances) {
    this.#given = given;
  }

  /** The page that is to go for this lead; undefined: none may. What was there when the source became full is no news. */
  async next(transaction: Transaction, lead: Lead): Promise<PageRow | undefined> {
    const { source, at } = this.#given;
    if (lead.changedAt !== undefined && lead.changedAt <= (source.fullAt ?? -Infinity)) return undefined;
    if (this.#today() >= evictionsADay(source.maxPages, lead)) return undefined;
    const next = await this.#first(transaction);
    if (!next) source.fullAt ??= at;
    return next;
  }

  letGo(page: PageRow): void {
    const { set, source, places, at } = this.#given;
    const isApart = (page.flags & FLAG.apart) !== 0;
    this.#waiting.get(isApart)?.pop();
    places.remove(isApart);
    set.letGo(page, source.key);
    source.leftPages = this.#today() + 1;
    source.leftDay = dayOf(at);
    source.tombstones += 1;
  }

  #today(): number {
    const { source, at } = this.#given;
    return source.leftDay === dayOf(at) ? source.leftPages : 0;
  }

  /** What nobody could read goes first, where that leaves a place. */
  async #first(transaction: Transaction): Promise<PageRow | undefined> {
    const apart = this.#given.places.isFreedBy(true) ? await this.#firstOf(transaction, true) : undefined;
    return apart ?? this.#firstOf(transaction, false);
  }

  async #firstOf(transaction: Transaction, isApart: boolean): Promise<PageRow | undefined> {
    const waiting = this.#waiting.get(isApart) ?? (await this.#expendable(transaction, isApart));
    this.#waiting.set(isApart, waiting);
    for (let next = waiting.at(-1); next; next = waiting.at(-1)) {
      if (this.#mayGo(next)) return next;
      waiting.pop();
    }
    return undefined;
  }

  /** Those last whose next visit is furthest away. */
  async #expendable(transaction: Transaction, isApart: boolean): Promise<PageRow[]> {
    const { set, source, leads } = this.#given;
    const rows = await transaction.query<{ key: number; host: number }>(isApart ? APART : OTHERS, [
      source.key,
      leads + SPARE,
    ]);
    const unlocked = rows.map(({ host }) => host).filter((host) => !set.hosts.has(host));
    await set.lockFreeHosts(transaction, unlocked);
    const ours = rows.filter(({ host }) => set.hosts.has(host)).map(({ key }) => key);
    await set.loadPages(transaction, ours);
    return ours.flatMap((key) => set.pages.get(key) ?? []).toReversed();
  }

  /** What is asked for, or said to have changed since the list was made, is visited first. */
  #mayGo(page: PageRow): boolean {
    const { set, source, from } = this.#given;
    const isUnderWay = page.key === from || set.hosts.get(page.host)?.leaseOwner === ownerCode(page.key);
    const isHeld = set.pages.get(page.key) === page && set.depthIn(page, source.key) !== undefined;
    return isHeld && !isUnderWay && urgencyOf(page.urgency) === URGENT.none && isQuiet(page);
  }
}

/** Each by its index, whose condition is repeated to the letter. */
function expendable(which: string): string {
  const quiet = `${which} AND pages.urgency IN (0, -1)`;
  return `SELECT key, host FROM (
      (SELECT key, host, due FROM pages WHERE source = $1 AND depth > 0 AND ${quiet} ORDER BY due DESC, key DESC LIMIT $2)
      UNION ALL
      (SELECT pages.key, pages.host, pages.due
        FROM (SELECT page, depth FROM holdings WHERE source = $1 ORDER BY page LIMIT ${SHARED_AMONG}) AS held
          JOIN pages ON pages.key = held.page
        WHERE held.depth > 0 AND ${quiet} ORDER BY pages.due DESC, pages.key DESC LIMIT $2)) AS found
    ORDER BY due DESC, key DESC`;
}

const APART = expendable('flags & 80 = 80');
const OTHERS = expendable('flags & 80 = 16');
