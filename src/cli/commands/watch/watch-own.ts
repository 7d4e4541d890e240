import type { CrawlEntry } from '../../../shared/api/watch.ts';
import { WATCH_HISTORY_LIMIT } from '../../../shared/limits.ts';
import { changePage } from '../../../shared/documents/change-html.ts';
import { changeLines } from '../../changes/change-lines.ts';
import { entryHunks, type ShownHunk } from '../../../shared/documents/shown-change.ts';
import { checkStrip } from '../../changes/checks.ts';
import { lineWords } from '../../../shared/documents/check-words.ts';
import type { OwnWatchEndpoints, SeenWatch } from '../../client/watches.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { NotFound, OperatorOnly } from '../../runtime/failure.ts';
import { pacedWrite } from '../../runtime/output.ts';
import { throughPager } from '../../runtime/child-processes.ts';
import { count } from '../../../shared/text/plural.ts';
import { printable, printableJson } from '../../../shared/text/printable.ts';
import { relative } from '../../text/time.ts';
import type { Session } from '../session.ts';

/**
 * What a management key sees of the checks of a watch: the newest hundred, as `GET /v1/url-watch/:id` has them. They have no
 * numbers, and a check that failed is an entry like one that found nothing.
 */
const ENTRIES = WATCH_HISTORY_LIMIT.most;

/** What is asked of a history: a check by its number or a range, or all since an instant (milliseconds since 1970). */
interface OwnDiffAsked {
  readonly which: string | undefined;
  readonly since: number | undefined;
  readonly html: boolean;
  readonly patch: boolean;
  readonly exitCode: boolean;
}

/** `hydrant watch diff`: the newest change, or each since a time, the oldest first. */
export async function showOwnDiff(
  session: Session,
  own: OwnWatchEndpoints,
  watch: SeenWatch,
  asked: OwnDiffAsked,
): Promise<number> {
  if (asked.which !== undefined) throw new OperatorOnly('a check by its number');
  if (asked.patch) throw new OperatorOnly('--patch');
  const { diffs } = await own.entries(watch.id, ENTRIES);
  const changes = chosen(session, watch, diffs, asked.since);
  await write(session, watch, changes, asked.html);
  return asked.exitCode && changes.length > 0 ? exitCode.no : exitCode.ok;
}

/** @throws {NotFound} where there is none at all */
function chosen(
  { out }: Session,
  watch: SeenWatch,
  diffs: readonly CrawlEntry[],
  instant: number | undefined,
): readonly CrawlEntry[] {
  const changed = diffs.filter((entry) => entry.has_changes);
  if (instant === undefined) {
    const [newest] = changed;
    if (newest === undefined) throw unchanged(watch, diffs.length);
    return [newest];
  }
  const oldest = diffs.at(-1);
  if (diffs.length === ENTRIES && oldest !== undefined && Date.parse(oldest.created_at) > instant) {
    out.notice(`a management key sees the newest ${ENTRIES} checks only, since ${oldest.created_at}`);
  }
  const found = changed.filter(({ created_at: at }) => Date.parse(at) >= instant).toReversed();
  if (found.length === 0) out.notice(`${watch.url}: no change since then`);
  return found;
}

function unchanged({ url, change_count: changes }: SeenWatch, checks: number): NotFound {
  if (checks === 0) return new NotFound(`${url} has not been checked yet`);
  if (changes === 0) return new NotFound(`${url} has not changed since the watch was added`);
  return new NotFound(`${url} has not changed in its newest ${count(checks, 'check')}, which a management key sees`);
}

