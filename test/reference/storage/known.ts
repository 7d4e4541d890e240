import {
  type Answer,
  type DuePage,
  type HostClass,
  type HostState,
  type LastVisit,
  type PageKind,
  type PageState,
  type TakeQuestion,
  type Trust,
  UNLIMITED,
  type Urgency,
} from '../../../src/daemon/storage/frontier.ts';
import { dueFrom, hostClass, Places } from '../../../src/daemon/storage/frontier-rules.ts';
import type { Fingerprint, PackedVersion } from '../../../src/daemon/storage/pages.ts';
import type { KnownWatch } from './known-watches.ts';

/** What the frontier in memory knows. Keys and ids are given in order, and never twice. */
export interface KnownSource {
  readonly key: number;
  readonly id: string;
  everyMs: number | undefined;
  maxPages: number;
  isPaused: boolean;
  readonly pages: Set<KnownPage>;
  visits: number;
  last: LastVisit | undefined;
  /** When it first had no room and nothing to let go of. */
  fullAt: number | undefined;
  /** Pages let go on the day (since 1970, UTC). */
  left: { readonly day: number; readonly pages: number };
}

export interface KnownHost {
  readonly key: number;
  readonly name: string;
  readonly pages: Map<number, KnownPage>;
  readonly watches: Set<KnownWatch>;
  state: HostState;
  lease: KnownLease | undefined;
  turn: number;
  /** Of the day `foreignDay`. */
  foreignUrls: number;
  foreignDay: number;
  boilerplate: Uint8Array | undefined;
  /** The earliest due time of the pages that can be taken; `stale` when it has to be looked for. */
  earliest: number | undefined | 'stale';
}

interface KnownLease {
  /** The id of the page, or of the watch, that it was given for. */
  readonly holder: number | string;
  /** Never given twice. */
  readonly token: number;
  readonly since: number;
  readonly until: number;
  /** Whether sitemap entries and others both waited: it counts as a turn. */
  readonly isContest: boolean;
}

export interface KnownPage {
  readonly id: number;
  readonly host: KnownHost;
  readonly hash: number;
  readonly url: string;
  readonly bucket: number;
  due: number;
  urgency: Urgency;
  kind: PageKind;
  isBaseline: boolean;
  isFruitful: boolean;
  /** It takes no place (`Places`). */
  isApart: boolean;
  /** With the page's depth in each. */
  readonly holders: Map<KnownSource, number>;
  /** Another page has said that it is this one. */
  isCanonical: boolean;
  state: PageState | undefined;
  answers: readonly Answer[];
  version: PackedVersion | undefined;
  fingerprint: Fingerprint | undefined;
  /** The page it is a near duplicate of, and the one it says it is, as long as that counts. */
  copyOf: KnownPage | undefined;
  aliasOf: KnownPage | undefined;
  /** The sitemap that said it has changed, until a visit shows whether it had. */
  hintedBy: KnownPage | undefined;
  trust: Trust;
}

export const UNKNOWN_PAGE = {
  isCanonical: false,
  isFruitful: false,
  state: undefined,
  answers: [],
  version: undefined,
  fingerprint: undefined,
  copyOf: undefined,
  aliasOf: undefined,
  hintedBy: undefined,
  trust: { right: 0, wrong: 0 },
} as const;

export function placesOf({ maxPages, pages }: KnownSource): Places {
  return new Places({ maxPages, pages: pages.size, apart: [...pages].filter((page) => page.isApart).length });
}

/** Sources that are paused leave a page alone; with no other one it is not taken. */
export function activeHolders(page: KnownPage): KnownSource[] {
  return [...page.holders.keys()].filter((source) => !source.isPaused).toSorted((one, other) => one.key - other.key);
}

export function isTakable(page: KnownPage): boolean {
  return [...page.holders.keys()].some((source) => !source.isPaused);
}

export function everyMsOf(page: KnownPage): number | undefined {
  return earliest(activeHolders(page).flatMap((source) => source.everyMs ?? []));
}

export function toDuePage(page: KnownPage): DuePage {
  const { id, url, host, due, kind, urgency, isBaseline, state } = page;
  return structuredClone({
    id,
    url,
    host: host.name,
    due,
    kind,
    urgency,
    isBaseline,
    everyMs: everyMsOf(page),
    holders: activeHolders(page).map((source) => ({ sourceId: source.id, depth: page.holders.get(source) ?? 0 })),
    state: state && { ...state, validators: state.bodyHash === undefined ? undefined : state.validators },
    hostState: host.state,
    trust: kind === 'sitemap' ? page.trust : undefined,
  });
}

/** From when on something of the host can be taken, whoever has it now. */
export function readyAt(host: KnownHost): number | undefined {
  if (host.earliest === 'stale') {
    host.earliest = earliest([...host.pages.values()].filter(isTakable).map((page) => page.due));
  }
  return host.earliest === undefined ? undefined : Math.max(host.earliest, host.state.notBefore);
}

/** Not `Math.min(...)`: a site of a hundred thousand pages has more values than a call may have arguments. */
export function earliest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : times.reduce((least, time) => Math.min(least, time));
}

/** How many of each class may still be taken. */
export class ClassRoom {
  readonly #wanted: Readonly<Record<HostClass, number>>;
  readonly #left: Record<HostClass, number>;

  constructor({ most }: TakeQuestion) {
    this.#wanted = { ...UNLIMITED, ...most };
    this.#left = { ...this.#wanted };
  }

  isWanted({ state, lease }: KnownHost): boolean {
    return lease !== undefined || this.#wanted[hostClass(state)] > 0;
  }

  isFull({ state }: KnownHost): boolean {
    return this.#left[hostClass(state)] <= 0;
  }

  take({ state }: KnownHost): void {
    this.#left[hostClass(state)] -= 1;
  }
}

export function newSource(
  key: number,
  id: string,
  terms: Pick<KnownSource, 'everyMs' | 'maxPages' | 'isPaused'>,
): KnownSource {
  const empty = {
    pages: new Set<KnownPage>(),
    visits: 0,
    last: undefined,
    fullAt: undefined,
    left: { day: 0, pages: 0 },
  };
  return { ...terms, id, key, ...empty };
}

/** It waits as long as it was to when a clock that was ahead said when it was visited. */
export function visitedNow(page: KnownPage, state: PageState, now: number): void {
  page.due = dueFrom(now, page.due, state.visitedAt);
  const doubtedAt = state.doubtedAt === undefined ? undefined : Math.min(state.doubtedAt, now);
  page.state = { ...state, visitedAt: now, fullAt: Math.min(state.fullAt, now), doubtedAt };
}
