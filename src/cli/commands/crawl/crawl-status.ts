import { setTimeout as pause } from 'node:timers/promises';
import { Failure, NotFound, UsageError } from '../../runtime/failure.ts';
import { type Field, Progress, wantsColour } from '../../runtime/output.ts';
import { accountFields } from '../../pages/account-lines.ts';
import { printable, quoted } from '../../../shared/text/printable.ts';
import { crawlView } from '../../screens/crawl-view.ts';
import { canShow, type Session } from '../session.ts';
import type { CrawlSpan, PageChangeReport, UrlPage, UrlReport, UrlSource } from '../../../shared/api/crawl.ts';
import { grouped } from '../../../shared/grouped.ts';
import type { Column } from '../../text/table.ts';
import { duration, every, localTime, relative } from '../../text/time.ts';
import { checkedUrl } from '../option-values.ts';
import { ruleFields } from './crawl-diff.ts';
import { notCrawled, outcome } from './source-text.ts';
import { count } from '../../../shared/text/plural.ts';
import type { CrawlEndpoints } from '../../client/crawl.ts';
import { Refused } from '../../client/transport.ts';
import { exitCode } from '../../runtime/exit-code.ts';

/** `hydrant crawl status`: one screen, once or live. */
interface StatusFlags {
  readonly once?: true | undefined;
  readonly watch?: true | undefined;
}

/** Nothing is cut in a pipe. */
const UNCUT = Number.MAX_SAFE_INTEGER;

export async function showStatus(session: Session, flags: StatusFlags): Promise<void> {
  const { context, out } = session;
  const isLive = formOf(flags, session) === 'live';
  const { client, connection } = await session.connect();
  const first = await client.crawl.status();
  if (!isLive) {
    const lines = crawlView(first, out.forPeople ? (context.io.stdout.columns ?? 80) : UNCUT);
    const texts = lines.map((line) => printable(line.map(({ text }) => text).join('')));
    out.one(first, { id: String(first.visits.made), lines: texts });
    return;
  }
  // Ink and React cost half a second and 45 MB: only who looks at the screen pays for them.
  const { inProduction } = await import('../../screens/production.ts');
  const { showCrawl } = await inProduction(async () => import('../../screens/CrawlScreen.tsx'));
  await showCrawl({
    context,
    first,
    read: () => client.crawl.status(),
    label: connection.label,
    colour: wantsColour(context.io.stdout, context.environment, session.flags),
  });
}

function formOf({ once, watch }: StatusFlags, session: Session): 'live' | 'once' {
  if (once === true && watch === true) throw new UsageError('--once and --watch exclude each other; give one');
  const isScreen = once !== true && canShow(session);
  if (watch === true && !isScreen) throw new UsageError('--watch needs a terminal');
  return isScreen ? 'live' : 'once';
}

/** `hydrant crawl why`: what the crawl knows of one URL, and why it does with it what it does. */
export async function explainUrl({ out, connect }: Session, text: string): Promise<void> {
  const url = checkedUrl(text);
  const { client } = await connect();
  const report = await client.crawl.why(url);
  const last = report.page === null ? undefined : await lastChangeOf(client.crawl, url);
  const time = (timestamp: string): string => (out.forPeople ? relative(timestamp, out.now) : timestamp);
  const fields = report.page ? held(report, report.page, time, out.now) : notHeld(report);
  if (last) fields.push(...ruleFields(last, time));
  out.one(
    { ...report, ...(last && { last_change: last }) },
    { id: report.url, lines: [printable(report.url), ...out.lay(fields, NAMES)] },
  );
  if (report.page === null) out.notice('it is not visited', `hydrant crawl add ${quoted(report.url)}`);
}

/** Undefined where an older daemon has no such route. */
async function lastChangeOf(crawl: CrawlEndpoints, url: string): Promise<PageChangeReport | undefined> {
  try {
    return await crawl.lastChange(url);
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  }
}

/** Columns of the names. */
const NAMES = 9;

type Time = (timestamp: string) => string;

