import { ExternalStore } from './external-store.ts';
import {
  BUCKET_MS,
  BUCKETS,
  type ConnectionState,
  markedIndex,
  RING,
  type Row,
  type TailModel,
  visibleRows,
} from './tail-model.ts';
import { parseEventId } from '../../shared/api/stream.ts';
import type { Rule } from '../../shared/api/rule.ts';
import { labelOf } from '../client/rule-book.ts';
import { gapOf, type StreamEvent, type Update } from '../client/stream-event.ts';

/** Milliseconds between two frames: a burst of a thousand matches is drawn ten times a second, not a thousand. */
const FRAME_MS = 100;

/** The model between the stream, which changes it at any rate, and the screen, which is told at most every 100 ms. */
export class TailStore {
  readonly #now: () => number;
  #model: TailModel;
  /** Matches that came since the last frame: taken together, since each copies the rows. */
  #arrivals: Arrival[] = [];
  readonly #shown: ExternalStore<TailModel>;
  #shownAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(model: TailModel, now: () => number) {
    this.#model = model;
    this.#shown = new ExternalStore(model);
    this.#now = now;
  }

  /** As it is now. */
  get model(): TailModel {
    this.#settle();
    return this.#model;
  }

  /** As the screen last saw it. */
  readonly snapshot = (): TailModel => this.#shown.snapshot();

  readonly subscribe = (listener: () => void): (() => void) => this.#shown.subscribe(listener);

  dispatch(action: TailAction): void {
    if (this.#timer !== undefined && isArrival(action)) {
      if (this.#arrivals.push(action) >= RING) this.#settle();
      return;
    }
    this.#settle();
    this.#model = reduce(this.#model, action);
    if (this.#model === this.snapshot() || this.#timer !== undefined) return;
    const due = this.#shownAt + FRAME_MS - this.#now();
    if (due <= 0) this.#show();
    else this.#timer = setTimeout(() => this.#show(), due);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #settle(): void {
    if (this.#arrivals.length === 0) return;
    this.#model = reduce(this.#model, { type: 'matches', arrivals: this.#arrivals });
    this.#arrivals = [];
  }

  #show(): void {
    this.#timer = undefined;
    this.#settle();
    this.#shownAt = this.#now();
    this.#shown.tell(this.#model);
  }
}

function isArrival(action: TailAction): action is TailAction & Arrival {
  return action.type === 'stream' && action.event.type === 'update';
}

/** One event, and what was known when it came. */
interface Told<Event> {
  readonly tap: string;
  readonly event: Event;
  /** Those the match names. */
  readonly rules: readonly Rule[];
  /** How many all taps have. */
  readonly known: number;
  readonly now: number;
}

type Arrival = Told<Update>;

export type TailAction =
  | ({ readonly type: 'stream' } & Told<StreamEvent>)
  /** Matches that have come together, in their order. */
  | { readonly type: 'matches'; readonly arrivals: readonly Arrival[] }
  | { readonly type: 'tick'; readonly now: number }
  | { readonly type: 'key'; readonly key: TailKey }
  /** What was typed while the filter is open. */
  | { readonly type: 'typed'; readonly text: string }
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'ask'; readonly lines: readonly string[] }
  | { readonly type: 'answered' };

export type TailKey =
  | 'up'
  | 'down'
  | 'first'
  | 'last'
  | 'pause'
  | 'details'
  | 'back'
  | 'tap'
  | 'filter'
  | 'erase'
  | 'help';

/** Characters of a filter. */
const FILTER = 80;

/** The whole of the screen's behaviour, free of terminals and clocks. */
export function reduce(model: TailModel, action: TailAction): TailModel {
  switch (action.type) {
    case 'tick':
      return ticked(model, action.now);
    case 'key':
      return pressed(model, action.key);
    case 'stream':
      return streamed({ ...ticked(model, action.now), rules: action.known }, action);
    case 'matches':
      return arrived(model, action.arrivals);
    case 'typed':
      return { ...model, filter: (model.filter + action.text.toLowerCase()).slice(0, FILTER) };
    case 'say':
      return { ...model, notice: action.text };
    case 'ask':
      return { ...model, question: action.lines };
    case 'answered':
      return { ...model, question: undefined };
  }
}

