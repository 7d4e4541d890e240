import type { CheckReport, WatchReport } from '../../shared/api/watch.ts';
import type { ShownHunk } from '../../shared/documents/shown-change.ts';

/** What the screen of the watches shows: all of its behaviour, free of terminals, clocks and the daemon. */
export interface WatchesModel {
  /** The daemon. */
  readonly label: string;
  /** Those that changed last come first. */
  readonly watches: readonly WatchReport[];
  /** The id of the marked one; undefined: the first. */
  readonly marked: string | undefined;
  readonly detail: WatchDetail | undefined;
  /** The change of the marked watch takes the whole screen. */
  readonly open: boolean;
  /** Lines of the change that are above the screen. */
  readonly scroll: number;
  readonly onlyFailing: boolean;
  readonly filter: string;
  readonly typing: boolean;
  readonly help: boolean;
  /** What was done last. */
  readonly notice: string | undefined;
  /** Why the figures are old. */
  readonly trouble: string | undefined;
  readonly now: number;
}

/** The newest change of one watch, and its newest checks, the newest first. Of one watch only: the others are asked for. */
export interface WatchDetail {
  readonly id: string;
  /** The check that found the change; undefined without one. */
  readonly n: number | undefined;
  readonly hunks: readonly ShownHunk[];
  readonly checks: readonly CheckReport[];
}

export type WatchesKey =
  | 'up'
  | 'down'
  | 'first'
  | 'last'
  | 'pageUp'
  | 'pageDown'
  | 'open'
  | 'back'
  | 'failing'
  | 'help';

export type WatchesAction =
  | { readonly type: 'watches'; readonly watches: readonly WatchReport[]; readonly now: number }
  | { readonly type: 'detail'; readonly detail: WatchDetail }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'trouble'; readonly text: string; readonly now: number }
  | { readonly type: 'filter'; readonly filter: string; readonly typing: boolean }
  | { readonly type: 'key'; readonly key: WatchesKey };

export function initialWatches(facts: Pick<WatchesModel, 'label' | 'watches' | 'now'>): WatchesModel {
  return {
    ...facts,
    watches: byRecency(facts.watches),
    marked: undefined,
    detail: undefined,
    open: false,
    scroll: 0,
    onlyFailing: false,
    filter: '',
    typing: false,
    help: false,
    notice: undefined,
    trouble: undefined,
  };
}

export function reduceWatches(model: WatchesModel, action: WatchesAction): WatchesModel {
  switch (action.type) {
    case 'watches':
      return { ...model, watches: byRecency(action.watches), now: action.now, trouble: undefined };
    case 'detail':
      // One that was asked for before the mark moved on is late.
      return action.detail.id === markedWatch(model)?.id ? { ...model, detail: action.detail } : model;
    case 'notice':
      return { ...model, notice: action.text };
    case 'trouble':
      return { ...model, trouble: action.text, now: action.now };
    case 'filter':
      return heldMark({ ...model, filter: action.filter, typing: action.typing, scroll: 0 });
    case 'key':
      return pressed({ ...model, notice: undefined }, action.key);
  }
}

/** Those that the filter leaves. */
export function visibleWatches({ watches, filter, onlyFailing }: WatchesModel): readonly WatchReport[] {
  const wanted = filter.toLowerCase();
  const isWanted = ({ url, title = '', tags = [] }: WatchReport): boolean =>
    [url, title, ...tags].some((text) => text.toLowerCase().includes(wanted));
  return watches.filter((watch) => isWanted(watch) && (!onlyFailing || watch.problem !== null));
}

export function markedWatch(model: WatchesModel): WatchReport | undefined {
  return visibleWatches(model)[markedPlace(model)];
}

/** -1 where there is none. */
export function markedPlace(model: WatchesModel): number {
  const rows = visibleWatches(model);
  const place = rows.findIndex(({ id }) => id === model.marked);
  return place === -1 ? Math.min(0, rows.length - 1) : place;
}

/** Those without a change keep the order of the daemon, behind the others. */
function byRecency(watches: readonly WatchReport[]): WatchReport[] {
  const at = ({ last_change: change }: WatchReport): number => (change === null ? 0 : Date.parse(change.at));
  return watches.toSorted((one, other) => at(other) - at(one));
}

function pressed(model: WatchesModel, key: WatchesKey): WatchesModel {
  switch (key) {
    case 'open':
      return { ...heldMark(model), open: !model.open, scroll: 0 };
    case 'back':
      return backed(model);
    case 'failing':
      return heldMark({ ...model, onlyFailing: !model.onlyFailing, scroll: 0 });
    case 'help':
      return { ...model, help: !model.help };
    case 'pageUp':
    case 'pageDown':
      return scrolled(model, STEPS[key]);
    default:
      return model.open ? scrolled(model, STEPS[key]) : moved(model, markedPlace(model) + STEPS[key]);
  }
}

/** Lines of the change, or watches, that a key goes. */
const STEPS = { up: -1, down: 1, first: -1e9, last: 1e9, pageUp: -10, pageDown: 10 } as const;

/** Takes back one thing at a time. */
function backed(model: WatchesModel): WatchesModel {
  if (model.help) return { ...model, help: false };
  if (model.open) return { ...model, open: false, scroll: 0 };
  return heldMark({ ...model, filter: '', onlyFailing: false });
}

/** The mark is of a watch and not of a place, so that it stays where it is when others move up. */
function moved(model: WatchesModel, place: number): WatchesModel {
  const rows = visibleWatches(model);
  const marked = rows[Math.max(0, Math.min(place, rows.length - 1))]?.id;
  return marked === model.marked ? model : { ...model, marked, detail: undefined, scroll: 0 };
}

function heldMark(model: WatchesModel): WatchesModel {
  const marked = markedWatch(model)?.id;
  return { ...model, marked, detail: model.detail?.id === marked ? model.detail : undefined };
}

function scrolled(model: WatchesModel, lines: number): WatchesModel {
  const last = Math.max(0, (model.detail?.hunks ?? []).reduce((sum, hunk) => sum + hunk.lines.length + 1, 0) - 1);
  return { ...model, scroll: Math.max(0, Math.min(model.scroll + lines, last)) };
}
