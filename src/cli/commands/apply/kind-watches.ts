import type { WatchEdit, WatchOptions, WatchReport } from '../../../shared/api/watch.ts';
import { WATCHES_A_REQUEST } from '../../../shared/limits.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure } from '../../runtime/failure.ts';
import { kindOf, type Refusal, type World } from './kind.ts';
import { readWatch, WATCH_FIELDS, type WantedWatch, writtenWatch } from '../watch/watch-file.ts';
import { comparable } from '../watch/watch-names.ts';
import { cadenceWord, optionWords, USUAL_MINUTES } from '../watch/watch-options.ts';
import { lost } from '../watch/watch-edit.ts';

/** Watches are known by their URL. A cadence that the file does not name stays as it is; an option is taken back. */
export const watchKind = kindOf<WantedWatch, WatchReport>({
  section: 'watches',
  noun: 'watch',
  isOperators: true,
  fields: WATCH_FIELDS,
  nameOf: ({ url }) => comparable(url),
  // By URL: the file of a version control changes only where a watch does.
  present: async ({ client }) => (await client.watches.list()).toSorted((a, b) => (a.url < b.url ? -1 : 1)),
  read: readWatch,
  check: async ({ item: { options }, fields }) => {
    if (options.trigger === null) return;
    const { checkTrigger } = await import('../watch/watch-option-checks.ts');
    checkTrigger(options.trigger, fields.fault('trigger', '').message);
  },
  differing: (wanted, present) => differences(wanted, present).map(({ field }) => field),
  words: (wanted, present) =>
    present ? differences(wanted, present).map(({ field, words }) => `${field} ${words}`) : orderWords(wanted),
  lost: (removed) => (removed.length === 0 ? '' : `With the watches ${lost(removed)}`),
  written: writtenWatch,
  addAll,
  add: ({ client }, wanted) => client.watches.add(orderOf(wanted)),
  change: ({ client }, wanted, { id, ...present }) => client.watches.change(id, editOf(wanted, present)),
  remove: ({ client }, { id }) => client.watches.remove(id),
});

interface Difference {
  readonly field: string;
  /** `6h → 1d` */
  readonly words: string;
}

type Settled = Pick<WatchReport, 'frequency_minutes' | 'status' | 'options'>;

const OPTIONS = ['select', 'ignore', 'only', 'trigger', 'confirm'] as const;

function differences({ minutes, paused, options }: WantedWatch, present: Settled): Difference[] {
  const status = paused ? 'paused' : 'active';
  const every = minutes ?? present.frequency_minutes;
  return [
    {
      field: 'every',
      differs: every !== present.frequency_minutes,
      words: `${cadenceWord(present.frequency_minutes)} → ${cadenceWord(every)}`,
    },
    { field: 'status', differs: status !== present.status, words: `${present.status} → ${status}` },
    ...OPTIONS.map((field) => ({
      field,
      differs: JSON.stringify(options[field]) !== JSON.stringify(present.options[field]),
      words: `${shown(present.options[field])} → ${shown(options[field])}`,
    })),
  ].flatMap(({ field, differs, words }) => (differs ? [{ field, words }] : []));
}

function shown(value: WatchOptions[keyof WatchOptions]): string {
  if (typeof value === 'object' && value !== null) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value ?? 'none';
}

function editOf(wanted: WantedWatch, present: Settled): WatchEdit {
  const fields = new Set(differences(wanted, present).map(({ field }) => field));
  return {
    ...(fields.has('every') && { frequency_minutes: wanted.minutes ?? present.frequency_minutes }),
    ...(fields.has('status') && { status: wanted.paused ? 'paused' : 'active' }),
    ...(OPTIONS.some((field) => fields.has(field)) && { options: wanted.options }),
  };
}

function orderWords({ minutes = USUAL_MINUTES, paused, options }: WantedWatch): string[] {
  return [`every ${cadenceWord(minutes)}`, ...(paused ? ['paused'] : []), ...optionWords(options)];
}

interface Order {
  readonly url: string;
  readonly frequency_minutes: number;
  readonly options: WatchOptions;
  readonly status?: 'paused';
}

function orderOf({ url, minutes = USUAL_MINUTES, paused, options }: WantedWatch): Order {
  return { url, frequency_minutes: minutes, options, ...(paused && { status: 'paused' }) };
}

async function addAll(
  { client }: World,
  wanted: readonly WantedWatch[],
  tell: (done: number) => void,
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (let at = 0; at < wanted.length; at += WATCHES_A_REQUEST) {
    const some = wanted.slice(at, at + WATCHES_A_REQUEST);
    const { known, refused } = await client.watches.addAll(some.map(orderOf));
    const messages = new Map([...known, ...refused].map(({ index, message }) => [index, message]));
    for (const index of some.keys()) {
      const message = messages.get(index);
      refusals.push(message === undefined ? undefined : new Failure('refused', exitCode.refused, message));
    }
    tell(refusals.length);
  }
  return refusals;
}
