import { type FrontierTotals, type Lead, URGENT } from '../../frontier.ts';
import { codeOf, FLAG, shortUrl, urgencyOf } from '../../frontier-coding.ts';
import {
  asReported,
  bucketOf,
  dayOf,
  dueByHint,
  foreignBudget,
  isListing,
  isOld,
  mostTombstones,
  Places,
} from '../../frontier-rules.ts';
import { columnsOf } from '../connection/columns.ts';
import type { Queryable, Transaction } from '../connection/database.ts';
import { Eviction } from './eviction.ts';
import { type HostRatings, Room } from './admission-room.ts';
import { flush } from './flush.ts';
import type { HostStore } from './host-store.ts';
import type { PageRow } from './rows.ts';
import type { SourceChange, SourceRow, SourceStore } from './source-store.ts';
import { WorkingSet } from './working-set.ts';

/** URLs that were found for one source. */
export interface Admission {
  readonly sourceId: string;
  readonly leads: readonly Lead[];
  readonly at: number;
  /** The operator gave them: no budget keeps them out. */
  readonly isSeed?: boolean;
  /** The page that leads there, as its visit found it. */
  readonly from?: Pick<PageRow, 'key' | 'kind'>;
}

interface Parts {
  readonly node: string;
  readonly hosts: HostStore;
  readonly sources: SourceStore;
  readonly ratings: HostRatings;
  /** What pages that are gone have said of other domains goes with them. */
  readonly unlink: (transaction: Transaction, pages: readonly number[]) => Promise<void>;
}

type Refusal = keyof FrontierTotals['dropped'];

/** URLs of one transaction, at most. */
const LEADS_AT_ONCE = 500;
/** Empty hosts that are looked at: the most of them have just become so, the others still rest. */
const EMPTY_HOSTS = 200;

/**
 * How URLs come into the frontier. Most of what a visit finds is known already and says nothing new: that is found out by a
 * read that locks nobody. What is left is decided with the source locked, so that no two nodes give away its last place.
 */
export class AdmissionStore {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Of what was found that which may change anything, in portions of one transaction each. */
  async pending(from: Queryable, found: readonly Admission[]): Promise<Admission[][]> {
    const leads = found.flatMap((admission) => admission.leads.map((lead) => ({ admission, lead })));
    if (leads.length === 0) return [];
    const known = await this.#knownHoldings(from, leads);
    const news = leads.filter(({ admission, lead }) => {
      const depth = known.get(`${admission.sourceId} ${lead.host} ${lead.hash}`);
      const isHint = lead.urgency !== URGENT.none && admission.isSeed !== true;
      return depth === undefined || lead.depth < depth || isHint;
    });
    return portionsOf(news);
  }

  /** Takes them in; how many pages are new. */
  async take(transaction: Transaction, admissions: readonly Admission[]): Promise<number> {
    const set = new WorkingSet();
    const sources = await this.#parts.sources.lock(
      transaction,
      admissions.map(({ sourceId }) => sourceId),
    );
    const known = admissions.filter(({ sourceId }) => sources.has(sourceId));
    if (known.length === 0) return 0;
    for (const source of sources.values()) set.terms.set(source.key, source);
    const room = await Room.of(
      transaction,
      set,
      known.flatMap(({ leads }) => [...leads]),
      this.#parts.ratings,
    );
    const changes: SourceChange[] = [];
    for (const admission of known) {
      const source = sources.get(admission.sourceId);
      if (source) changes.push(await new Intake(set, room, source, admission).take(transaction));
    }
    await this.#forgetTombstones(transaction, sources.values());
    await flush(transaction, set, this.#parts);
    await this.#parts.sources.save(transaction, summed(changes));
    await room.writeTombstones(transaction);
    await this.#parts.unlink(
      transaction,
      [...set.removedPages].map(({ key }) => key),
    );
    await this.#forgetEmptied(transaction, set);
    return set.newPages.size;
  }

  /** The depth at which a source holds a page, by source, host and hash. */
  async #knownHoldings(
    from: Queryable,
    leads: readonly { readonly admission: Admission; readonly lead: Lead }[],
  ): Promise<Map<string, number>> {
    const rows = await from.query<{ n: number; depth: number }>(
      `SELECT wanted.n, least(holdings.depth, CASE WHEN pages.source = sources.key THEN pages.depth END) AS depth
      FROM unnest($1::text[], $2::text[], $3::bigint[]) WITH ORDINALITY AS wanted (source, host, hash, n)
        JOIN sources ON sources.id = wanted.source
        JOIN hosts ON hosts.name = wanted.host
        JOIN pages ON pages.host = hosts.key AND pages.hash = wanted.hash
        LEFT JOIN holdings ON pages.flags & ${FLAG.shared} <> 0 AND holdings.page = pages.key
          AND holdings.source = sources.key
      WHERE pages.source = sources.key OR holdings.source IS NOT NULL`,
      columnsOf(
        leads,
        ({ admission }) => admission.sourceId,
        ({ lead }) => lead.host,
        ({ lead }) => lead.hash,
      ),
    );
    const depths = new Map<string, number>();
    for (const { n, depth } of rows) {
      const found = leads[n - 1];
      if (found) depths.set(`${found.admission.sourceId} ${found.lead.host} ${found.lead.hash}`, depth);
    }
    return depths;
  }

  async #forgetTombstones(transaction: Transaction, sources: Iterable<SourceRow>): Promise<void> {
    for (const source of sources) {
      const over = source.tombstones - mostTombstones(source.maxPages);
      if (over <= 0) continue;
      source.tombstones -= await forgetOldest(transaction, source.key, over);
    }
  }

  async #forgetEmptied(transaction: Transaction, set: WorkingSet): Promise<void> {
    if (set.leftHosts.size === 0) return;
    const { hosts, node } = this.#parts;
    const rest = new WorkingSet();
    await hosts.forgetEmpty(transaction, rest, EMPTY_HOSTS, await hosts.clock(transaction));
    await flush(transaction, rest, { node });
  }
}

