import { grouped } from '../../../shared/grouped.ts';
import type { CheckReport, WatchExplanation, WatchFindings, WatchReport } from '../../../shared/api/watch.ts';
import { type CheckRun, checkRuns } from '../../changes/checks.ts';
import { checkWords, isQuiet, lineWords, noteWords } from '../../../shared/documents/check-words.ts';
import { accountFields } from '../../pages/account-lines.ts';
import { pacedWrite, type Field } from '../../runtime/output.ts';
import { printable, printableJson, quoted } from '../../../shared/text/printable.ts';
import { relative } from '../../text/time.ts';
import type { Session, SessionFlags } from '../session.ts';
import { findWatch, openWatches } from './watch-names.ts';
import { Refused } from '../../client/transport.ts';
import type { ChecksAsked, WatchEndpoints } from '../../client/watches.ts';
import { NotFound } from '../../runtime/failure.ts';
import { count } from '../../../shared/text/plural.ts';

/** `hydrant watch log`: what the checks of a watch came to, newest first. */
interface WatchLogFlags {
  readonly changes?: true | undefined;
  readonly failures?: true | undefined;
  readonly limit?: number | undefined;
}

/** Lines without `--limit`. */
const LINES = 30;

export async function showLog(session: Session, wanted: string, flags: WatchLogFlags): Promise<void> {
  const { operator: watches, own } = await openWatches(session);
  if (watches === undefined) {
    const { showOwnLog } = await import('./watch-own.ts');
    const { changes = false, failures = false, limit: lines = LINES } = flags;
    return showOwnLog(session, own, findWatch(await own.list(), wanted), { changes, failures, lines });
  }
  await showChecks(session, watches, findWatch(await watches.list(), wanted), flags);
}

