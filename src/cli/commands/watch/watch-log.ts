import type { CheckReport } from '../../../shared/api/watch.ts';
import { type CheckRun, checkRuns, checkWords, isQuiet } from '../../changes/checks.ts';
import { pacedWrite } from '../../runtime/output.ts';
import { printable, printableJson, quoted } from '../../text/printable.ts';
import { parseSeconds, relative } from '../../text/time.ts';
import type { Session, SessionFlags } from '../session.ts';
import { findWatch } from './watch-names.ts';
import { Refused } from '../../client/refusal.ts';
import type { ChecksAsked, WatchEndpoints } from '../../client/watches.ts';
import { NotFound, UsageError } from '../../runtime/failure.ts';

/** `hydrant watch log`: what the checks of a watch came to, newest first. */
interface WatchLogFlags {
  readonly changes?: true | undefined;
  readonly failures?: true | undefined;
  readonly limit?: number | undefined;
}

/** Lines without `--limit`. */
const LINES = 30;

export async function showLog(session: Session, wanted: string, flags: WatchLogFlags): Promise<void> {
  const { context, out } = session;
  const { client } = await session.connect();
  const watch = findWatch(await client.watches.list(), wanted);
  const checks = chosen(allChecks(client.watches, watch.id, flags.changes === true ? { changes: true } : {}), flags);
  let lines = 0;
  for await (const line of out.forPeople ? runLines(checks, session) : plainLines(checks, session.flags)) {
    if (context.closed?.aborted === true) return;
    await pacedWrite(context.io.stdout, `${line}\n`, context.closed);
    lines += 1;
    if (lines === (flags.limit ?? LINES)) return;
  }
  if (lines === 0) out.notice(`${watch.url}: ${none(flags)}`);
}

function none({ changes, failures }: WatchLogFlags): string {
  if (changes === true) return 'no change so far';
  return failures === true ? 'no failed check' : 'not checked yet';
}

async function* chosen(checks: AsyncIterable<CheckReport>, flags: WatchLogFlags): AsyncGenerator<CheckReport> {
  for await (const check of checks) {
    if (flags.changes === true && check.outcome !== 'changed') continue;
    if (flags.failures === true && check.outcome !== 'failed') continue;
    yield check;
  }
}

async function* plainLines(checks: AsyncIterable<CheckReport>, flags: SessionFlags): AsyncGenerator<string> {
  for await (const check of checks) {
    if (flags.json === true) yield printableJson(check);
    else if (flags.quiet === true) yield String(check.n);
    else yield [String(check.n), check.at, check.outcome, checkWords(check)].map(printable).join('\t');
  }
}

/** Runs of checks that say the same are one line. */
async function* runLines(checks: AsyncIterable<CheckReport>, { out }: Session): AsyncGenerator<string> {
  for await (const run of checkRuns(checks)) {
    const { newest, oldest, count } = run;
    const numbers = count === 1 ? String(newest.n) : `${oldest.n}–${newest.n}`;
    const text = `${numbers.padStart(NUMBERS)}  ${relative(newest.at, out.now).padEnd(AGE)}  ${words(run)}`;
    const style = { baseline: 'bold', changed: 'green', failed: 'red', unchanged: 'dim' } as const;
    yield out.paint(style[newest.outcome], printable(text));
  }
}

const NUMBERS = 9;
const AGE = '23 h 59 m ago'.length;

function words({ newest, count }: CheckRun): string {
  const said = checkWords(newest);
  if (count === 1) return said;
  return `${count.toLocaleString('en')} checks${isQuiet(newest) ? ', ' : ' '}${said}`;
}

/** Checks of one answer. */
const A_PAGE = 100;

/** The checks of a watch as far as they are kept, newest first, asked for as they are needed. */
export async function* allChecks(
  watches: WatchEndpoints,
  id: string,
  asked: Omit<ChecksAsked, 'limit'> = {},
): AsyncGenerator<CheckReport> {
  let { before } = asked;
  for (;;) {
    const page = await watches.checks(id, { ...asked, ...(before !== undefined && { before }), limit: A_PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < A_PAGE) return;
    before = last.n;
  }
}

export async function newestCheck(watches: WatchEndpoints, id: string): Promise<CheckReport | undefined> {
  return (await watches.checks(id, { limit: 1 }))[0];
}

/** The instant that `2h` ago, a date or a timestamp names, in milliseconds. @throws {UsageError} */
export function instantOf(text: string, now: number, flag: string): number {
  const seconds = parseSeconds(text);
  const at = seconds === undefined ? Date.parse(text) : now - seconds * 1_000;
  if (!Number.isNaN(at)) return at;
  throw new UsageError(`${flag}: \`${text}\` is not a time`, {
    hint: 'write it as 2h, 3d, 2026-02-27 or 2026-02-27T14:00:00Z',
  });
}

/** Checks and texts are kept for a while only: what a 404 of one means. */
export function notKept(error: unknown, what: string, watch: { readonly url: string }): unknown {
  if (!(error instanceof Refused) || error.status !== 404) return error;
  return new NotFound(`there is no ${what}, or it is no longer kept`, {
    try: `hydrant watch log ${quoted(watch.url)}`,
  });
}

/** `hydrant watch text`: the lines of a watched page as a check left them. */
export async function showText(session: Session, wanted: string, check: number | undefined): Promise<void> {
  const { context, out, flags } = session;
  const { client } = await session.connect();
  const watch = findWatch(await client.watches.list(), wanted);
  const n = check ?? (await newestCheck(client.watches, watch.id))?.n;
  if (n === undefined) {
    throw new NotFound(`${watch.url} has not been checked yet`, { try: `hydrant watch check ${quoted(watch.url)}` });
  }
  const version = await client.watches.version(watch.id, n).catch((error: unknown) => {
    throw notKept(error, `text of check ${n}`, watch);
  });
  if (version.lines.length === 0) out.notice(`check ${version.n} found no text`);
  const text = flags.json === true ? printableJson(version) : version.lines.map(printable).join('\n');
  await pacedWrite(context.io.stdout, text === '' ? '' : `${text}\n`, context.closed);
}