function ticked(model: TailModel, now: number): TailModel {
  const passed = Math.floor((now - model.bucketStart) / BUCKET_MS);
  if (passed <= 0) return model.now === now ? model : { ...model, now };
  const fresh = Array.from({ length: Math.min(passed, BUCKETS) }, () => 0);
  const buckets = [...model.buckets, ...fresh].slice(-BUCKETS);
  return { ...model, now, buckets, bucketStart: model.bucketStart + passed * BUCKET_MS };
}

function streamed(model: TailModel, action: Extract<TailAction, { type: 'stream' }>): TailModel {
  const { tap, event } = action;
  switch (event.type) {
    case 'connected':
      return {
        ...connection(model, tap, { state: 'live' }),
        heads: event.start?.head ? new Map(model.heads).set(tap, event.start.head) : model.heads,
        notice: (event.start && gapOf(event.start)) ?? model.notice,
      };
    case 'waiting':
      return connection(model, tap, {
        state: 'waiting',
        until: model.now + event.delayMs,
        reason: named(model, tap, event.reason),
      });
    case 'error':
      return { ...model, notice: named(model, tap, event.message) };
    case 'update':
      return arrived(model, [{ ...action, event }]);
    case 'older':
    case 'end':
      return model;
  }
}

/** Of one tap among several. */
function named({ taps }: TailModel, tap: string, text: string): string {
  return taps.length > 1 ? `${tap}: ${text}` : text;
}

function connection(model: TailModel, tap: string, state: ConnectionState): TailModel {
  return { ...model, connections: new Map(model.connections).set(tap, state) };
}

/**
 * Each is counted in its own time; the rows are copied once for all of them. What the log had before the stream opened is no
 * news: its age is no lag, and reading it is no rate.
 */
function arrived(model: TailModel, arrivals: readonly Arrival[]): TailModel {
  const rows: Row[] = [];
  let counted = model;
  for (const { tap, event: update, rules, known, now } of arrivals) {
    counted = { ...ticked(counted, now), rules: known };
    const total = counted.total + 1;
    rows.push({ seq: total, tap, update, rules, label: labelOf(rules) });
    counted = isReplayed(counted, tap, update) ? { ...counted, total } : { ...withLive(counted, update, now), total };
  }
  return { ...counted, rows: [...model.rows, ...rows].slice(-RING), notice: undefined };
}

function withLive(model: TailModel, { match }: Update, now: number): TailModel {
  const buckets = [...model.buckets.slice(0, -1), (model.buckets.at(-1) ?? 0) + 1];
  const age = now - Date.parse(match.matched_at);
  return { ...model, buckets, lagMs: Number.isNaN(age) ? model.lagMs : Math.max(0, age) };
}

function isReplayed({ heads }: TailModel, tap: string, { id }: Update): boolean {
  const [at, head] = [parseEventId(id), heads.get(tap)];
  return at !== undefined && at.partition === head?.partition && at.offset < head.offset;
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
    default:
      return switched(model, key);
  }
}

function switched(model: TailModel, key: Exclude<TailKey, 'up' | 'down' | 'first' | 'last'>): TailModel {
  switch (key) {
    case 'pause':
      return { ...model, pausedAt: model.pausedAt === undefined ? model.total : undefined };
    case 'details':
      return visibleRows(model).length === 0 ? model : { ...model, open: !model.open, marked: heldMark(model) };
    case 'tap':
      return { ...model, shownTap: nextTap(model), marked: undefined };
    case 'filter':
      return { ...model, typing: !model.typing };
    case 'erase':
      return { ...model, filter: Array.from(model.filter).slice(0, -1).join('') };
    case 'help':
      return { ...model, help: !model.help };
    case 'back':
      return backed(model);
  }
}

/** Of what is open, the last that was opened is closed. */
function backed(model: TailModel): TailModel {
  if (model.question !== undefined) return { ...model, question: undefined };
  if (model.help && !model.typing) return { ...model, help: false };
  if (model.typing || (!model.open && model.filter !== '')) return { ...model, typing: false, filter: '' };
  return { ...model, open: false };
}

/** All, then one after the other. */
function nextTap({ taps, shownTap }: TailModel): string | undefined {
  if (taps.length < 2) return undefined;
  return taps[shownTap === undefined ? 0 : taps.indexOf(shownTap) + 1];
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
