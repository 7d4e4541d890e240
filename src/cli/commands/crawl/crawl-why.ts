import type { UrlPage, UrlReport, UrlSource } from '../../../shared/api/crawl.ts';
import type { Field } from '../../output.ts';
import { printable } from '../../printable.ts';
import { duration, every, relative } from '../../time.ts';
import { checkedUrl } from '../words.ts';
import { outcome } from './crawl-verbs.ts';
import type { Session } from '../session.ts';
import { quoted } from '../../shell.ts';
import { count } from '../count.ts';

/** `hydrant crawl why`: what the crawl knows of one URL, and why it does with it what it does. */
export async function why({ out, connect }: Session, text: string): Promise<void> {
  const url = checkedUrl(text);
  const { client } = await connect();
  const report = await client.crawl.why(url);
  const time = (timestamp: string): string => (out.forPeople ? relative(timestamp, out.now) : timestamp);
  const fields = report.page ? held(report, report.page, time, out.now) : notHeld(report);
  out.one(report, { id: report.url, lines: [printable(report.url), ...out.lay(fields, NAMES)] });
  if (report.page === null) out.notice('it is not visited', `hydrant crawl add ${quoted(report.url)}`);
}

/** Columns of the names. */
const NAMES = 9;

type Time = (timestamp: string) => string;

function held(report: UrlReport, page: UrlPage, time: Time, now: number): Field[] {
  return [
    ...report.sources.map((source): Field => ['source', `${named(source)}${source.paused ? ', paused' : ''}`]),
    ['due', dueWords(page, time, now)],
    ['host', hostWords(page, time)],
    ['robots', robotsWords(report)],
    ['rhythm', rhythmWords(page)],
    ['page', pageWords(page, time)],
    ...page.answers.map((answer): Field => ['visit', `${time(answer.at)}: ${outcome(answer)}${status(answer.status)}`]),
    ...(page.answers.length === 0 ? [['visit', 'none yet'] as const] : []),
  ];
}

function notHeld(report: UrlReport): Field[] {
  const reasons = report.sources.map((source): Field => ['source', `${named(source)}: ${reasonOf(source, report)}`]);
  return [
    ...(reasons.length > 0 ? reasons : [['source', `none reaches ${report.host}`] as const]),
    ...(report.trap === null ? [] : [['trap', `${report.trap}: links to such URLs are not followed`] as const]),
    ['robots', robotsWords(report)],
  ];
}

const reasons: Readonly<Record<NonNullable<UrlSource['because']>, string>> = {
  scope: 'its scope does not reach so far',
  depth: 'it follows no links (--depth 0)',
  trap: 'it leaves such URLs out',
  budget: 'it is full, and lets few pages in each day (--max-pages)',
  not_found: 'no page that it has visited leads there, or only from deeper than its --depth',
};

function reasonOf({ because }: UrlSource, { host }: UrlReport): string {
  return because === null ? `it holds pages of ${host}` : reasons[because];
}

function named({ id, url, scope }: UrlSource): string {
  return `${url} (${scope}, ${id.slice(0, 8)})`;
}

function dueWords({ due_at: due, ahead, urgency }: UrlPage, time: Time, now: number): string {
  const isDue = Date.parse(due) <= now;
  // Of a page that is not due they only say that others are due sooner.
  const before =
    ahead === 0 || !isDue ? [] : [`${ahead >= 1_000 ? 'over ' : ''}${count(ahead, 'page')} of its host before it`];
  const asked = urgency === 'none' ? [] : [urgency === 'asked' ? 'asked for' : `announced by a ${urgency}`];
  return [isDue ? `since ${time(due)}` : time(due), ...asked, ...before].join(' · ');
}

function hostWords({ host }: UrlPage, time: Time): string {
  const { backing_off: off, today } = host;
  return [
    ...(host.leased ? ['a visit is under way'] : []),
    ...(host.rests_until === null ? [] : [`rests until ${time(host.rests_until)}`]),
    ...(off === null ? [] : [`left alone since ${time(off.since)} for ${off.reason}, ${off.times} times in a row`]),
    ...(host.failures === 0 ? [] : [`${count(host.failures, 'failure')} in a row`]),
    ...(host.response_ms === null ? [] : [`answers in ${host.response_ms} ms`]),
    `${count(today.fetches, 'request')} today`,
  ].join(' · ');
}

function robotsWords({ robots, host }: UrlReport): string {
  return robots.detail ?? `robots.txt of ${host} is not known yet; it is asked for before the first visit`;
}

function rhythmWords(page: UrlPage): string {
  const { every_seconds: fixed, changes_every_seconds: change } = page;
  const seen =
    change === null ? 'how often it changes is not known yet' : `changes about every ${duration(change * 1_000)}`;
  return fixed === null ? seen : `every ${every(fixed)}, as its source says · ${seen}`;
}

function pageWords(page: UrlPage, time: Time): string {
  return [
    page.kind,
    ...(page.same_as === null ? [] : [`the same as ${page.same_as}`]),
    ...(page.conditional ? ['asked for only if it has changed'] : []),
    ...(page.full_at === null ? [] : [`had in full ${time(page.full_at)}`]),
    ...(page.doubted_since === null ? [] : [`a change is to be confirmed since ${time(page.doubted_since)}`]),
    ...(page.failures === 0 ? [] : [`${count(page.failures, 'failure')} in a row`]),
  ].join(' · ');
}

function status(code: number | undefined): string {
  return code === undefined ? '' : ` (${code})`;
}
