import type {
  CheckReport,
  Watch,
  WatchBatch,
  WatchBatchReport,
  WatchExplanation,
  WatchReport,
} from '../../../shared/api/watch.ts';
import { uniqueTags } from '../../../shared/api/watch-labels.ts';
import { WATCHES_A_REQUEST } from '../../../shared/limits.ts';
import { Refused } from '../../client/transport.ts';
import type { WatchEndpoints } from '../../client/watches.ts';
import { type ExitCode, exitCode } from '../../runtime/exit-code.ts';
import { Failure, UsageError } from '../../runtime/failure.ts';
import { Progress } from '../../runtime/output.ts';
import type { Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import type { RefusedEntry, WatchEntry } from './watch-entry.ts';
import { gather, noteSentences, tellRefused } from './watch-gather.ts';
import { nameOf, warn } from '../list-text.ts';
import { askedLabels, type AskedLabels, type LabelFlags, labelWords } from './watch-labels.ts';
import type { RequestFlags } from '../request-flags.ts';
import { askedWords, isForOneSite, requestOf } from '../request-order.ts';
import { type OpenedWatches, openWatches, operatorOnly } from './watch-names.ts';
import {
  cadenceWord,
  checkOptions,
  type OptionFlags,
  optionsOf,
  optionWords,
  USUAL_MINUTES,
  withPaths,
} from './watch-options.ts';
import { checkWords } from '../../../shared/documents/check-words.ts';
import { CHECK_TIMEOUT_SECONDS, nextChecks } from './watch-check.ts';
import { tellKnown } from './watch-known.ts';
import { watchColumns } from './watch-list.ts';

/**
 * `hydrant watch add`: pages from the command line, from stdin and from files. A list of any of the usual kinds is read
 * here and sent a thousand a request; what the daemon refuses keeps none of the others out.
 */
interface AddFlags extends OptionFlags, LabelFlags, RequestFlags {
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

/**
 * Answers the exit code: a first check that was waited for and failed is no success, nor is a page that is watched
 * already, but otherwise than it was asked for.
 */
export async function addWatches(session: Session, words: readonly string[], given: AddFlags): Promise<ExitCode> {
  const flags = await withPaths(given);
  await checkOptions(flags);
  const labels = askedLabels(flags);
  const { entries, refused, problems } = await gather(session, words, flags.file);
  warn(session, 'list', problems);
  tellRefused(session, refused);
  if (entries.length === 0) throw refused.length > 0 ? noneAdded(refused) : nothing(words, flags.file);
  if (labels.title !== undefined && entries.length > 1) {
    throw new UsageError(`--title names one page, and these are ${entries.length}`);
  }
  const request = await requestOf(session, flags);
  if (request && isForOneSite(request)) refuseManySites(entries);
  const orders = entries.map((entry) => orderOf({ ...(request && { request }), ...entry }, flags, labels));
  if (flags.dryRun === true) {
    preview(session, entries, orders);
    return exitCode.ok;
  }
  const sentences = noteSentences(entries);
  warn(session, 'not_carried_over', sentences, sentences.length);
  const opened = await openWatches(session);
  if (Object.keys(labels).length > 0) operatorOnly(opened, 'a title or a tag');
  const added = { ...(await send(session, opened, { entries, orders })), notAdded: refused };
  const first = await tellAdded(session, opened.operator, { ...added, flags });
  const known = await tellKnown(session, opened.operator, added.report.known, (index) => ({
    minutes: entries[index]?.minutes ?? flags.every,
    options: orders[index]?.options ?? {},
    labels: labelsIn(orders[index]),
    request: orders[index]?.request,
  }));
  refuse(session, entries, added);
  return first === exitCode.ok ? known : first;
}

/** What lets in at one site is no other site's to see. */
function refuseManySites(entries: readonly WatchEntry[]): void {
  const sites = new Set(entries.map(({ url }) => URL.parse(url)?.origin));
  if (sites.size < 2) return;
  throw new UsageError(`headers, cookies and bodies are for one site, and these are ${sites.size}`, {
    hint: 'add the pages of each site by themselves',
  });
}

function noneAdded({ length }: readonly RefusedEntry[]): Failure {
  return new Failure('refused', exitCode.refused, `none of ${count(length, 'entry')} can be watched`);
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

/** What the list says of a page goes before what the command line says of all; a tag of all is one more. */
function orderOf(entry: WatchEntry, flags: AddFlags, labels: AskedLabels): Order {
  const { url, minutes, paused, options = {}, request } = entry;
  const all = { ...optionsOf(flags), ...options };
  const title = entry.title ?? labels.title;
  const tags = uniqueTags([...(entry.tags ?? []), ...(labels.tags ?? [])]);
  return {
    url,
    ...(title && { title }),
    ...(tags.length > 0 && { tags }),
    frequency_minutes: minutes ?? flags.every ?? USUAL_MINUTES,
    ...(paused === true && { status: 'paused' }),
    ...(Object.keys(all).length > 0 && { options: all }),
    ...(request && { request }),
  };
}

function labelsIn({ title, tags }: Partial<Order> = {}): AskedLabels {
  return { ...(title && { title }), ...(tags !== undefined && { tags }) };
}

function preview({ out }: Session, entries: readonly WatchEntry[], orders: readonly Order[]): void {
  const rows = orders.map(({ request, ...order }, index) => {
    const { paused = false, notes = [] } = entries[index] ?? {};
    return { ...order, ...(request && { request: askedWords(request) }), paused, notes };
  });
  out.list(rows, {
    id: ({ url }) => url,
    columns: [
      { title: 'url', show: ({ url }) => url },
      { title: 'every', show: (row) => cadenceWord(row.frequency_minutes) },
      { title: 'status', show: ({ paused }) => (paused ? 'paused' : '') },
      {
        title: 'options',
        show: (row) => [...labelWords(row), ...optionWords(row.options ?? {}), ...(row.request ?? [])].join('; '),
      },
      { title: 'not carried over', show: ({ notes }) => notes.join('; ') },
    ],
    none: '',
  });
  out.notice(`nothing was changed: ${count(rows.length, 'watch')} would be added`);
  out.notice(
    'the daemon was not contacted; it refuses addresses that are not public, unless --allow-private allows them',
  );
}

interface Sent {
  readonly entries: readonly WatchEntry[];
  readonly orders: readonly Order[];
}

async function send(session: Session, opened: OpenedWatches, sent: Sent): Promise<Added> {
  if (opened.operator !== undefined) return sendAll(session, opened.operator, sent.orders);
  if (sent.orders.some(({ options }) => options !== undefined)) operatorOnly(opened, 'what counts of a page');
  if (sent.orders.some(({ request }) => request !== undefined)) operatorOnly(opened, 'how a page is asked for');
  if (sent.orders.some(({ title, tags }) => title ?? tags)) {
    session.out.notice(
      'titles and tags of the list are left out: a management key cannot set them; import it on the daemon’s machine to keep them',
    );
  }
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

function refuse(session: Session, entries: readonly WatchEntry[], { report, own, notAdded = [] }: Added): void {
  const { refused } = report;
  const [only] = refused;
  const all = entries.length + notAdded.length;
  const isAnyAdded = (own ?? report.added).length > 0;
  const rest = isAnyAdded ? '; the others were added' : '';
  if (only === undefined) {
    if (notAdded.length === 0) return;
    const words = `${notAdded.length} of ${count(all, 'entry')} not added${rest}`;
    throw new Failure('refused', exitCode.refused, words, { hint: 'each is named above, with what to do instead' });
  }
  if (all === 1) throw new Failure('refused', exitCode.refused, only.message);
  const sentence = ({ index, url, message }: Untaken): string => {
    const place = entries[index]?.place;
    return place === undefined ? `${url}: ${message}` : `${place}: ${url}: ${message}`;
  };
  warn(session, 'refused', refused.map(sentence));
  const failed = refused.length + notAdded.length;
  throw new Failure('refused', exitCode.refused, `${failed} of ${count(all, 'URL')} refused${rest}`);
}

/** What `watch add` tells of watches that are new: what their first check has found, where somebody waits for it. */
export interface Added {
  readonly report: WatchBatchReport;
  /** With a management key: what was added, as it sees it. */
  readonly own?: readonly Watch[];
  /** Entries of a list that cannot work here. */
  readonly notAdded?: readonly RefusedEntry[];
}

interface Told extends Added {
  readonly flags: { readonly wait?: boolean | undefined; readonly timeout?: number | undefined };
}

/** Rows that a terminal is shown, and first checks that it waits for; a pipe gets all. */
const SHOWN_ROWS = 20;

export async function tellAdded(
  session: Session,
  watches: WatchEndpoints | undefined,
  { report: told, own, notAdded = [], flags }: Told,
): Promise<ExitCode> {
  const report = { ...told, ...(notAdded.length > 0 && { not_added: notAdded }) };
  const added = own ?? report.added;
  const awaited = watches === undefined ? [] : awaitedOf(session, report.added, flags.wait);
  if (awaited.length === 0 || session.flags.json !== true) tellRows(session, added, report);
  if (added.length > 0) {
    const words = `${count(added.length, 'page')} watched; the first check is made as soon as possible`;
    session.out.notice(words, awaited.length > 0 ? undefined : nextOf(added));
  }
  if (watches === undefined || awaited.length === 0) return exitCode.ok;
  const seconds = flags.timeout ?? CHECK_TIMEOUT_SECONDS;
  return tellFirst(session, watches, { report, awaited, untilMs: session.context.now() + seconds * 1_000 });
}

function awaitedOf({ out }: Session, added: readonly WatchReport[], wait: boolean | undefined): WatchReport[] {
  const active = added.filter(({ status }) => status === 'active');
  return (wait ?? (out.forPeople && active.length <= SHOWN_ROWS)) ? active : [];
}

function tellRows({ out, flags }: Session, added: readonly Watch[], report: WatchBatchReport): void {
  if (flags.json === true) return out.one({ ...report, added }, { id: '', lines: [] });
  if (added.length === 0 || (added.length > SHOWN_ROWS && out.forPeople)) return;
  out.list(added, { id: ({ id }) => id, columns: watchColumns(out, added), none: '' });
}

function nextOf(added: readonly Watch[]): string {
  const [first, ...others] = added;
  return others.length === 0 && first ? `hydrant watch show ${first.id.slice(0, 8)}` : 'hydrant watch list';
}

interface First {
  readonly report: WatchBatchReport;
  readonly awaited: readonly WatchReport[];
  readonly untilMs: number;
}

async function tellFirst(session: Session, watches: WatchEndpoints, first: First): Promise<ExitCode> {
  const { out, flags } = session;
  const { report, awaited } = first;
  const checks = await nextChecks(session, watches, first);
  const found = new Map<string, FirstCheck>();
  for (const [id, check] of checks) {
    found.set(id, { check, findings: check.outcome === 'failed' ? undefined : await firstFindings(watches, id) });
  }
  if (flags.json === true) {
    const added = report.added.map((watch) => ({ ...watch, ...firstObject(found.get(watch.id)) }));
    out.one({ ...report, added }, { id: '', lines: [] });
    return codeOf(found);
  }
  const isOne = awaited.length === 1;
  for (const watch of awaited) tellFirstCheck(session, watch, found.get(watch.id), isOne);
  if (!isOne) out.notice(`${count(found.size, 'first check')} made`, 'hydrant watch list');
  return codeOf(found);
}

function codeOf(found: ReadonlyMap<string, FirstCheck>): ExitCode {
  return [...found.values()].some(({ check }) => check.outcome === 'failed') ? exitCode.failed : exitCode.ok;
}

interface FirstCheck {
  readonly check: CheckReport;
  readonly findings: WatchExplanation['findings'];
}

function firstObject(first: FirstCheck | undefined): object {
  const account = first?.findings?.account;
  return { first_check: first?.check ?? null, ...(account && { account }) };
}

function tellFirstCheck(
  { out }: Session,
  { id, url }: WatchReport,
  first: FirstCheck | undefined,
  isOne: boolean,
): void {
  const isFailed = first?.check.outcome === 'failed';
  const next = `hydrant watch ${isFailed ? 'explain' : 'text'} ${id.slice(0, 8)}`;
  if (first === undefined) out.notice(`${url}: not checked yet; the check is still due`);
  else if (isFailed) out.notice(`${url}: ${checkWords(first.check)}`, next);
  else {
    out.notice(`${url}: ${linesOf(first.findings)} watched`, isOne ? next : undefined);
    for (const note of first.findings?.account?.notes ?? []) out.notice(`${url}: ${note}`);
  }
}

/** Undefined where the watch is gone already. */
async function firstFindings(watches: WatchEndpoints, id: string): Promise<WatchExplanation['findings']> {
  try {
    const { findings } = await watches.explanation(id);
    return findings;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  }
}

function linesOf(findings: WatchExplanation['findings']): string {
  if (findings === undefined) return 'the page is';
  return `${count(findings.lines, 'line')} ${findings.lines === 1 ? 'is' : 'are'}`;
}
