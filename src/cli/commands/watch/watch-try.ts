import type { WatchOptions } from '../../../shared/api/watch.ts';
import { labels } from '../../../shared/label/labels.ts';
import { RENDER_SECONDS } from '../../../shared/limits.ts';
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
import { Failure, UsageError } from '../../runtime/failure.ts';
import type { FetchWay } from '../../runtime/context.ts';
import { pacedWrite } from '../../runtime/output.ts';
import { checkAddress, isUrl, pageFailure, PageProblem, readSource } from '../../pages/page-source.ts';
import { accountFields } from '../../pages/account-lines.ts';
import { asKnown, withAddress } from '../../pages/read-page.ts';
import { printable, printableJson, quoted } from '../../../shared/text/printable.ts';
import { wrap } from '../../text/table.ts';
import { checkedUrl } from '../option-values.ts';
import { invalidQuery } from '../query-report.ts';
import type { RequestFlags } from '../request-flags.ts';
import { requestOf } from '../request-order.ts';
import type { Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { optionFlags, type OptionFlags, optionsOf, withPaths } from './watch-options.ts';
import { checkSelectors } from './watch-option-checks.ts';

/** `hydrant watch try`: what would be watched of a page, before it is. */
interface WatchTryFlags extends OptionFlags, RequestFlags {
  /** The address that a file had. */
  readonly as?: string | undefined;
}

/** Answers the exit code: a page that robots.txt forbids can be shown, but not watched. */
export async function tryWatch(session: Session, source: string, given: WatchTryFlags): Promise<ExitCode> {
  const { context } = session;
  const flags = await withPaths(given);
  const options = optionsOf(flags);
  const { select = [], ignore = [], trigger = null } = options;
  checkSelectors({ select, ignore });
  const query = trigger === null ? undefined : queryOf(trigger);
  if (source.includes('://')) checkedUrl(source);
  checkAddress(flags.as, [source]);
  const request = await requestBy(session, source, flags);
  const body = await bodyOf(session, source, { address: flags.as ?? '', request });
  const reading = await readFetched(withAddress(body), { select, ignore }, context.now(), read);
  if (options.render) {
    const rendered = await tryRendered(session, source, options, request);
    return showBoth(session, { source, ...sentOf(reading), rendered, options });
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

/** @throws {UsageError} for a file, which nobody is asked for */
async function requestBy(session: Session, source: string, flags: RequestFlags): Promise<FetchWay['request']> {
  const change = await requestOf(session, flags);
  if (change && !isUrl(source))
    throw new UsageError('headers and cookies are for the URL of a page, and this is a file');
  return change && { change, environment: session.context.environment };
}

/** @throws {Failure} where there is none */
function bodyOf(
  { context }: Session,
  source: string,
  { address, request }: { readonly address: string; readonly request: FetchWay['request'] },
): Promise<Body> {
  const fetchPage: Session['context']['fetchPage'] = (url, signal) =>
    context.fetchPage(url, signal, 'person', { request });
  return readSource(request ? { ...context, fetchPage } : context, source, address).catch((error: unknown) => {
    throw error instanceof PageProblem ? pageFailure(source, error) : error;
  });
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

/** A page as a browser shows it. */
interface Rendered {
  readonly reading: WatchedReading;
  readonly lines: readonly string[];
  /** Why it may not have been complete. */
  readonly unsettled: string | undefined;
}

/** @throws {UsageError} for a file; {Failure} where it cannot be rendered */
async function tryRendered(
  { context }: Session,
  source: string,
  { select = [], ignore = [], render }: Partial<WatchOptions>,
  request: FetchWay['request'],
): Promise<Rendered> {
  if (!isUrl(source))
    throw new UsageError('--render needs the URL of a page: what a file says is what its server sent');
  const { settingsOf } = await context.upkeep();
  const settings = await settingsOf({}, context.environment);
  const withinMs = (render?.within_seconds ?? RENDER_SECONDS.default) * 1_000;
  const wish = { withinMs, waitFor: render?.wait_for, settings };
  const signal = context.closed ?? new AbortController().signal;
  const found = await context.fetchPage(source, signal, 'person', { render: wish, request });
  if (found.outcome === 'failed') throw pageFailure(source, new PageProblem(found.reason, `rendered: ${found.detail}`));
  const reading = await readFetched(found, { select, ignore }, context.now(), read);
  if (reading.outcome === 'failed') {
    throw pageFailure(source, new PageProblem(reading.reason, `rendered: ${reading.detail}`));
  }
  return { reading, lines: linesOf(reading.page), unsettled: found.unsettled };
}

function sentOf(reading: Awaited<ReturnType<typeof readFetched>>): Pick<Both, 'sent' | 'failure'> {
  return reading.outcome === 'failed'
    ? { sent: [], failure: reading }
    : { sent: linesOf(reading.page), failure: undefined };
}

interface Both {
  readonly source: string;
  /** The lines of the page as its server sends it. */
  readonly sent: readonly string[];
  /** Why there are none. */
  readonly failure: { readonly reason: string; readonly detail: string } | undefined;
  readonly rendered: Rendered;
  readonly options: Partial<WatchOptions>;
}

/** Both readings, and whether the browser's has more. */
async function showBoth(session: Session, both: Both): Promise<ExitCode> {
  const { context, flags, out } = session;
  const { sent, rendered, source, options } = both;
  const gained = without(rendered.lines, sent);
  const lost = without(sent, rendered.lines);
  const text =
    flags.json === true
      ? printableJson(objectOfBoth(both, gained, lost))
      : flags.quiet === true
        ? rendered.lines.map(printable).join('\n')
        : formattedBoth(session, both, new Set(gained));
  await pacedWrite(context.io.stdout, `${text}\n`, context.closed);
  const isWorth = gained.length > 0;
  const words = ['hydrant watch add', quoted(source), ...optionFlags(isWorth ? options : { ...options, render: null })];
  const less = lost.length === 0 ? '' : `, and leaves out ${lost.length}`;
  const verdict = isWorth
    ? `rendering adds ${count(gained.length, 'line')}${less}`
    : 'rendering adds nothing: leave out --render';
  out.notice(verdict, words.join(' '));
  return exitCode.ok;
}

/** Those of the first that the second has not as often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const times = left.get(line) ?? 0;
    left.set(line, times - 1);
    return times <= 0;
  });
}

function formattedBoth({ out }: Session, { sent, failure, rendered }: Both, gained: ReadonlySet<string>): string {
  const { title } = rendered.reading.whole;
  const row = (name: string, value: string): string => `${out.paint('dim', name.padEnd(9))} ${printable(value)}`;
  const numbered = (lines: readonly string[], mark: (line: string) => string): string[] =>
    lines.map((line, at) => `${out.paint('dim', String(at + 1).padStart(4))} ${mark(line)} ${printable(line)}`);
  const account = accountFields(accountOf(rendered.reading.whole));
  return [
    title === undefined ? out.paint('dim', '(no title)') : out.paint('bold', printable(title)),
    row('sent', failure ? failure.detail : count(sent.length, 'line')),
    ...numbered(sent, () => ' '),
    '',
    row('rendered', `${count(rendered.lines.length, 'line')}; + marks those that only a browser shows`),
    ...(rendered.unsettled === undefined ? [] : [row('unsettled', rendered.unsettled)]),
    ...account.flatMap(([name, value]) => (value === undefined ? [] : [row(name, value)])),
    ...numbered(rendered.lines, (line) => (gained.has(line) ? '+' : ' ')),
  ].join('\n');
}

function objectOfBoth(
  { sent, failure, rendered, source }: Both,
  gained: readonly string[],
  lost: readonly string[],
): object {
  return {
    url: source,
    sent: { lines: sent, ...(failure && { reason: failure.reason, detail: failure.detail }) },
    rendered: {
      lines: rendered.lines,
      account: accountOf(rendered.reading.whole),
      ...(rendered.unsettled !== undefined && { unsettled: rendered.unsettled }),
    },
    gained,
    lost,
  };
}