/** Deletes the oldest tombstones of the source; how many there were. */
export async function forgetOldest(transaction: Queryable, source: number, atMost: number): Promise<number> {
  const rows = await transaction.query(
    `DELETE FROM retired WHERE source = $1 AND hash IN (
      SELECT hash FROM retired WHERE source = $1 ORDER BY at, hash LIMIT $2) RETURNING hash`,
    [source, atMost],
  );
  return rows.length;
}

/** In their order, each portion of at most `LEADS_AT_ONCE` URLs. */
function portionsOf(leads: readonly { readonly admission: Admission; readonly lead: Lead }[]): Admission[][] {
  const portions: Admission[][] = [];
  for (let begin = 0; begin < leads.length; begin += LEADS_AT_ONCE) {
    const portion = new Map<Admission, Lead[]>();
    for (const { admission, lead } of leads.slice(begin, begin + LEADS_AT_ONCE)) {
      const same = portion.get(admission) ?? [];
      same.push(lead);
      portion.set(admission, same);
    }
    portions.push(Array.from(portion, ([admission, some]) => Object.assign({}, admission, { leads: some })));
  }
  return portions;
}

function summed(changes: readonly SourceChange[]): SourceChange[] {
  const sums = new Map<number, SourceChange>();
  for (const { row, pages, apart } of changes) {
    const before = sums.get(row.key);
    sums.set(row.key, { row, pages: pages + (before?.pages ?? 0), apart: apart + (before?.apart ?? 0) });
  }
  return [...sums.values()];
}

/** The URLs of one source from one page, decided one after another. */
class Intake {
  readonly #set: WorkingSet;
  readonly #room: Room;
  readonly #source: SourceRow;
  readonly #given: Admission;
  readonly #places: Places;
  readonly #eviction: Eviction;

  constructor(set: WorkingSet, room: Room, source: SourceRow, given: Admission) {
    const { at, from, leads } = given;
    const places = new Places(source);
    this.#set = set;
    this.#room = room;
    this.#source = source;
    this.#given = given;
    this.#places = places;
    this.#eviction = new Eviction({ set, source, at, from: from?.key, leads: leads.length, places });
  }