function held(report: UrlReport, page: UrlPage, time: Time, now: number): Field[] {
  return [
    ...report.sources.map((source): Field => ['source', `${named(source)}${source.paused ? ', paused' : ''}`]),
    ['due', dueText(page, time, now)],
    ['host', hostText(page, time)],
    ['robots', robotsText(report)],
    ['interval', intervalText(page)],
    ['page', pageText(page, time)],
    ...accountFields(page.account ?? undefined),
    ...page.answers.map((answer): Field => ['visit', `${time(answer.at)}: ${outcome(answer)}${status(answer.status)}`]),
    ...(page.answers.length === 0 ? [['visit', 'none yet'] as const] : []),
  ];
}

function notHeld(report: UrlReport): Field[] {
  const reasons = report.sources.map((source): Field => ['source', `${named(source)}: ${reasonOf(source, report)}`]);
  return [
    ...(reasons.length > 0 ? reasons : [['source', `no source includes ${report.host}`] as const]),
    ...(report.trap === null ? [] : [['trap', `${report.trap}: links to such URLs are not followed`] as const]),
    ['robots', robotsText(report)],
  ];
}

const reasons: Readonly<Record<NonNullable<UrlSource['because']>, string>> = {
  scope: 'the URL is outside its scope',
  depth: 'it follows no links (--depth 0)',
  trap: 'it does not follow links to such URLs',
  budget: 'it is full and admits only a few new pages a day (--max-pages)',
  not_found: 'no page that it has visited links there, or only a page beyond its --depth',
};

function reasonOf({ because }: UrlSource, { host }: UrlReport): string {
  return because === null ? `it holds pages of ${host}` : reasons[because];
}

function named({ id, url, scope }: UrlSource): string {
  return `${url} (${scope}, ${id.slice(0, 8)})`;
}

function dueText({ due_at: due, ahead, urgency }: UrlPage, time: Time, now: number): string {
  const isDue = Date.parse(due) <= now;
  // Of a page that is not due they only say that others are due sooner.
  const before =
    ahead === 0 || !isDue ? [] : [`${ahead >= 1_000 ? 'over ' : ''}${count(ahead, 'page')} of its host before it`];
  const asked = urgency === 'none' ? [] : [urgency === 'asked' ? 'asked for' : `announced by a ${urgency}`];
  return [isDue ? `since ${time(due)}` : time(due), ...asked, ...before].join(' · ');
}

function hostText({ host }: UrlPage, time: Time): string {
  const { backing_off: off, today } = host;
  return [
    ...(host.leased ? ['a visit is under way'] : []),
    ...(host.rests_until === null ? [] : [`next request not before ${time(host.rests_until)}`]),
    ...(off === null ? [] : [`backing off since ${time(off.since)}: ${off.reason}, ${off.times} times in a row`]),
    ...(host.failures === 0 ? [] : [`${count(host.failures, 'failure')} in a row`]),
    ...(host.response_ms === null ? [] : [`answers in ${host.response_ms} ms`]),
    `${count(today.fetches, 'request')} today`,
  ].join(' · ');
}

function robotsText({ robots, host }: UrlReport): string {
  return robots.detail ?? `robots.txt of ${host} is not known yet; it is fetched before the first visit`;
}

function intervalText(page: UrlPage): string {
  const { every_seconds: fixed, changes_every_seconds: change } = page;
  const seen =
    change === null ? 'how often it changes is not known yet' : `changes about every ${duration(change * 1_000)}`;
  return fixed === null ? seen : `every ${every(fixed)}, set by the source · ${seen}`;
}

function pageText(page: UrlPage, time: Time): string {
  return [
    page.kind,
    ...(page.same_as === null ? [] : [`the same as ${page.same_as}`]),
    ...(page.conditional ? ['fetched with conditional requests'] : []),
    ...(page.full_at === null ? [] : [`last fetched in full ${time(page.full_at)}`]),
    ...(page.doubted_since === null
      ? []
      : [`a change has been waiting to be confirmed since ${time(page.doubted_since)}`]),
    ...(page.failures === 0 ? [] : [`${count(page.failures, 'failure')} in a row`]),
  ].join(' · ');
}

function status(code: number | undefined): string {
  return code === undefined ? '' : ` (${code})`;
}

/** `hydrant crawl visit`: now, as far as its host and robots.txt allow it. */
interface VisitFlags {
  /** Undefined: on a terminal. */
  readonly wait?: boolean | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
}

