import type { PageState, Validators } from '../../../src/daemon/storage/frontier.ts';
import {
  answersAfter,
  asDeferred,
  isApartAfter,
  isLike,
  isNear,
  trustAfter,
} from '../../../src/daemon/storage/frontier-rules.ts';
import {
  type Committed,
  discoveredBy,
  type PackedVersion,
  type Pages,
  type Visit,
} from '../../../src/daemon/storage/pages.ts';
import type { MemoryEventLog } from './event-log.ts';
import type { MemoryFrontier } from './frontier.ts';
import { activeHolders, isTakable, type KnownPage } from './known.ts';
import type { MemoryRatings } from './ratings.ts';
import type { MemoryRecentChanges } from './recent-changes.ts';

export class MemoryPages implements Pages {
  readonly #log: MemoryEventLog;
  readonly #ratings: MemoryRatings;
  readonly #frontier: MemoryFrontier;

  readonly #recent: MemoryRecentChanges;

  constructor(parts: {
    frontier: MemoryFrontier;
    log: MemoryEventLog;
    ratings: MemoryRatings;
    recent: MemoryRecentChanges;
  }) {
    this.#frontier = parts.frontier;
    this.#log = parts.log;
    this.#ratings = parts.ratings;
    this.#recent = parts.recent;
  }

  async version(pageId: number): Promise<PackedVersion | undefined> {
    const version = this.#frontier.page(pageId)?.version;
    return version && { ...version, page: version.page.slice(), body: version.body.slice() };
  }

  async boilerplate(host: string): Promise<Uint8Array | undefined> {
    return this.#frontier.host(host)?.boilerplate?.slice();
  }

  async commit(given: Visit): Promise<Committed> {
    const found = structuredClone(given);
    if (this.#frontier.isFenced(found.pageId, found.lease)) return { events: [], isFenced: true };
    const page = this.#frontier.page(found.pageId);
    if (found.host) this.#frontier.rest(found.pageId, found.host);
    if (!page) return { events: [] };
    this.#frontier.discover(discoveredBy(found), found.at, page);
    this.#frontier.clock = Math.max(this.#frontier.clock, found.at);
    const target = this.#target(page, found);
    if (target) elect(target, found.at);
    const isDeferred = target !== undefined && isToWait(page, target, found);
    const repeats = isDeferred ? 'alias' : this.#repeats(page, found, target);
    return this.#save(page, isDeferred ? asDeferred(found) : found, repeats);
  }

  #save(page: KnownPage, visit: Visit, repeats: Committed['withheld']): Committed {
    const withheld = repeats === 'duplicate' && isOwnNews(page, visit) ? undefined : repeats;
    if (repeats) page.kind = 'minor';
    else page.kind = visit.kind ?? page.kind;
    page.isApart = isApartAfter(visit, page.kind, page.state ? page.isApart : undefined);
    this.#keep(page, visit, repeats !== undefined);
    if (visit.outcome !== 'failed') settleHint(page, visit.isMainChange);
    record(page, visit);
    this.#count(page, visit);
    return withheld ? { events: [], withheld } : { events: this.#tell(visit) };
  }

  #tell({ at, toldAt = at, events, recent, version }: Visit): Committed['events'] {
    if (recent && version) this.#recent.add(recent, version.page, toldAt);
    return this.#log.append(events, toldAt);
  }