  async take(transaction: Transaction): Promise<SourceChange> {
    const { pages, apart } = this.#source;
    for (const lead of this.#given.leads) await this.#hold(transaction, lead);
    this.#source.pages = this.#places.pages;
    this.#source.apart = this.#places.apart;
    return { row: this.#source, pages: this.#places.pages - pages, apart: this.#places.apart - apart };
  }

  async #hold(transaction: Transaction, lead: Lead): Promise<void> {
    const isSeed = this.#given.isSeed === true;
    const known = this.#room.known(lead);
    if (known && !isSeed) this.#hint(known, lead);
    if (known && this.#isHeld(known, lead.depth)) return;
    const tombstones = this.#room.tombstones(lead.hash);
    const own = tombstones.get(this.#source.key);
    const shown = asReported(lead, isSeed ? 0 : tombstones.size);
    if (!isSeed && !(await this.#isLetIn(transaction, lead, known, own))) return;
    if (own !== undefined) {
      this.#room.digUp(lead.hash, this.#source.key);
      this.#source.tombstones -= 1;
    }
    if (known) this.#share(known, shown);
    else this.#add(shown);
    this.#places.add(isApart(lead, known));
  }

  /** Whether the source holds it already; the smallest depth counts. */
  #isHeld(known: PageRow, depth: number): boolean {
    const before = this.#set.depthIn(known, this.#source.key);
    if (before !== undefined && depth < before) this.#set.setDepth(known, this.#source.key, depth);
    return before !== undefined;
  }

  /** Counts it where it is not, and makes room for it where it has to. */
  async #isLetIn(
    transaction: Transaction,
    lead: Lead,
    known: PageRow | undefined,
    own: number | undefined,
  ): Promise<boolean> {
    const hasPlace = this.#places.isOpenTo(isApart(lead, known));
    if (!hasPlace && isOld(lead, own)) return false;
    const leaving = hasPlace ? undefined : await this.#eviction.next(transaction, lead);
    const refusal = !hasPlace && !leaving ? 'maxPages' : this.#refusal(lead, known);
    if (refusal) this.#set.counts[refusal] += 1;
    else if (leaving) {
      this.#eviction.letGo(leaving);
      this.#room.bury(leaving.hash, this.#source.key, this.#given.at);
    }
    return refusal === undefined;
  }

  #refusal(lead: Lead, known: PageRow | undefined): Refusal | undefined {
    const host = this.#room.hostsByName.get(lead.host);
    if (known || !host) return undefined;
    if (this.#room.isPatternFull(host, bucketOf(lead.pattern))) return 'patternBudget';
    const isToday = host.foreignDay === dayOf(this.#given.at);
    if (!lead.isForeign || !isToday || host.foreignUrls < foreignBudget(0)) return undefined;
    return host.foreignUrls >= foreignBudget(this.#room.dr(lead.host)) ? 'hostBudget' : undefined;
  }

  #add(lead: Lead): void {
    const { at } = this.#given;
    const host = this.#room.hostsByName.get(lead.host) ?? this.#room.addHost(lead.host);
    const bucket = bucketOf(lead.pattern);
    this.#set.addPage({
      key: this.#room.pageKey(),
      host: host.key,
      hash: lead.hash,
      url: shortUrl(lead.url, host.name),
      bucket,
      due: at,
      source: this.#source.key,
      depth: lead.depth,
      urgency: this.#source.isPaused ? ~lead.urgency : lead.urgency,
      kind: codeOf(lead.kind),
      flags: (lead.isBaseline ? FLAG.baseline : 0) | (isListing(lead.kind) ? FLAG.apart : 0),
    });
    this.#set.countPattern(host.key, bucket, { pages: 1 });
    if (!lead.isForeign) return;
    const day = dayOf(at);
    this.#set.changeHost(host.key, {
      foreignDay: day,
      foreignUrls: host.foreignDay === day ? host.foreignUrls + 1 : 1,
    });
  }

  #share(known: PageRow, lead: Lead): void {
    this.#set.addHolding(known, this.#source.key, lead.depth);
    const urgency = Math.max(urgencyOf(known.urgency), lead.urgency);
    this.#set.changePage(known, {
      due: Math.min(known.due, this.#given.at),
      urgency: known.urgency < 0 ? ~urgency : urgency,
      flags: lead.isBaseline ? known.flags : known.flags & ~FLAG.baseline,
    });
    this.#set.settle(known);
    // Its links are known to others, not to this source.
    this.#set.forgottenBodies.add(known.key);
  }

  /** A page that is said to have changed since its last visit is due sooner (`dueByHint`). Who gives no date says so of a new page only. */
  #hint(known: PageRow, lead: Lead): void {
    if (lead.urgency === URGENT.none) return;
    const state = this.#set.visited.get(known.key);
    if (state && (lead.changedAt ?? 0) <= state.visitedAt) return;
    const urgency = Math.max(urgencyOf(known.urgency), lead.urgency);
    this.#set.changePage(known, {
      due: dueByHint({ due: known.due, state }, this.#given.at),
      urgency: known.urgency < 0 ? ~urgency : urgency,
    });
    const { from } = this.#given;
    const isSitemapWord = from?.kind === codeOf('sitemap') && lead.urgency === URGENT.sitemap;
    if (state && isSitemapWord) this.#set.hints.set(known.key, from.key);
  }
}

function isApart(lead: Lead, known: PageRow | undefined): boolean {
  return known ? (known.flags & FLAG.apart) !== 0 : isListing(lead.kind);
}
