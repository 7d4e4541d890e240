import {
  NO_OPTIONS,
  type WatchEdit,
  type WatchOptions,
  type WatchOrder,
  type WatchReport,
} from '../../shared/api/watch.ts';
import type { WatchEntry } from './watch-entry.ts';
import { comparable } from './watch-names.ts';
import { cadenceWord, optionWords, USUAL_MINUTES } from './watch-options.ts';

/** What makes the watches that there are into those of a file. A second run finds nothing to do. */
export interface Plan {
  readonly add: readonly (WatchOrder & { readonly paused: boolean })[];
  readonly change: readonly {
    readonly id: string;
    readonly url: string;
    readonly edit: WatchEdit;
    /** `every 6h → 1d` */
    readonly words: readonly string[];
  }[];
  /** Watched, and not in the file. */
  readonly remove: readonly WatchReport[];
}

/** Pages are the same by their URL. A rhythm that the file does not name stays as it is. */
export function planOf(watches: readonly WatchReport[], entries: readonly WatchEntry[]): Plan {
  const known = new Map(watches.map((watch) => [comparable(watch.url), watch]));
  const named = new Set(entries.map(({ url }) => comparable(url)));
  const add: Plan['add'][number][] = [];
  const change: Plan['change'][number][] = [];
  for (const entry of entries) {
    const watch = known.get(comparable(entry.url));
    if (watch === undefined) add.push(orderOf(entry));
    else {
      const { edit, words } = editOf(watch, entry);
      if (words.length > 0) change.push({ id: watch.id, url: watch.url, edit, words });
    }
  }
  return { add, change, remove: watches.filter(({ url }) => !named.has(comparable(url))) };
}

function orderOf({ url, minutes = USUAL_MINUTES, options, paused = false }: WatchEntry): Plan['add'][number] {
  return { url, frequency_minutes: minutes, ...(options && { options }), paused };
}

function editOf(watch: WatchReport, entry: WatchEntry): { edit: WatchEdit; words: string[] } {
  const minutes = entry.minutes ?? watch.frequency_minutes;
  const status = entry.paused === true ? 'paused' : 'active';
  const options: WatchOptions = { ...NO_OPTIONS, ...entry.options };
  const isNewRhythm = minutes !== watch.frequency_minutes;
  const isNewStatus = status !== watch.status;
  const differing = OPTIONS.filter((key) => written(options[key]) !== written(watch.options[key]));
  return {
    edit: {
      ...(isNewRhythm && { frequency_minutes: minutes }),
      ...(isNewStatus && { status }),
      ...(differing.length > 0 && { options }),
    },
    words: [
      ...(isNewRhythm ? [`every ${cadenceWord(watch.frequency_minutes)} → ${cadenceWord(minutes)}`] : []),
      ...(isNewStatus ? [`${watch.status} → ${status}`] : []),
      ...differing.map((key) => `${key} ${shown(watch.options[key])} → ${shown(options[key])}`),
    ],
  };
}

const OPTIONS = ['select', 'ignore', 'only', 'trigger', 'confirm'] as const;

function written(value: WatchOptions[keyof WatchOptions]): string {
  return JSON.stringify(value);
}

function shown(value: WatchOptions[keyof WatchOptions]): string {
  if (typeof value === 'object' && value !== null) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value ?? 'none';
}

/** A line a step: `+` what is added, `~` what is changed, `-` what is removed. */
export function planLines({ add, change, remove }: Plan): string[] {
  return [
    ...add.map((order) => `+ ${order.url}: ${orderWords(order)}`),
    ...change.map(({ url, words }) => `~ ${url}: ${words.join('; ')}`),
    ...remove.map(({ url }) => `- ${url}`),
  ];
}

function orderWords({ frequency_minutes, options = {}, paused }: Plan['add'][number]): string {
  return [`every ${cadenceWord(frequency_minutes)}`, ...(paused ? ['paused'] : []), ...optionWords(options)].join('; ');
}