  #keep(page: KnownPage, { version, linksTo, boilerplate }: Visit, isRepetition: boolean): void {
    if (version && !page.version && !isRepetition) page.isFruitful = true;
    page.version = version ?? page.version;
    if (linksTo) this.#ratings.link(page.id, linksTo);
    if (boilerplate) page.host.boilerplate = boilerplate;
  }

  /** The page that this one says it is, where that is another one. */
  #target(page: KnownPage, { outcome, sameAs, isNamed }: Visit): KnownPage | undefined {
    if (outcome === 'failed' || isNamed || sameAs === undefined) return undefined;
    const target = this.#frontier.find(sameAs);
    return target === page ? undefined : target;
  }

  /** Whether the page is another one that speaks for both: what it says itself, then what its text shows. */
  #repeats(
    page: KnownPage,
    { outcome, fingerprint, kind, isNamed }: Visit,
    target: KnownPage | undefined,
  ): Committed['withheld'] {
    if (outcome === 'failed') return undefined;
    const isFirstSeen = page.fingerprint === undefined;
    page.fingerprint = fingerprint ?? page.fingerprint;
    // A visit that read nothing has not seen what the page says of itself.
    const said = kind === undefined ? page.aliasOf : target;
    const like = isFirstSeen ? this.#original(page) : page.copyOf;
    page.aliasOf = undefined;
    page.copyOf = undefined;
    if (isNamed) return undefined;
    if (said !== page && isBelieved(page, said)) page.aliasOf = said;
    if (isSpeaking(like) && isAlike(page, like)) page.copyOf = like;
    if (fingerprint) this.#speakFor(page);
    return repetitionOf(page);
  }

  #original(page: KnownPage): KnownPage | undefined {
    const found = this.#rivals(page).filter((rival) => !page.isCanonical || rival.isCanonical);
    return found.toSorted((one, other) => one.id - other.id)[0];
  }

  /** Pages that were there first and say the same, and that nobody has named, are its copies. */
  #speakFor(page: KnownPage): void {
    if (!page.isCanonical || repetitionOf(page)) return;
    for (const rival of this.#rivals(page)) if (!rival.isCanonical) rival.copyOf = page;
  }

  #rivals(page: KnownPage): KnownPage[] {
    const others = this.#frontier.fingerprinted(page.fingerprint?.group ?? '').filter((rival) => rival !== page);
    return others.filter((rival) => isSpeaking(rival) && isAlike(page, rival));
  }

  #count(page: KnownPage, visit: Visit): void {
    const { counters } = this.#frontier;
    counters.visits += 1;
    if (visit.outcome === 'changed') counters.changes += 1;
    if (visit.outcome === 'failed') counters.failures += 1;
    const [newest] = answersAfter([], visit);
    for (const source of activeHolders(page)) {
      source.visits += 1;
      if (newest && (!source.last || source.last.at <= visit.at)) source.last = { url: page.url, ...newest };
    }
  }
}

function repetitionOf({ aliasOf, copyOf }: KnownPage): Committed['withheld'] {
  if (aliasOf) return 'alias';
  return copyOf && 'duplicate';
}

/** From now on it is nobody's copy, but of a page that others have named, too. */
function elect(target: KnownPage, at: number): void {
  target.isCanonical = true;
  if (!target.copyOf || target.copyOf.isCanonical) return;
  target.copyOf = undefined;
  target.due = Math.min(target.due, at);
  target.host.earliest = 'stale';
}

/** For the page that it says it is: nobody has visited that one yet, and somebody will. */
function isToWait(page: KnownPage, target: KnownPage, { version, host }: Visit): boolean {
  const isFirst = page.state === undefined && version !== undefined && host !== undefined;
  return isFirst && target.state === undefined && isTakable(target);
}

/** Visited, there at the last visit, and itself no copy: what it has to say is told. */
function isSpeaking(page: KnownPage | undefined): page is KnownPage {
  return page?.state?.failures === 0 && !page.copyOf && !page.aliasOf;
}

function isAlike(page: KnownPage, other: KnownPage): boolean {
  const [mine, its] = [page.fingerprint, other.fingerprint];
  return mine !== undefined && its !== undefined && mine.group === its.group && isNear(mine.simhash, its.simhash);
}

/** That it is the other one: which is visited, and says something like it. */
function isBelieved(page: KnownPage, other: KnownPage | undefined): other is KnownPage {
  if (!isSpeaking(other) || !isTakable(other)) return false;
  return isLike(page.fingerprint?.simhash, other.fingerprint?.simhash);
}

/** A change of a copy where its original has had none since the copy's last one. */
function isOwnNews({ version, copyOf }: KnownPage, visit: Visit): boolean {
  return version !== undefined && visit.version !== undefined && !((copyOf?.version?.at ?? 0) > version.at);
}

function settleHint(page: KnownPage, isRight: boolean): void {
  if (page.hintedBy) page.hintedBy.trust = trustAfter(page.hintedBy.trust, isRight);
  page.hintedBy = undefined;
}

function record(page: KnownPage, visit: Visit): void {
  const isForAll = activeHolders(page).every((source) => visit.sourceIds.includes(source.id));
  page.due = isForAll ? visit.nextDue : visit.at;
  page.urgency = 0;
  page.host.earliest = 'stale';
  page.answers = answersAfter(page.answers, visit);
  const { state } = page;
  page.state = {
    visitedAt: visit.at,
    bodyHash: isForAll ? (visit.bodyHash ?? state?.bodyHash) : undefined,
    validators: validatorsAfter(state, visit),
    fullAt: visit.isFull === true ? visit.at : (state?.fullAt ?? 0),
    failures: visit.outcome === 'failed' ? (state?.failures ?? 0) + 1 : 0,
    doubtedAt: visit.doubtedAt,
    rate: visit.rate,
  };
}

function validatorsAfter(state: PageState | undefined, visit: Visit): Validators | undefined {
  if (visit.validators) return visit.validators;
  return visit.bodyHash === undefined ? state?.validators : undefined;
}