async function showChecks(
  session: Session,
  watches: WatchEndpoints,
  watch: WatchReport,
  flags: WatchLogFlags,
): Promise<void> {
  const { context, out } = session;
  const checks = chosen(allChecks(watches, watch.id, flags.changes === true ? { changes: true } : {}), flags);
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
  return `${grouped(count)} checks${isQuiet(newest) ? ', ' : ' '}${said}`;
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

/** `hydrant watch explain`: why the last check that read the page reported a change, or did not. */
export async function explainCheck(session: Session, wanted: string): Promise<void> {
  const { out } = session;
  const { client } = await session.connect();
  const watch = findWatch(await client.watches.list(), wanted);
  const found = await client.watches.explanation(watch.id).catch((error: unknown) => {
    throw notChecked(error, watch);
  });
  const time = (timestamp: string): string => (out.forPeople ? relative(timestamp, out.now) : timestamp);
  const lines = [printable(watch.url), ...out.lay(steps(watch, found, time), NAMES)];
  out.one(found, { id: String(found.check.n), lines });
  const next = nextStep(watch, found);
  if (next) out.notice(...next);
}

/** Columns of the names. */
const NAMES = 9;

function steps(watch: WatchReport, found: WatchExplanation, time: (timestamp: string) => string): Field[] {
  const { check, request, findings } = found;
  const condition = request.conditional ? 'conditionally (only if changed)' : 'unconditionally';
  return [
    ['check', `${check.n}, ${time(check.at)}`],
    ['asked', `${watch.url}, ${condition}`],
    ...answerSteps(watch, found),
    ...(findings ? findingSteps(watch, findings) : []),
    ['so', verdict(check)],
  ];
}

function answerSteps({ url }: WatchReport, { answer, check }: WatchExplanation): Field[] {
  if (!answer) return check.outcome === 'failed' ? [] : [['answer', 'none']];
  // Of a page that was not read the type is not known here; where it is what fails, the last line names it.
  const unnamed = check.outcome === 'failed' ? [] : ['no content type'];
  const type = answer.content_type === '' ? unnamed : [answer.content_type];
  const moved = URL.parse(url)?.href.replace(/#.*$/, '') === answer.url ? [] : [['moved', `to ${answer.url}`] as const];
  return [['answer', [`status ${answer.status}`, ...type, count(answer.bytes, 'byte')].join(', ')], ...moved];
}

function findingSteps({ options }: WatchReport, findings: WatchFindings): Field[] {
  const { title, selected, ignored, lines, noise, triggered } = findings;
  return [
    ...(title === undefined ? [] : [['title', title] as const]),
    ...selected.map(({ selector, found }): Field => ['selected', `${selector}: ${found === 0 ? 'nothing' : found}`]),
    ...ignored.map(({ pattern, found }): Field => ['ignored', `${pattern}: ${found === 0 ? 'nothing' : found}`]),
    ['read', `${count(lines, 'line')} to compare`],
    ...accountFields(findings.account),
    ['compared', lineWords(findings)],
    ...noise.map(({ before, after, reason }): Field => ['not news', `${reason}: ${before} → ${after}`]),
    ...(findings.differs ?? []).map(({ detail }): Field => ['differs', detail]),
    ...(triggered === undefined
      ? []
      : [['trigger', `${options.trigger ?? ''}: ${triggered ? 'matches' : 'does not match'}`] as const]),
  ];
}

function verdict({ outcome, note, detail, reason, lines }: CheckReport): string {
  switch (outcome) {
    case 'baseline':
      return 'this is the first version: later checks compare with it';
    case 'changed':
      return `it has changed: ${lineWords(lines)}`;
    case 'failed':
      return `the check failed; the previous version is kept: ${detail ?? reason ?? 'unknown'}`;
    case 'unchanged':
      return note === undefined ? 'nothing has changed' : `no change is reported: ${noteWords(note)}`;
  }
}

/** What to do about it, and the command for it; undefined where there is nothing to do. */
function nextStep(watch: WatchReport, { check, findings }: WatchExplanation): [string, string?] | undefined {
  const url = quoted(watch.url);
  const lost = findings?.selected.find(({ found }) => found === 0)?.selector;
  if (check.reason === 'selector' || lost !== undefined) return selectorAdvice(url, lost ?? watch.options.select[0]);
  if (check.outcome === 'failed') return FAILURES[check.reason ?? '']?.(url);
  if (check.outcome === 'changed') return ['its diff has the lines', `hydrant watch diff ${url} ${check.n}`];
  return check.note && NOTES[check.note]?.(url);
}

function selectorAdvice(url: string, selector: string | undefined): [string, string] {
  const words = 'a selector matches nothing: the page may have been redesigned, or is built by scripts in the browser';
  return [words, `hydrant watch try ${url}${selector === undefined ? '' : ` --select ${quoted(selector)}`}`];
}

type Advice = (url: string) => [string, string?];

const NOTES: Partial<Record<NonNullable<CheckReport['note']>, Advice>> = {
  trigger: (url) => ['a change counts only if it matches the trigger', `hydrant watch edit ${url} --help`],
  only: (url) => ['changes of the other kind count too without --only', `hydrant watch edit ${url} --help`],
  unconfirmed: () => ['a second check within two minutes decides'],
  flap: () => ['the page showed the change only briefly; it is reported if it stays'],
};

const FAILURES: Readonly<Record<string, Advice>> = {
  application_shell: (url) => [
    'look for a feed, an API or another address of the same text',
    `hydrant watch try ${url}`,
  ],
  sign_in: (url) => ['the form itself can be watched', `hydrant watch try ${url} --select form`],
  robots: (url) => ['robots.txt disallows it, and hydrant obeys', `hydrant crawl why ${url}`],
  challenge: () => ['the site asks for proof that the visitor is human; hydrant does not pretend to be'],
  not_found: () => [
    'the page itself says so, whatever its status; once it is back, it is compared with its last version',
  ],
  maintenance: () => ['the next check tries again; once the page is back, it is compared with its last version'],
  private_address: () => [
    'addresses of private networks are not checked; the operator can allow one with --allow-private',
  ],
  empty: (url) => ['the page has no text: it may be built by scripts in the browser', `hydrant watch try ${url}`],
  doubtful: () => ['most of the page was gone; a second check within two minutes decides'],
  too_large: (url) => ['try a smaller page with the same news, such as a feed', `hydrant watch try ${url}`],
};

function notChecked(error: unknown, { url }: WatchReport): unknown {
  if (!(error instanceof Refused) || error.status !== 404) return error;
  return new NotFound(`no check has read ${url} yet`, { try: `hydrant watch check ${quoted(url)}` });
}
