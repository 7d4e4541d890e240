import { createHash } from 'node:crypto';
import type { WatchFindings } from '../../shared/api/watch.ts';
import type { CheckNote } from '../../shared/api/watch-values.ts';
import type { Labels } from '../../shared/label/label.ts';
import { accountOf, isAskingNow, isSignInPage, uncounted } from '../../shared/page/account.ts';
import { absence } from '../../shared/page/diff/absence.ts';
import { massDeletion } from '../../shared/page/diff/doubt.ts';
import type { Extraction } from '../../shared/page/read/extract.ts';
import { NO_HISTORY, type PageHistory } from '../../shared/page/history.ts';
import type { PlacedHunk } from '../../shared/page/change.ts';
import { type Body, EXTRACTOR, type Page } from '../../shared/page/page.ts';
import {
  readFetched,
  readKept,
  type ReadingRefusal,
  type WatchedReading,
} from '../../shared/page/select/watch-reading.ts';
import {
  compareWatched,
  countedLines,
  linesOf,
  oneSide,
  type WatchedDifference,
} from '../../shared/page/select/watched.ts';
import type { PackedText, WatchBaseline } from '../storage/watches.ts';
import {
  type CheckFinding,
  faultText,
  internalFailure,
  isAskedAlike,
  isSameDocument,
  readingOf,
  type WatchInput,
  signedOutWords,
} from './findings.ts';
import type { Triggers } from './matching.ts';
import { unzstd, zstd } from '../compression.ts';
import { historyOf, pageOf } from './packing.ts';
import { doubtful, halfAPage, waiting } from './second-look.ts';

/**
 * What one fetched page of a watch comes to, against the page as the last check that read one found it:
 *
 *     extract ─► select ─► diff ─► only, trigger, confirm ─► pack
 *
 * A function of its arguments, as `analyzePage` is. Most checks end at the diff: with other bytes and the same lines, one costs
 * one extraction and one comparison.
 */
interface WatchTools {
  /** The page that a body of any type holds. Never rejects. */
  readonly extract: (body: Body) => Promise<Extraction>;
  readonly labeller: () => Promise<(page: Page) => Labels>;
  readonly triggers: Pick<Triggers, 'matches'>;
}

/** Never rejects. */
export async function analyzeWatch(given: WatchInput, tools: WatchTools): Promise<CheckFinding> {
  try {
    return await analyzeBody(given, tools);
  } catch (fault) {
    return internalFailure(faultText(fault));
  }
}

async function analyzeBody(given: WatchInput, tools: WatchTools): Promise<CheckFinding> {
  const { fetched, options, at, extraction } = given;
  const extract = extraction ? () => Promise.resolve(extraction) : tools.extract;
  const now = await readFetched(fetched, options, at, extract);
  const last = given.last && (await lastPage(given.last, given, tools));
  const asked = await signInAsked({ given, now, last: last?.page }, extract);
  if (asked !== undefined) return { outcome: 'failed', reason: 'signed_out', detail: asked };
  if (now.outcome === 'failed') return now;
  const absent = absence(now.whole, last?.page);
  if (absent !== undefined) return { outcome: 'failed', ...absent };
  if (!last) return halfAPage(given) ?? first(given, now);

  return compared(given, { now, last }, tools);
}

async function compared(
  given: WatchInput,
  { now, last }: { readonly now: WatchedReading; readonly last: LastPage },
  tools: WatchTools,
): Promise<CheckFinding> {
  const gone = massDeletion(last.page, now.page);
  const waits = gone === undefined ? undefined : waiting(given, GONE);
  if (gone !== undefined && waits) return { ...doubtful(given, gone), ...waits };
  const difference = compareWatched(last.page, now.page, last.history, given.visits);
  return verdictOn({ given, now, last, difference, isBelieved: gone !== undefined }, tools);
}

/** Without anything to compare with: nothing has been read yet, or what has can no more be read by these options. */
function first(given: WatchInput, now: WatchedReading): CheckFinding {
  const lines = linesOf(now.page);
  return {
    outcome: 'baseline',
    ...(given.last && { note: 'options' }),
    baseline: baselineOf(given, now.page, NO_HISTORY),
    text: textOf(lines),
    ...titleOf(now),
    findings: findingsOf(now, lines.length),
  };
}

interface LastPage {
  readonly page: Page;
  readonly history: PageHistory;
  /** By other options, or by another extractor, than it had been read before. */
  readonly isReadAgain: boolean;
}

/** As it is read today: by today's options a page has other lines, and that is no change of the page. */
async function lastPage(last: WatchBaseline, given: WatchInput, tools: WatchTools): Promise<LastPage | undefined> {
  if (!isAskedAlike(last.reading, given.options)) return undefined;
  const history = historyOf(last);
  if (!isSameDocument(last.reading, readingOf(given.options))) return undefined;
  if (last.reading === readingOf(given.options) && last.extractor === EXTRACTOR) {
    return { page: pageOf(last), history, isReadAgain: false };
  }
  const { url, contentType } = last;
  const page = await readKept({ url, contentType, bytes: unzstd(last.body) }, given.options, tools.extract);
  return page && { page, history, isReadAgain: true };
}

interface Read {
  readonly given: WatchInput;
  readonly now: WatchedReading | ReadingRefusal;
  readonly last: Page | undefined;
}

/**
 * Whether the page asks to sign in and did not before, or asks who is signed in already: a sentence. It is looked at as a whole
 * where a part of it was selected, and that asks for a password or is not there any more.
 */
