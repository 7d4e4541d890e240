import type { Rule } from '../../shared/api/rule.ts';
import type { EventId } from '../../shared/api/stream.ts';
import type { Update } from '../client/stream-event.ts';

/** Matches kept on the screen: older ones are read again with `--since`. */
export const RING = 1_000;
/** The rate is counted in twelve buckets of five seconds: one minute. */
export const BUCKETS = 12;
export const BUCKET_MS = 5_000;

/** What the screen of `tail` knows; what changes it is in tail-reducer.ts, how it looks in tail-view.ts. */
export interface TailModel {
  /** Names; one at least. */
  readonly taps: readonly string[];
  /** The one whose matches are shown; undefined: all. */
  readonly shownTap: string | undefined;
  /** The daemon. */
  readonly label: string;
  /** Of all taps together. */
  readonly rules: number;
  /** By tap. */
  readonly connections: ReadonlyMap<string, ConnectionState>;
  /** By tap: the event that was to come next when its stream opened. */
  readonly heads: ReadonlyMap<string, EventId>;
  /** The newest at the end, at most `RING`. */
  readonly rows: readonly Row[];
  readonly total: number;
  /** Matches in each of the last buckets, without those that the log had before, the newest at the end, and when that one began. */
  readonly buckets: readonly number[];
  readonly bucketStart: number;
  readonly now: number;
  /** `seq` of the marked row; undefined follows the newest. */
  readonly marked: number | undefined;
  /** The view stands still: nothing after this `seq` is shown. The reading goes on. */
  readonly pausedAt: number | undefined;
  readonly open: boolean;
  /** The last thing the daemon said, the gap it reported, or the result of an action. */
  readonly notice: string | undefined;
  /** What rows must have in them, in lower case; empty: nothing. */
  readonly filter: string;
  /** The filter is being typed. */
  readonly typing: boolean;
  /** What the keys do is shown instead of the matches. */
  readonly help: boolean;
  /** What is to be answered before it is done. */
  readonly question: readonly string[] | undefined;
  /** How long the newest live match took from the page to here, in milliseconds; undefined before the first. */
  readonly lagMs: number | undefined;
  /** Whether keys do anything outside of the screen. */
  readonly canAct: boolean;
}

export type ConnectionState =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  | { readonly state: 'waiting'; readonly until: number; readonly reason: string };

export interface Row {
  /** The how-many-eth match of this run: names the row while the ring moves. */
  readonly seq: number;
  readonly tap: string;
  readonly update: Update;
  readonly rules: readonly Rule[];
  readonly label: string;
}

export function initialModel(
  facts: Pick<TailModel, 'taps' | 'label' | 'rules' | 'open' | 'now' | 'canAct'>,
): TailModel {
  return {
    ...facts,
    shownTap: undefined,
    connections: new Map(facts.taps.map((tap) => [tap, { state: 'connecting' }])),
    heads: new Map(),
    filter: '',
    typing: false,
    help: false,
    question: undefined,
    lagMs: undefined,
    rows: [],
    total: 0,
    buckets: Array.from({ length: BUCKETS }, () => 0),
    bucketStart: facts.now,
    marked: undefined,
    pausedAt: undefined,
    notice: undefined,
  };
}

/** Rows that may be shown: all of them, or those of one tap, with the filter in them, from before the pause. */
export function visibleRows(model: TailModel): readonly Row[] {
  const { pausedAt, rows, shownTap, filter } = model;
  if (pausedAt === undefined && shownTap === undefined && filter === '') return rows;
  return rows.filter(
    (row) =>
      (pausedAt === undefined || row.seq <= pausedAt) &&
      (shownTap === undefined || row.tap === shownTap) &&
      (filter === '' || has(row, filter)),
  );
}

/** The row that keys are about. */
export function markedRow(model: TailModel): Row | undefined {
  return visibleRows(model)[markedIndex(model)];
}

function has({ label, update: { match } }: Row, filter: string): boolean {
  const { url, title = '', diff } = match.document;
  const texts = [title, url, label, ...(diff?.chunks.map(({ text }) => text) ?? [])];
  return texts.some((text) => text.toLowerCase().includes(filter));
}

/** Place of the marked row among the visible ones; the last one when nothing is marked; -1 when there is none. */
export function markedIndex(model: TailModel): number {
  const rows = visibleRows(model);
  if (model.marked === undefined) return rows.length - 1;
  const index = rows.findIndex((row) => row.seq === model.marked);
  // The ring has moved past it: the oldest row that is left stands for it.
  return index === -1 ? Math.min(0, rows.length - 1) : index;
}

export function perMinute(model: TailModel): number {
  return model.buckets.reduce((sum, count) => sum + count, 0) * (60_000 / (BUCKETS * BUCKET_MS));
}

/** Of the taps that are shown. */
export function connectionsOf({ connections, shownTap }: TailModel): ConnectionState[] {
  return [...connections].filter(([tap]) => shownTap === undefined || tap === shownTap).map(([, state]) => state);
}

/** What there is to say of all connections together: the one that waits, else the one that is not there yet. */
export function connectionOf(model: TailModel): ConnectionState {
  const states = connectionsOf(model);
  return (
    states.find(({ state }) => state === 'waiting') ??
    states.find(({ state }) => state === 'connecting') ?? { state: 'live' }
  );
}
