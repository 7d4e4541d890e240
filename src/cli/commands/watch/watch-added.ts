import type { Watch, WatchBatchReport, WatchReport } from '../../../shared/api/watch.ts';
import { checkWords } from '../../changes/check-words.ts';
import { Refused } from '../../client/refusal.ts';
import type { WatchEndpoints } from '../../client/watches.ts';
import type { Session } from '../session.ts';
import { count } from '../count.ts';
import { CHECK_TIMEOUT_SECONDS } from './watch-check.ts';
import { watchColumns } from './watch-list.ts';
import { nextChecks } from './watch-wait.ts';

/** What `watch add` tells of watches that are new: what their first check has found, where somebody waits for it. */
export interface Added {
  readonly report: WatchBatchReport;
  /** With a management key: what was added, as it sees it. */
  readonly own?: readonly Watch[];
}

interface Told extends Added {
  readonly flags: { readonly wait?: boolean | undefined; readonly timeout?: number | undefined };
}

/** Rows that a terminal is shown, and first checks that it waits for; a pipe gets all. */
const SHOWN_ROWS = 20;

export async function tellAdded(
  session: Session,
  watches: WatchEndpoints | undefined,
  { report, own, flags }: Told,
): Promise<void> {
  const added = own ?? report.added;
  const awaited = watches === undefined ? [] : awaitedOf(session, report.added, flags.wait);
  if (awaited.length === 0 || session.flags.json !== true) tellRows(session, added, report);
  tellKnown(session, report.known);
  if (added.length > 0) {
    const words = `${count(added.length, 'page')} watched; the first check is made as soon as possible`;
    session.out.notice(words, awaited.length > 0 ? undefined : nextOf(added));
  }
  if (watches === undefined || awaited.length === 0) return;
  const seconds = flags.timeout ?? CHECK_TIMEOUT_SECONDS;
  await tellFirst(session, watches, { report, awaited, untilMs: session.context.now() + seconds * 1_000 });
}

function awaitedOf({ out }: Session, added: readonly WatchReport[], wait: boolean | undefined): WatchReport[] {
  const active = added.filter(({ status }) => status === 'active');
  return (wait ?? (out.forPeople && active.length <= SHOWN_ROWS)) ? active : [];
}

function tellRows({ out, flags }: Session, added: readonly Watch[], report: WatchBatchReport): void {
  if (flags.json === true) return out.one({ ...report, added }, { id: '', lines: [] });
  if (added.length === 0 || (added.length > SHOWN_ROWS && out.forPeople)) return;
  out.list(added, { id: ({ id }) => id, columns: watchColumns(out.now), none: '' });
}

function nextOf(added: readonly Watch[]): string {
  const [first, ...others] = added;
  return others.length === 0 && first ? `hydrant watch show ${first.id.slice(0, 8)}` : 'hydrant watch list';
}

function tellKnown({ out }: Session, known: WatchBatchReport['known']): void {
  const [first, ...others] = known;
  if (first === undefined) return;
  if (others.length > 0) out.notice(`${count(known.length, 'URL')} watched already; those watches stay as they are`);
  else out.notice(`${first.url}: ${first.message}`, 'hydrant watch edit --help');
}

interface First {
  readonly report: WatchBatchReport;
  readonly awaited: readonly WatchReport[];
  readonly untilMs: number;
}

async function tellFirst(session: Session, watches: WatchEndpoints, first: First): Promise<void> {
  const { out, flags } = session;
  const { report, awaited } = first;
  const found = await nextChecks(session, watches, first);
  if (flags.json === true) {
    const added = report.added.map((watch) => ({ ...watch, first_check: found.get(watch.id) ?? null }));
    out.one({ ...report, added }, { id: '', lines: [] });
    return;
  }
  const isOne = awaited.length === 1;
  for (const { id, url } of awaited) {
    const check = found.get(id);
    const next = `hydrant watch ${check?.outcome === 'failed' ? 'explain' : 'text'} ${id.slice(0, 8)}`;
    if (check === undefined) out.notice(`${url}: not checked yet; it stays due`);
    else if (check.outcome === 'failed') out.notice(`${url}: ${checkWords(check)}`, next);
    else out.notice(`${url}: ${await linesOf(watches, id)} watched`, isOne ? next : undefined);
  }
  if (!isOne) out.notice(`${count(found.size, 'first check')} made`, 'hydrant watch list');
}

/** How many lines the first check has found. */
async function linesOf(watches: WatchEndpoints, id: string): Promise<string> {
  try {
    const { findings } = await watches.explanation(id);
    return findings === undefined
      ? 'the page is'
      : `${count(findings.lines, 'line')} ${findings.lines === 1 ? 'is' : 'are'}`;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return 'the page is';
    throw error;
  }
}