async function write(
  { context, out, flags: { json, quiet } }: Session,
  watch: SeenWatch,
  changes: readonly CrawlEntry[],
  isHtml: boolean,
): Promise<void> {
  const print = async (text: string): Promise<void> => pacedWrite(context.io.stdout, text, context.closed);
  if (json === true) return print(`${printableJson({ watch: { id: watch.id, url: watch.url }, changes })}\n`);
  const shown = changes.map((entry) => ({ at: entry.created_at, hunks: entryHunks(entry.diff) }));
  if (isHtml) {
    const summary = shown.map(({ at, hunks }) => `${at}: ${wordsOf(hunks)}`).join('; ');
    const hunks = shown.flatMap((change) => change.hunks);
    return print(changePage({ url: watch.url, title: undefined, summary, hunks }));
  }
  if (shown.length === 0 || quiet === true) return undefined;
  const { stdout } = context.io;
  const form = { paint: out.paint, width: stdout.isTTY === true ? (stdout.columns ?? 80) : undefined };
  const lines = [out.paint('bold', printable(watch.url))];
  for (const { at, hunks } of shown) {
    const when = out.forPeople ? ` (${relative(at, out.now)})` : '';
    lines.push(out.paint('dim', printable(`${out.time(at)}: ${wordsOf(hunks)}${when}`)), ...changeLines(hunks, form));
  }
  const text = `${lines.join('\n')}\n`;
  return out.forPeople ? throughPager(context, text) : print(text);
}

function wordsOf(hunks: readonly ShownHunk[]): string {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const number = (wanted: 'ins' | 'del'): number => lines.filter(({ kind }) => kind === wanted).length;
  return `changed: ${lineWords({ inserted: number('ins'), deleted: number('del') })}`;
}

interface OwnLogAsked {
  readonly changes: boolean;
  readonly failures: boolean;
  /** At most. */
  readonly lines: number;
}

/** `hydrant watch log`: the newest first; checks without a change in a row are one line, for people. */
export async function showOwnLog(
  { context, out, flags: { json, quiet } }: Session,
  own: OwnWatchEndpoints,
  watch: SeenWatch,
  { changes: isOfChanges, failures, lines: most }: OwnLogAsked,
): Promise<void> {
  if (failures) throw new OperatorOnly('--failures');
  const { diffs } = await own.entries(watch.id, ENTRIES);
  const entries = isOfChanges ? diffs.filter((entry) => entry.has_changes) : diffs;
  if (entries.length === 0) {
    return out.notice(`${watch.url}: ${isOfChanges ? 'no change so far' : 'not checked yet'}`);
  }
  const plain = (entry: CrawlEntry): string => {
    if (json === true) return printableJson(entry);
    return quiet === true ? entry.created_at : [entry.created_at, outcomeOf(entry), words(entry)].join('\t');
  };
  const lines = out.forPeople ? runs(entries, out.now) : entries.map(plain);
  await pacedWrite(context.io.stdout, `${lines.slice(0, most).join('\n')}\n`, context.closed);
  if (diffs.length === ENTRIES) out.notice(`a management key sees the newest ${ENTRIES} checks only`);
  out.notice(NO_FAILURES);
}

const NO_FAILURES = 'a check that failed is listed as one without a change: a management key cannot see failures';

function outcomeOf({ has_changes: hasChanges }: CrawlEntry): 'changed' | 'unchanged' {
  return hasChanges ? 'changed' : 'unchanged';
}

function words(entry: CrawlEntry): string {
  return entry.has_changes ? wordsOf(entryHunks(entry.diff)) : 'no change';
}

const AGE = '23 h 59 m ago'.length;

function runs(entries: readonly CrawlEntry[], now: number): string[] {
  const lines: { at: string; checks: number; words: string; isChange: boolean }[] = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    if (last !== undefined && !last.isChange && !entry.has_changes) last.checks += 1;
    else lines.push({ at: entry.created_at, checks: 1, words: words(entry), isChange: entry.has_changes });
  }
  return lines.map((line) => {
    const checks = line.checks === 1 ? '' : `${count(line.checks, 'check')}, `;
    return `${relative(line.at, now).padEnd(AGE)}  ${checks}${line.words}`;
  });
}

/** Of `hydrant watch show`: when it last changed, and the newest checks at a glance. */
export async function ownHistory(
  { out }: Session,
  own: OwnWatchEndpoints,
  { id }: SeenWatch,
  { strip, time }: { readonly strip: number; readonly time: (at: string) => string },
): Promise<[string, string][]> {
  const { diffs } = await own.entries(id, ENTRIES);
  const change = diffs.find((entry) => entry.has_changes);
  const marks = checkStrip(
    diffs.map((entry) => ({ outcome: outcomeOf(entry) })),
    strip,
  );
  return [
    ...(change === undefined ? [] : [['last change', time(change.created_at)] satisfies [string, string]]),
    ...(marks === '' || !out.forPeople ? [] : [['newest', marks] satisfies [string, string]]),
  ];
}
