import type { WatchBatch, WatchBatchReport, WatchReport } from '../../../shared/api/watch.ts';
import { WATCHES_A_REQUEST } from '../../../shared/limits.ts';
import { Refused } from '../../client/refusal.ts';
import type { WatchEndpoints } from '../../client/watches.ts';
import { exitCode } from '../../exit-code.ts';
import { Failure, UsageError } from '../../failure.ts';
import { Progress } from '../../progress.ts';
import type { Session } from '../session.ts';
import { count } from '../count.ts';
import { type Added, tellAdded } from './watch-added.ts';
import type { WatchEntry } from './watch-entry.ts';
import { nameOf, warn } from '../list-text.ts';
import { gather, noteSentences } from './watch-gather.ts';
import { type OpenedWatches, openWatches, operatorOnly } from './watch-names.ts';
import { cadenceWord, checkOptions, type OptionFlags, optionsOf, optionWords, USUAL_MINUTES } from './watch-options.ts';

/**
 * `hydrant watch add`: pages from the command line, from stdin and from files. A list of any of the usual kinds is read
 * here and sent a thousand a request; what the daemon refuses keeps none of the others out.
 */
interface AddFlags extends OptionFlags {
  /** Minutes. */
  readonly every?: number | undefined;
  readonly file?: string | undefined;
  readonly dryRun?: true | undefined;
  /** Undefined: on a terminal. */
  readonly wait?: boolean | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
}

type Order = WatchBatch['watches'][number];

export async function addWatches(session: Session, words: readonly string[], flags: AddFlags): Promise<void> {
  await checkOptions(flags);
  const { entries, problems } = await gather(session, words, flags.file);
  warn(session, 'list', problems);
  if (entries.length === 0) {
    throw nothing(words, flags.file);
  }
  const orders = entries.map((entry) => orderOf(entry, flags));
  if (flags.dryRun === true) return preview(session, entries, orders);
  const sentences = noteSentences(entries);
  warn(session, 'not_carried_over', sentences, sentences.length);
  const opened = await openWatches(session);
  const added = await send(session, opened, { entries, orders });
  await tellAdded(session, opened.operator, { ...added, flags });
  refuse(session, entries, added);
}

function nothing(words: readonly string[], file: string | undefined): UsageError {
  const list = file ?? (words.includes('-') ? '-' : undefined);
  if (list === undefined) {
    return new UsageError('there is no URL to watch', { try: 'hydrant watch add https://example.org/ --every 6h' });
  }
  return new UsageError(`there is no URL to watch in ${nameOf(list)}`, {
    hint: 'a list is URLs, one a line, or one of the kinds in: hydrant watch add --help',
  });
}

/** What the list says of a page goes before what the command line says of all. */
function orderOf({ url, minutes, paused, options = {} }: WatchEntry, flags: AddFlags): Order {
  const all = { ...optionsOf(flags), ...options };
  return {
    url,
    frequency_minutes: minutes ?? flags.every ?? USUAL_MINUTES,
    ...(paused === true && { status: 'paused' }),
    ...(Object.keys(all).length > 0 && { options: all }),
  };
}

function preview({ out }: Session, entries: readonly WatchEntry[], orders: readonly Order[]): void {
  const rows = orders.map((order, index) => {
    const { paused = false, notes = [] } = entries[index] ?? {};
    return { ...order, paused, notes };
  });
  out.list(rows, {
    id: ({ url }) => url,
    columns: [
      { title: 'url', show: ({ url }) => url },
      { title: 'every', show: (row) => cadenceWord(row.frequency_minutes) },
      { title: 'status', show: ({ paused }) => (paused ? 'paused' : '') },
      { title: 'options', show: ({ options = {} }) => optionWords(options).join('; ') },
      { title: 'not carried over', show: ({ notes }) => notes.join('; ') },
    ],
    none: '',
  });
  out.notice(`nothing was changed: ${count(rows.length, 'watch')} would be added`);
  out.notice('the daemon was not asked; it refuses an address that is not public, unless its --allow-private names it');
}

interface Sent {
  readonly entries: readonly WatchEntry[];
  readonly orders: readonly Order[];
}

async function send(session: Session, opened: OpenedWatches, sent: Sent): Promise<Added> {
  if (opened.operator !== undefined) return sendAll(session, opened.operator, sent.orders);
  if (sent.orders.some(({ options }) => options !== undefined)) operatorOnly(opened, 'what counts of a page');
  return sendEach(session, sent);
}

async function sendAll(session: Session, watches: WatchEndpoints, orders: readonly Order[]): Promise<Added> {
  const [added, known, refused] = [[] as WatchReport[], [] as Untaken[], [] as Untaken[]];
  const progress = new Progress(session.context, {
    silent: session.flags.quiet === true || session.flags.json === true,
  });
  try {
    for (let at = 0; at < orders.length; at += WATCHES_A_REQUEST) {
      const report = await watches.addAll(orders.slice(at, at + WATCHES_A_REQUEST));
      const placed = (item: Untaken): Untaken => ({ ...item, index: item.index + at });
      added.push(...report.added);
      known.push(...report.known.map(placed));
      refused.push(...report.refused.map(placed));
      progress.tell(() => `${Math.min(at + WATCHES_A_REQUEST, orders.length)} of ${count(orders.length, 'URL')} sent`);
    }
  } finally {
    progress.end();
  }
  return { report: { added, known, refused } };
}

type Untaken = WatchBatchReport['known'][number];

/** With a management key: one a request. What it answers is a watch without all that the operator sees. */
async function sendEach({ connect }: Session, { entries, orders }: Sent): Promise<Added> {
  const { client } = await connect();
  const [own, refused] = [[] as NonNullable<Added['own']>[number][], [] as Untaken[]];
  for (const [index, { url, frequency_minutes }] of orders.entries()) {
    try {
      const watch = await client.ownWatches.add({ url, frequency_minutes });
      const isPaused = entries[index]?.paused === true;
      own.push(isPaused ? await client.ownWatches.change(watch.id, { status: 'paused' }) : watch);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 422 || orders.length === 1) throw error;
      refused.push({ index, url, message: error.message });
    }
  }
  return { own, report: { added: [], known: [], refused } };
}

function refuse(session: Session, entries: readonly WatchEntry[], { report, own }: Added): void {
  const { refused } = report;
  const [only] = refused;
  if (only === undefined) return;
  if (entries.length === 1) throw new Failure('refused', exitCode.refused, only.message);
  const sentence = ({ index, url, message }: Untaken): string => {
    const place = entries[index]?.place;
    return place === undefined ? `${url}: ${message}` : `${place}: ${url}: ${message}`;
  };
  warn(session, 'refused', refused.map(sentence));
  const rest = (own ?? report.added).length > 0 ? '; the others are watched' : '';
  throw new Failure('refused', exitCode.refused, `${refused.length} of ${count(entries.length, 'URL')} refused${rest}`);
}
