import { hash } from 'node:crypto';
import { changeFeed, subjectOfWatch } from '../../../shared/documents/change-feed.ts';
import type { WatchReport } from '../../../shared/api/watch.ts';
import { linePatch } from '../../../shared/page/diff/line-patch.ts';
import { changePage } from '../../../shared/documents/change-html.ts';
import { changeLines } from '../../changes/change-lines.ts';
import { type ShownHunk, shownHunks } from '../../../shared/documents/shown-change.ts';
import { checkWords, lineWords } from '../../../shared/documents/check-words.ts';
import type { WatchEndpoints } from '../../client/watches.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { NotFound, UsageError } from '../../runtime/failure.ts';
import { pacedWrite, writeWhole } from '../../runtime/output.ts';
import { printable, printableJson, quoted } from '../../../shared/text/printable.ts';
import { relative } from '../../text/time.ts';
import { throughPager } from '../../runtime/child-processes.ts';
import type { Session } from '../session.ts';
import { instantOf } from '../option-values.ts';
import { allChecks, newestCheck, notKept } from './watch-log.ts';
import { findWatch, openWatches } from './watch-names.ts';
import { atomFeed } from '../../../shared/documents/atom.ts';
import { jsonFeed } from '../../../shared/documents/json-feed.ts';
import type { Connection } from '../../runtime/context.ts';
import { count } from '../../../shared/text/plural.ts';

/** `hydrant watch diff`: one change, or all that lies between two versions. */
interface WatchDiffFlags {
  readonly since?: string | undefined;
  readonly html?: true | undefined;
  readonly patch?: true | undefined;
  readonly keepUnseen?: true | undefined;
  readonly exitCode?: true | undefined;
}

/** What there is to show: the text as check `from` left it against the text as check `to` left it. */
interface Difference {
  readonly from: number;
  readonly to: number;
  readonly at: string;
  /** `check 12`, `checks 3 to 12` */
  readonly name: string;
  /** `1 line added` */
  readonly words: string;
  readonly hunks: readonly ShownHunk[];
  /** As the daemon told it. */
  readonly told: object;
}

export async function showDiff(
  session: Session,
  wanted: string,
  which: string | undefined,
  flags: WatchDiffFlags,
): Promise<number> {
  checkForms(flags, session.flags.json, which);
  const { operator: watches, own } = await openWatches(session);
  if (watches === undefined) {
    const { showOwnDiff } = await import('./watch-own.ts');
    const { html = false, patch = false, exitCode: isCode = false } = flags;
    const since = flags.since === undefined ? undefined : instantOf(flags.since, session.context.now(), '--since');
    const asked = { which, since, html, patch, exitCode: isCode };
    return showOwnDiff(session, own, findWatch(await own.list(), wanted), asked);
  }
  const watch = findWatch(await watches.list(), wanted);
  const found = await differenceOf(session, watches, watch, { which, since: flags.since });
  if (found.hunks.length === 0) session.out.notice(`${watch.url}: ${found.name}: ${found.words}`);
  await show(session, watches, watch, found, flags);
  if (flags.keepUnseen !== true && watch.unseen > 0) await watches.see(watch.id, found.to);
  return flags.exitCode === true && found.hunks.length > 0 ? exitCode.no : exitCode.ok;
}

function checkForms(flags: WatchDiffFlags, json: boolean | undefined, which: string | undefined): void {
  const forms = [json, flags.html, flags.patch].filter((form) => form === true);
  if (forms.length > 1) throw new UsageError('--json, --html and --patch exclude each other; give one');
  if (which !== undefined && flags.since !== undefined) {
    throw new UsageError(`\`${which}\` and --since both select changes; give one`);
  }
}

interface Asked {
  readonly which: string | undefined;
  readonly since: string | undefined;
}

async function differenceOf(
  session: Session,
  watches: WatchEndpoints,
  watch: WatchReport,
  { which, since }: Asked,
): Promise<Difference> {
  if (since !== undefined) {
    const from = await checkAt(watches, watch, instantOf(since, session.context.now(), '--since'));
    return between(watches, watch, from, await newest(watches, watch));
  }
  if (which === undefined) {
    if (watch.last_change === null) throw unchanged(watch);
    return ofCheck(watches, watch, watch.last_change.n);
  }
  const [, from, dots, to] = /^(\d{1,9})(?:(\.\.)(\d{0,9}))?$/.exec(which) ?? [];
  if (from === undefined) {
    throw new UsageError(`\`${which}\` is neither the number of a check nor a range of two, such as 12 or 3..12`, {
      try: `hydrant watch log ${quoted(watch.url)}`,
    });
  }
  if (dots === undefined) return ofCheck(watches, watch, Number(from));
  return between(watches, watch, Number(from), to ? Number(to) : await newest(watches, watch));
}

async function ofCheck(watches: WatchEndpoints, watch: WatchReport, n: number): Promise<Difference> {
  const check = await watches.check(watch.id, n).catch((error: unknown) => {
    throw notKept(error, `check ${n}`, watch);
  });
  const told = { watch: { id: watch.id, url: watch.url }, check };
  return {
    from: n - 1,
    to: n,
    name: `check ${n}`,
    at: check.at,
    words: checkWords(check),
    hunks: shownHunks(check),
    told,
  };
}