const TIMEOUT_SECONDS = 60;
const LOOK_EVERY_MS = 500;

export async function visitUrl(session: Session, text: string, flags: VisitFlags): Promise<void> {
  const { out } = session;
  const url = checkedUrl(text);
  const { client } = await session.connect();
  const order = await client.crawl.visit(url).catch((error: unknown) => {
    throw notCrawled(error, url);
  });
  const tryWhy = { try: `hydrant crawl why ${quoted(order.url)}` };
  if (order.paused) {
    const words = `${order.url} has paused sources only; it is visited when one of them is resumed`;
    throw new Failure('paused', exitCode.no, words, tryWhy);
  }
  if (!(flags.wait ?? out.forPeople)) {
    out.done({ url: order.url, asked: true }, { id: order.url, notice: `${order.url} is due now`, next: tryWhy.try });
    return;
  }
  const seconds = flags.timeout ?? TIMEOUT_SECONDS;
  const page = await visited(session, client.crawl, { ...order, untilMs: session.context.now() + seconds * 1_000 });
  const answer = page?.answers[0];
  if (answer === undefined) {
    throw new Failure(
      'timeout',
      exitCode.tryAgain,
      `no visit within ${duration(seconds * 1_000)}; the visit is still due`,
      tryWhy,
    );
  }
  if (answer.outcome === 'failed')
    throw new Failure('visit_failed', exitCode.no, `the visit ${outcome(answer)}`, tryWhy);
  const status = answer.status === undefined ? '' : ` (${answer.status})`;
  out.one({ url: order.url, ...answer }, { id: order.url, lines: [printable(`${answer.outcome}${status}`)] });
}

interface Wait {
  readonly url: string;
  readonly last_visit_ms: number | null;
  readonly untilMs: number;
}

/** The page once it has been visited; undefined when it was not in time. */
async function visited(session: Session, crawl: CrawlEndpoints, wait: Wait): Promise<UrlPage | undefined> {
  const { context, flags } = session;
  const progress = new Progress(context, { silent: flags.quiet === true || flags.json === true });
  const signal = context.closed ? { signal: context.closed } : {};
  try {
    for (;;) {
      const report = await crawl.why(wait.url);
      if (report.page === null) throw new NotFound(`${wait.url} is no longer crawled`);
      if (report.page.last_visit_ms !== wait.last_visit_ms) return report.page;
      if (context.now() >= wait.untilMs) return undefined;
      progress.tell(() => waitingFor(report, context.now()));
      await pause(LOOK_EVERY_MS, undefined, signal);
    }
  } finally {
    progress.end();
  }
}

function waitingFor({ page, host }: UrlReport, now: number): string {
  if (page?.host.leased === true) return `a visit of ${host} is under way`;
  if (page && page.host.rests_until !== null) return `${host} is asked again ${relative(page.host.rests_until, now)}`;
  return `waiting for ${host}: other pages of it come first`;
}

/** `hydrant crawl history`: the last day by the quarter of an hour, or the last week by the hour, newest first. */
export async function showHistory({ out, connect }: Session, isOfWeek: boolean): Promise<void> {
  const { client } = await connect();
  const history = await client.crawl.history();
  const spans = (isOfWeek ? history.week : history.day).filter((span) => span !== null);
  // A quarter of an hour in which nothing was visited is no line for people; programs have each.
  const shown = out.forPeople ? spans.filter(({ visits }) => visits > 0) : spans;
  out.list(shown.toReversed(), {
    id: ({ at }) => at,
    columns: HISTORY_COLUMNS,
    none: 'no visit since the daemon started',
  });
}

const HISTORY_COLUMNS: Column<CrawlSpan>[] = [
  { title: 'from', show: ({ at }) => localTime(at) ?? at, plain: ({ at }) => at },
  { title: 'visits', align: 'right', show: ({ visits }) => grouped(visits) },
  { title: 'changed', align: 'right', show: ({ changed }) => grouped(changed) },
  { title: 'failed', align: 'right', show: ({ failed }) => grouped(failed) },
  {
    title: 'late',
    align: 'right',
    show: ({ late_ms: late }) => (late === null ? '' : `${(late / 1_000).toFixed(1)} s`),
  },
];
