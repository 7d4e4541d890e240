import { labelOf } from '../client/rule-book.ts';
import { gapOf } from '../client/stream-gap.ts';
import type { Rule } from '../../shared/api/rule.ts';
import type { StreamEvent, Update } from '../client/stream-event.ts';

/** Matches kept on the screen: older ones are read again with `--since`. */
export const RING = 1_000;
/** The rate is counted in twelve buckets of five seconds: one minute. */
export const BUCKETS = 12;
const BUCKET_MS = 5_000;

export interface TailModel {
  readonly tap: string;
  /** The daemon. */
  readonly label: string;
  readonly rules: number;
  readonly connection: ConnectionState;
  /** The newest at the end, at most `RING`. */
  readonly rows: readonly Row[];
  readonly total: number;
  /** Matches in each of the last buckets, the newest at the end, and when that one began. */
  readonly buckets: readonly number[];
  readonly bucketStart: number;
  readonly now: number;
  /** `seq` of the marked row; undefined follows the newest. */
  readonly marked: number | undefined;
  /** The view stands still: nothing after this `seq` is shown. The reading goes on. */
  readonly pausedAt: number | undefined;
  readonly open: boolean;
  /** The last thing the daemon said, or the gap it told of. */
  readonly notice: string | undefined;
}

export type ConnectionState =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  | { readonly state: 'waiting'; readonly until: number; readonly reason: string };

export interface Row {
  /** The how-many-eth match of this run: names the row while the ring moves. */
  readonly seq: number;
  readonly update: Update;
  readonly rules: readonly Rule[];
  readonly label: string;
}

export type TailAction =
  | {
      readonly type: 'stream';
      readonly event: StreamEvent;
      /** Those the match names. */
      readonly rules: readonly Rule[];
      /** How many the tap has. */
      readonly known: number;
      readonly now: number;
    }
  | { readonly type: 'tick'; readonly now: number }
  | { readonly type: 'key'; readonly key: TailKey };

export type TailKey = 'up' | 'down' | 'first' | 'last' | 'pause' | 'details' | 'back';

export function initialModel(facts: Pick<TailModel, 'tap' | 'label' | 'rules' | 'open' | 'now'>): TailModel {
  return {
    ...facts,
    connection: { state: 'connecting' },
    rows: [],
    total: 0,
    buckets: Array.from({ length: BUCKETS }, () => 0),
    bucketStart: facts.now,
    marked: undefined,
    pausedAt: undefined,
    notice: undefined,
  };
}

/** The whole of the screen's behaviour, free of terminals and clocks. */
export function reduce(model: TailModel, action: TailAction): TailModel {
  switch (action.type) {
    case 'tick':
      return ticked(model, action.now);
    case 'key':
      return pressed(model, action.key);
    case 'stream':
      return streamed({ ...ticked(model, action.now), rules: action.known }, action.event, action.rules);
  }
}

/** Rows that may be shown: all of them, or those from before the pause. */
export function visibleRows(model: TailModel): readonly Row[] {
  const { pausedAt, rows } = model;
  return pausedAt === undefined ? rows : rows.filter((row) => row.seq <= pausedAt);
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

function ticked(model: TailModel, now: number): TailModel {
  const passed = Math.floor((now - model.bucketStart) / BUCKET_MS);
  if (passed <= 0) return model.now === now ? model : { ...model, now };
  const fresh = Array.from({ length: Math.min(passed, BUCKETS) }, () => 0);
  const buckets = [...model.buckets, ...fresh].slice(-BUCKETS);
  return { ...model, now, buckets, bucketStart: model.bucketStart + passed * BUCKET_MS };
}

function streamed(model: TailModel, event: StreamEvent, rules: readonly Rule[]): TailModel {
  switch (event.type) {
    case 'connected':
      return { ...model, connection: { state: 'live' }, notice: (event.start && gapOf(event.start)) ?? model.notice };
    case 'waiting':
      return {
        ...model,
        connection: { state: 'waiting', until: model.now + event.delayMs, reason: event.reason },
      };
    case 'error':
      return { ...model, notice: event.message };
    case 'update':
      return added(model, event, rules);
    case 'end':
      return model;
  }
}

function added(model: TailModel, update: Update, rules: readonly Rule[]): TailModel {
  const total = model.total + 1;
  const row: Row = { seq: total, update, rules, label: labelOf(rules) };
  const kept = model.rows.length >= RING ? model.rows.slice(1 - RING) : model.rows;
  const buckets = [...model.buckets.slice(0, -1), (model.buckets.at(-1) ?? 0) + 1];
  return { ...model, total, rows: [...kept, row], buckets, notice: undefined };
}

function pressed(model: TailModel, key: TailKey): TailModel {
  switch (key) {
    case 'up':
      return moved(model, markedIndex(model) - 1);
    case 'down':
      return moved(model, markedIndex(model) + 1);
    case 'first':
      return moved(model, 0);
    case 'last':
      return { ...model, marked: undefined };
    case 'pause':
      return { ...model, pausedAt: model.pausedAt === undefined ? model.total : undefined };
    case 'details':
      return visibleRows(model).length === 0 ? model : { ...model, open: !model.open, marked: heldMark(model) };
    case 'back':
      return { ...model, open: false };
  }
}

/** Whoever reads the details does not want them to change with the next match. */
function heldMark(model: TailModel): number | undefined {
  if (model.open) return model.marked;
  return visibleRows(model)[markedIndex(model)]?.seq;
}

/** At the bottom it follows the newest again; one step up it holds. */
function moved(model: TailModel, index: number): TailModel {
  const rows = visibleRows(model);
  const isLast = index >= rows.length - 1;
  return {
    ...model,
    marked: isLast && !model.open ? undefined : rows[Math.max(0, Math.min(index, rows.length - 1))]?.seq,
  };
}
