import { labels } from '../../../shared/label/labels.ts';
import { explainRule } from '../../../shared/match/explain.ts';
import { valuesOf } from '../../../shared/match/document.ts';
import { NO_CHANGE } from '../../../shared/page/change.ts';
import { accountOf } from '../../../shared/page/account.ts';
import { compare } from '../../../shared/page/compare.ts';
import { domainsOf } from '../../../shared/page/domain.ts';
import type { Body } from '../../../shared/page/page.ts';
import { read } from '../../../shared/page/read.ts';
import { readFetched, type WatchedReading } from '../../../shared/page/select/watch-reading.ts';
import { linesOf } from '../../../shared/page/select/watched.ts';
import type { Query } from '../../../shared/query/ast.ts';
import { validate } from '../../../shared/query/validate.ts';
import { type ExitCode, exitCode } from '../../runtime/exit-code.ts';
import { Failure } from '../../runtime/failure.ts';
import { pacedWrite } from '../../runtime/output.ts';
import { checkAddress, isUrl, pageFailure, PageProblem, readSource } from '../../pages/page-source.ts';
import { accountFields } from '../../pages/account-lines.ts';
import { asKnown, withAddress } from '../../pages/read-page.ts';
import { printable, printableJson, quoted } from '../../../shared/text/printable.ts';
import { wrap } from '../../text/table.ts';
import { checkedUrl } from '../option-values.ts';
import { invalidQuery } from '../query-report.ts';
import type { Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { showBoth, tryRendered } from './watch-try-rendered.ts';
import { optionFlags, type OptionFlags, optionsOf } from './watch-options.ts';
import { checkSelectors } from './watch-option-checks.ts';

/** `hydrant watch try`: what would be watched of a page, before it is. */
interface WatchTryFlags extends OptionFlags {
  /** The address that a file had. */
  readonly as?: string | undefined;
}

/** Answers the exit code: a page that robots.txt forbids can be shown, but not watched. */
export async function tryWatch(session: Session, source: string, flags: WatchTryFlags): Promise<ExitCode> {
  const { context } = session;
  const options = optionsOf(flags);
  const { select = [], ignore = [], trigger = null } = options;
  checkSelectors({ select, ignore });
  const query = trigger === null ? undefined : queryOf(trigger);
  if (source.includes('://')) checkedUrl(source);
  checkAddress(flags.as, [source]);
  const body = await readSource(context, source, flags.as ?? '').catch((error: unknown) => {
    throw error instanceof PageProblem ? pageFailure(source, error) : error;
  });
  const reading = await readFetched(withAddress(body), { select, ignore }, context.now(), read);
  const rendered = options.render ? await tryRendered(session, source, options) : undefined;
  if (rendered) {
    const sent = reading.outcome === 'failed' ? [] : linesOf(reading.page);
    return showBoth(session, {
      source,
      sent,
      failure: reading.outcome === 'failed' ? reading : undefined,
      rendered,
      options,
    });
  }
  if (reading.outcome === 'failed') throw nothing(source, reading, select);
  const found: Tried = {
    body,
    reading,
    lines: linesOf(reading.page),
    ...(query && { triggered: await wouldMatch(query, reading, context.now()) }),
    ...(isUrl(source) && { robots: await robotsOf(session, body.url) }),
  };
  await pacedWrite(context.io.stdout, `${format(session, source, found, trigger)}\n`, context.closed);
  return isUrl(source)
    ? advise(session, found, ['hydrant watch add', quoted(source), ...optionFlags(options)])
    : exitCode.ok;
}

function advise({ out }: Session, { lines, robots }: Tried, words: readonly string[]): ExitCode {
  if (robots?.isForbidden === true) {
    out.notice(`a watch of it would fail: ${robots.detail}`);
    return exitCode.failed;
  }
  out.notice(`${count(lines.length, 'line')} would be watched`, words.join(' '));
  return exitCode.ok;
}

interface Tried {
  readonly body: Body;
  readonly reading: WatchedReading;
  readonly lines: readonly string[];
  /** Whether the trigger would match, if all of the page were new. */
  readonly triggered?: boolean;
  /** What the daemon knows of robots.txt; undefined where none was asked, or it does not know. */
  readonly robots?: Robots | undefined;
}

interface Robots {
  readonly isForbidden: boolean;
  readonly detail: string;
}

function queryOf(text: string): Query {
  const { query, diagnostics } = validate(text);
  if (!query) throw invalidQuery(diagnostics, text);
  return query;
}

/** A selector that finds nothing is the usual reason, so what to try next is the page without it. */
function nothing(source: string, why: { reason: string; detail: string }, select: readonly string[]): Failure {
  const failure = pageFailure(source, new PageProblem(why.reason, why.detail));
  if (why.reason !== 'selector' || select.length === 0) return failure;
  return new Failure(failure.code, failure.exitCode, failure.message, { try: `hydrant watch try ${quoted(source)}` });
}

async function wouldMatch(query: Query, { page, whole }: WatchedReading, now: number): Promise<boolean> {
  const { change = NO_CHANGE } = compare(undefined, page);
  const found = { page: whole, change, domains: domainsOf(whole.url), labels: await labels(whole) };
  return explainRule(query, valuesOf(found, now), { quality: false, nsfw: true }).matches;
}

/** A daemon on this machine may know; where there is none, nobody is asked. */
async function robotsOf({ connect }: Session, url: string): Promise<Robots | undefined> {
  try {
    const { client } = await connect();
    const { verdict, detail } = (await client.crawl.why(url)).robots;
    return detail === null ? undefined : { isForbidden: verdict === 'refused', detail };
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function format({ context, out, flags }: Session, source: string, tried: Tried, trigger: string | null): string {
  if (flags.json === true) return printableJson(objectOf(tried));
  if (flags.quiet === true) return tried.lines.map(printable).join('\n');
  const { whole } = tried.reading;
  const title = whole.title === undefined ? out.paint('dim', '(no title)') : out.paint('bold', printable(whole.title));
  const width = context.io.stdout.isTTY === true ? (context.io.stdout.columns ?? 80) : undefined;
  const numbered = tried.lines.flatMap((line, index) => {
    const lead = String(index + 1).padStart(NUMBER_COLUMNS - 2);
    const [first = '', ...others] =
      width === undefined ? [printable(line)] : wrap(printable(line), width, NUMBER_COLUMNS);
    return [`${out.paint('dim', lead)}  ${first}`, ...others];
  });
  const rows = facts(source, tried, trigger).map(
    ([name, value]) => `${out.paint('dim', name.padEnd(9))} ${printable(value)}`,
  );
  return [title, ...rows, '', ...numbered].join('\n');
}

const NUMBER_COLUMNS = 6;

function facts(source: string, { body, reading, lines, triggered, robots }: Tried, trigger: string | null) {
  const { url } = asKnown(reading.whole);
  const type = body.contentType === '' ? 'no content type' : body.contentType;
  const isMoved = isUrl(source) && URL.parse(source)?.href.replace(/#.*$/, '') !== url;
  const rows: readonly (readonly [name: string, value: string | undefined])[] = [
    ['url', url === '' ? undefined : url],
    ['moved', isMoved ? `from ${source}` : undefined],
    ...reading.selected.map(({ selector, found }) => ['found', `${selector}: ${count(found, 'element')}`] as const),
    ...reading.ignored.map(({ pattern, found }) => ['left out', `${pattern}: ${count(found, 'line')}`] as const),
    ['trigger', triggered === undefined ? undefined : triggerWords(trigger ?? '', triggered)],
    ['robots', robots?.detail],
    ...accountFields(accountOf(reading.whole)),
    ['watched', `${count(lines.length, 'line')} of ${count(body.bytes.length, 'byte')} of ${type}`],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function triggerWords(trigger: string, matches: boolean): string {
  return `${trigger}: ${matches ? 'matches' : 'does not match'}, if all of the page were new`;
}

function objectOf({ body, reading, lines, triggered, robots }: Tried): object {
  const { title } = reading.whole;
  return {
    url: asKnown(reading.whole).url,
    ...(title !== undefined && { title }),
    content_type: body.contentType,
    bytes: body.bytes.length,
    selected: reading.selected,
    ignored: reading.ignored,
    ...(triggered !== undefined && { triggered }),
    ...(robots !== undefined && { robots: robots.detail }),
    account: accountOf(reading.whole),
    lines,
  };
}