async function signInAsked({ given, now, last }: Read, extract: WatchTools['extract']): Promise<string | undefined> {
  if (!given.last && given.isSignedIn !== true) return undefined;
  if (now.outcome === 'failed') {
    if (now.reason === 'sign_in') return signedOutWords('watch');
    if (now.reason !== 'selector') return undefined;
  } else if (!isAskingNow(now.whole, last)) return undefined;
  const whole = await extract(given.fetched);
  return whole.ok && isSignInPage(whole.page) ? signedOutWords('watch') : undefined;
}

interface Compared {
  readonly given: WatchInput;
  readonly now: WatchedReading;
  readonly last: LastPage;
  readonly difference: WatchedDifference;
  /** It has waited for a second word already. */
  readonly isBelieved: boolean;
}

async function verdictOn(compared: Compared, tools: WatchTools): Promise<CheckFinding> {
  const { given, now, difference } = compared;
  const { options } = given;
  const lines = linesOf(now.page);
  const { hunks, change } = difference;
  if (hunks.length === 0 || !change) return unchanged(compared, whyUnchanged(compared), lines.length);
  const told = options.only === null || isMostlyGone(compared, lines) ? hunks : oneSide(hunks, options.only);
  const found = { hunks: told.length > 0 ? told : hunks };
  if (told.length === 0) return unchanged(compared, 'only', lines.length, found);
  if (options.trigger === null) return counted(compared, lines, found);

  const label = await tools.labeller();
  const triggered = tools.triggers.matches(options.trigger, now.whole, change, { at: given.at, dr: given.dr, label });
  if (!triggered) return unchanged(compared, 'trigger', lines.length, { ...found, triggered });
  return counted(compared, lines, { ...found, triggered });
}

interface Told {
  readonly hunks: readonly PlacedHunk[];
  readonly triggered?: boolean;
}

/** A change that counts; with `confirm`, and in a page that may not have been complete, once it has been seen twice. */
function counted({ given, now, difference, isBelieved }: Compared, lines: readonly string[], told: Told): CheckFinding {
  const findings = findingsOf(now, lines.length, difference, told);
  const mustWait = given.options.confirm || given.fetched.unsettled !== undefined;
  const waits = mustWait && !isBelieved ? waiting(given, changeIn(told.hunks)) : undefined;
  if (waits) return { outcome: 'unchanged', note: 'unconfirmed', ...waits, ...titleOf(now), findings };
  const { inserted, deleted } = findings;
  return {
    outcome: 'changed',
    baseline: baselineOf(given, now.page, difference.history),
    text: textOf(lines),
    diff: { packed: zstd(JSON.stringify(told.hunks)), inserted, deleted },
    ...titleOf(now),
    findings,
  };
}

function unchanged(
  { given, now, last, difference }: Compared,
  note: CheckNote,
  lines: number,
  told: Told = { hunks: [] },
): CheckFinding {
  return {
    outcome: 'unchanged',
    note,
    baseline: baselineOf(given, now.page, difference.history),
    // Read by other options it is another text, of which nothing is kept yet.
    ...(last.isReadAgain && { text: textOf(linesOf(now.page)) }),
    ...titleOf(now),
    findings: {
      ...findingsOf(now, lines, difference, told),
      ...(told.hunks.length === 0 && { differs: uncounted(last.page, now.page, difference) }),
    },
  };
}

function whyUnchanged({ given, last, difference }: Compared): CheckNote {
  if (last.isReadAgain) return 'options';
  const mayWait = given.options.confirm || Boolean(given.options.render);
  if (mayWait && given.doubtedAt !== undefined) return 'flap';
  return difference.ignored.length > 0 ? 'noise' : 'same_text';
}

/** Whether three of four lines have gone: that is told whatever of a change counts. */
function isMostlyGone({ last }: Compared, lines: readonly string[]): boolean {
  return lines.length * 4 <= linesOf(last.page).length;
}

function baselineOf({ fetched, at, options }: WatchInput, page: Page, history: PageHistory): WatchBaseline {
  const { url, contentType, bytes } = fetched;
  return {
    url,
    contentType,
    extractor: EXTRACTOR,
    reading: readingOf(options),
    at,
    page: zstd(JSON.stringify(page)),
    history: JSON.stringify(history),
    body: zstd(bytes),
  };
}

function textOf(lines: readonly string[]): PackedText {
  const joined = lines.join('\n');
  return { hash: createHash('sha256').update(joined).digest('hex').slice(0, 32), packed: zstd(joined) };
}

function titleOf({ whole: { title } }: WatchedReading): { readonly title?: string } {
  return title === undefined ? {} : { title };
}

/** Pairs of lines that are told. */
const NOISE = 20;

function findingsOf(
  now: WatchedReading,
  lines: number,
  difference?: WatchedDifference,
  { hunks, triggered }: Told = { hunks: [] },
): WatchFindings {
  return {
    ...titleOf(now),
    selected: now.selected,
    ignored: now.ignored,
    lines,
    ...countedLines(hunks),
    noise: difference?.ignored.slice(0, NOISE) ?? [],
    ...(triggered !== undefined && { triggered }),
    account: accountOf(now.whole),
  };
}

/** Most of the page is gone: whatever is left of it. */
const GONE = 'gone';

/** A change, by the lines that came and went. Where they stand is no matter: what is around them may change by itself. */
function changeIn(hunks: readonly PlacedHunk[]): string {
  const blocks = hunks.flatMap((hunk) => hunk.blocks).filter((block) => !('ctx' in block));
  return createHash('sha256').update(JSON.stringify(blocks)).digest('hex').slice(0, 16);
}