async function between(watches: WatchEndpoints, watch: WatchReport, from: number, to: number): Promise<Difference> {
  const comparison = await watches.comparison(watch.id, from, to).catch((error: unknown) => {
    throw notKept(error, `text of check ${from} or of check ${to}`, watch);
  });
  const hunks = shownHunks({ hunks: comparison.hunks });
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (wanted: 'ins' | 'del'): number => lines.filter(({ kind }) => kind === wanted).length;
  const words =
    hunks.length === 0 ? 'no relevant change' : lineWords({ inserted: count('ins'), deleted: count('del') });
  const told = { watch: { id: watch.id, url: watch.url }, ...comparison };
  return { from, to, name: `checks ${from} to ${to}`, at: comparison.to.at, words, hunks, told };
}

/** The newest check at or before an instant; of a younger watch, or one whose older checks are forgotten, the oldest. */
async function checkAt(watches: WatchEndpoints, watch: WatchReport, instant: number): Promise<number> {
  let oldest: number | undefined;
  for await (const check of allChecks(watches, watch.id)) {
    // Before the first success there is no text.
    if (check.outcome !== 'failed') oldest = check.n;
    if (Date.parse(check.at) <= instant && oldest === check.n) break;
  }
  if (oldest === undefined) throw unchanged(watch);
  return oldest;
}

async function newest(watches: WatchEndpoints, watch: WatchReport): Promise<number> {
  const check = await newestCheck(watches, watch.id);
  if (!check) throw unchanged(watch);
  return check.n;
}

function unchanged({ url, checks, problem, last_success_at: success }: WatchReport): NotFound {
  const why = problem === null ? `${checks} ${checks === 1 ? 'check' : 'checks'} so far` : problem.detail;
  const what = success === null ? 'has not been read yet' : 'has not changed since the watch was added';
  return new NotFound(`${url} ${what}: ${why}`, {
    try: `hydrant watch log ${quoted(url)}`,
  });
}

async function show(
  { context, out, flags: { json, quiet } }: Session,
  watches: WatchEndpoints,
  watch: WatchReport,
  found: Difference,
  flags: WatchDiffFlags,
): Promise<void> {
  const write = async (text: string): Promise<void> => pacedWrite(context.io.stdout, text, context.closed);
  if (flags.patch === true) return write(found.hunks.length === 0 ? '' : await patchOf(watches, watch, found));
  if (json === true) return write(`${printableJson(found.told)}\n`);
  const { name, at, words, hunks } = found;
  const summary = `${name}, ${out.time(at)}: ${words}`;
  if (flags.html === true) return write(changePage({ url: watch.url, title: watch.title, summary, hunks }));
  if (hunks.length === 0 || quiet === true) return undefined;
  const { stdout } = context.io;
  const form = { paint: out.paint, width: stdout.isTTY === true ? (stdout.columns ?? 80) : undefined };
  const when = out.forPeople ? ` (${relative(found.at, out.now)})` : '';
  const head = [...names(watch, out.paint), out.paint('dim', printable(`${summary}${when}`))];
  const text = `${[...head, ...changeLines(hunks, form)].join('\n')}\n`;
  return out.forPeople ? throughPager(context, text) : write(text);
}

function names({ title, url }: WatchReport, paint: Session['out']['paint']): string[] {
  return title === undefined ? [paint('bold', printable(url))] : [paint('bold', printable(title)), printable(url)];
}

/** Of the two texts as `watch text` prints them. */
async function patchOf(watches: WatchEndpoints, watch: WatchReport, { from, to }: Difference): Promise<string> {
  const linesOf = async (n: number): Promise<string[]> => {
    const version = await watches.version(watch.id, n).catch((error: unknown) => {
      throw notKept(error, `text of check ${n}`, watch);
    });
    return version.lines.map(printable);
  };
  return linePatch(fileNameOf(watch.url), await linesOf(from), await linesOf(to));
}

/** `example.org_news_today.txt`: a name that every file system takes. */
export function fileNameOf(url: string): string {
  const name = url
    .replace(/^https?:\/\//i, '')
    .replaceAll(/[^\w.-]+/g, '_')
    .replaceAll(/^[._]+|[._]+$/g, '');
  return `${name.slice(0, 100) || 'page'}.txt`;
}

/** `hydrant watch feed`: changes for a reader of feeds. */
interface WatchFeedFlags {
  readonly limit?: number | undefined;
  readonly output?: string | undefined;
  readonly format: 'atom' | 'json';
}

/** Entries without `--limit`: as many as readers keep of a feed. */
const ENTRIES = 50;

export async function writeFeed(session: Session, wanted: string | undefined, flags: WatchFeedFlags): Promise<void> {
  const { context, out, connect } = session;
  const { client, connection } = await connect();
  const { watches } = client;
  const watch = wanted === undefined ? undefined : findWatch(await watches.list(), wanted);
  const one = watch ? { watch: watch.id } : {};
  const { changes } = await watches.changes({ newest: true, limit: flags.limit ?? ENTRIES, ...one });
  const subject = watch
    ? subjectOfWatch(watch)
    : { key: keyOf(connection), title: 'changes of all watched pages', url: undefined, since: EPOCH };
  const write = flags.format === 'json' ? jsonFeed : atomFeed;
  const text = write(changeFeed(subject, changes), (data) => hash('sha1', data));
  if (flags.output === undefined) return pacedWrite(context.io.stdout, text, context.closed);
  await writeWhole(flags.output, text);
  return out.notice(`${flags.output}: ${count(changes.length, 'change')}`);
}

/** The time of a feed in which nothing has happened yet: no reader shows it. */
const EPOCH = '1970-01-01T00:00:00Z';

/** One feed a daemon and organization, wherever it is written from. */
function keyOf({ target, credential }: Connection): string {
  const organization = credential.kind === 'operator' ? (credential.organization ?? '') : '';
  return `${target.kind === 'socket' ? target.path : target.url} ${organization}`;
}
