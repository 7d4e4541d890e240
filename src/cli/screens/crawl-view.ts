import { grouped } from '../../shared/grouped.ts';
import type { CrawlStatus, SourceVisit } from '../../shared/api/crawl.ts';
import { quoted } from '../../shared/text/printable.ts';
import { count } from '../../shared/text/plural.ts';
import { duration, relative } from '../text/time.ts';
import { unhealthyLines } from '../text/unhealthy-hosts.ts';
import { type Line, line, type Style } from './styled-line.ts';

type Part = readonly [text: string, style?: Style];

/** The figures of the crawl, a line a subject; what does not concern anyone now is left out. */
export function crawlView(status: CrawlStatus, width: number): Line[] {
  return [
    row(width, 'crawl', [
      [`${status.pages_per_second} pages/s`, 'bold'],
      [`${status.in_flight.visits} in flight`],
      [count(status.sources.active, 'source')],
      ...some(status.sources.paused, (written) => `${written} paused`),
    ]),
    row(width, 'due', dueParts(status)),
    row(width, 'pages', [
      [`${number(status.pages.known)} known`],
      [`${number(status.pages.unvisited)} not visited yet`],
    ]),
    row(width, 'visits', [
      [number(status.visits.made)],
      [`${number(status.visits.changed)} changed`],
      [`${number(status.visits.failed)} failed`],
    ]),
    row(width, 'hosts', [
      [`${number(status.hosts.known)} known`],
      [`${number(status.hosts.leased)} being visited`],
      ...some(status.hosts.backing_off, (written) => `${written} backing off`, 'yellow'),
    ]),
    ...outcomeRows(status, width),
    row(width, 'robots', [
      [count(status.robots.copies, 'file')],
      ...some(status.robots.unreachable, (written) => `${written} cannot be fetched`, 'yellow'),
      ...some(status.robots.refused, (_, many) => `${count(many, 'page')} refused`),
    ]),
    ...optional(width, 'left out', [
      ...some(status.dropped.max_pages, (written) => `${written} by --max-pages`),
      ...some(status.dropped.host_budget, (written) => `${written} by the budget of a host`),
      ...some(status.dropped.pattern_budget, (written) => `${written} by the budget of a URL pattern`),
    ]),
    row(width, 'threads', [
      [`${status.threads.running} running`],
      ...some(status.threads.waiting, (_, many) => `${count(many, 'page')} waiting`),
    ]),
    ...optional(
      width,
      'slowest',
      status.in_flight.slowest.map(({ host, ms }) => [`${host} ${lag(ms)}`] as const),
    ),
    ...unhealthyLines(status.unhealthy ?? [], Date.parse(status.at)).map((says) =>
      row(width, 'failing', [[says, 'yellow']]),
    ),
    ...warnings(status, width),
    ...newest(status, width),
  ];
}

/** Of each list, without the screen to walk through it. */
const SHOWN = 5;

/** The pages that cannot be had, and the newest visits, each with its time. */
function newest(
  { at, recent_failures: failures = [], recent_visits: visits = [] }: CrawlStatus,
  width: number,
): Line[] {
  const now = Date.parse(at);
  const age = (visit: SourceVisit): string => relative(visit.at, now);
  const more =
    failures.length > SHOWN ? [row(width, 'failed', [[`and ${failures.length - SHOWN} more`, 'yellow']])] : [];
  return [
    ...failures
      .slice(0, SHOWN)
      .map((visit) => row(width, 'failed', [[visit.url], [wordsOf(visit), 'yellow'], [age(visit), 'dim']])),
    ...more,
    ...visits
      .slice(0, SHOWN)
      .map((visit) => row(width, 'visited', [[visit.url], [wordsOf(visit)], [age(visit), 'dim']])),
  ];
}

/** `changed (200)`, `failed: the server answered 404`. */
function wordsOf({ outcome, reason, detail, status }: SourceVisit): string {
  if (outcome === 'failed') return `failed: ${detail ?? reason ?? 'unknown'}`;
  return status === undefined ? outcome : `${outcome} (${status})`;
}

/** What of the crawl is on the screen: the figures, or one of the lists, with a mark to walk through it. */
export interface CrawlList {
  readonly kind: 'failures' | 'visits';
  /** Of the marked visit, by its URL and time; undefined: the first. */
  readonly marked: string | undefined;
  /** The marked visit is shown in full. */
  readonly isOpen: boolean;
}

export function visitsOf(status: CrawlStatus, kind: CrawlList['kind']): readonly SourceVisit[] {
  return (kind === 'failures' ? status.recent_failures : status.recent_visits) ?? [];
}

export function keyOfVisit({ url, at }: SourceVisit): string {
  return `${at} ${url}`;
}

/** Where the mark is: where what it stood on has gone, on the first. */
export function markedAt(visits: readonly SourceVisit[], marked: string | undefined): number {
  return Math.max(
    0,
    visits.findIndex((visit) => keyOfVisit(visit) === marked),
  );
}

/** One of the lists: a line a visit, as many around the marked one as there is room for. */
export function crawlListView(status: CrawlStatus, list: CrawlList, width: number, height: number): Line[] {
  const visits = visitsOf(status, list.kind);
  const name = list.kind === 'failures' ? 'pages whose last visit failed' : 'visits';
  const head = line(width, [`${count(visits.length, 'entry')}: the newest ${name}`, 'bold']);
  if (visits.length === 0) return [head, line(width, ['none since the daemon was started', 'dim'])];
  const at = markedAt(visits, list.marked);
  const marked = visits[at];
  const details = list.isOpen && marked ? detailsOf(marked, width) : [];
  const room = Math.max(1, height - 2 - details.length);
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), visits.length - room));
  const now = Date.parse(status.at);
  const rows = visits.slice(from, from + room).map((visit, index) => {
    const isMarked = from + index === at;
    const style = visit.outcome === 'failed' ? 'yellow' : visit.outcome === 'changed' ? 'green' : undefined;
    return line(
      width,
      [isMarked ? '> ' : '  ', 'bold'],
      [relative(visit.at, now).padEnd(AGE), 'dim'],
      [visit.outcome === 'failed' ? (visit.reason ?? 'failed').padEnd(OUTCOME) : visit.outcome.padEnd(OUTCOME), style],
      [visit.url, isMarked ? 'bold' : undefined],
    );
  });
  return [head, ...rows, [], ...details];
}

const AGE = '59 m ago'.length + 1;
const OUTCOME = 'unchanged'.length + 1;

function detailsOf(visit: SourceVisit, width: number): Line[] {
  return [
    row(width, 'url', [[visit.url]]),
    row(width, 'visit', [[wordsOf(visit)], [visit.at, 'dim']]),
    row(width, 'more', [[`hydrant crawl why ${quoted(visit.url)}`]]),
  ];
}

function dueParts({ due_lag_ms: { p50, p95 }, pages }: CrawlStatus): Part[] {
  const lags: Part[] = p50 === null || p95 === null ? [] : [[`50 % within ${lag(p50)}`], [`95 % within ${lag(p95)}`]];
  const oldest = pages.oldest_due_ms;
  return [...lags, oldest === null ? ['nothing due'] : [`the oldest has waited ${lag(oldest)}`]];
}

/** Since the daemon's start. What is no failure first, then failures, the most frequent first. */
function outcomeRows({ outcomes }: CrawlStatus, width: number): Line[] {
  const isGood = (name: string): boolean => ['changed', 'unchanged'].includes(name);
  // `none` is no page: a robots.txt, or a visit that was called off.
  const entries = Object.entries(outcomes)
    .filter(([name]) => name !== 'none')
    .toSorted(([, one], [, other]) => other - one);
  const shown = (list: typeof entries, style?: Style): Part[] =>
    list.map(([name, value]) => [`${name} ${number(value)}`, style]);
  return [
    ...optional(width, 'outcomes', shown(entries.filter(([name]) => isGood(name)))),
    ...optional(
      width,
      'failures',
      shown(
        entries.filter(([name]) => !isGood(name)),
        'yellow',
      ),
    ),
  ];
}

function warnings(status: CrawlStatus, width: number): Line[] {
  const { network_doubted_since: since, faults } = status;
  const ms = since === null ? 0 : Date.parse(status.at) - Date.parse(since);
  return [
    ...(since === null
      ? []
      : [row(width, 'warning', [[`no host has answered for ${lag(ms)}: is this machine's network down?`, 'red']])]),
    ...(faults === 0
      ? []
      : [
          row(width, 'warning', [
            [`${count(faults, 'visit')} failed because of an error in hydrant; see the log`, 'red'],
          ]),
        ]),
  ];
}

const NAME_WIDTH = 9;

function row(width: number, name: string, parts: readonly Part[]): Line {
  const spaced = parts.flatMap(([text, style], at): (readonly [string, Style])[] => [
    [at === 0 ? '' : ' · ', undefined],
    [text, style],
  ]);
  return line(width, [name.padEnd(NAME_WIDTH), 'dim'], ...spaced);
}

function optional(width: number, name: string, parts: readonly Part[]): Line[] {
  return parts.length === 0 ? [] : [row(width, name, parts)];
}

function some(value: number, words: (written: string, value: number) => string, style?: Style): Part[] {
  return value === 0 ? [] : [[words(number(value), value), style]];
}

function number(value: number): string {
  return grouped(value);
}

function lag(ms: number): string {
  return ms < 1_000 ? `${Math.max(0, Math.round(ms))} ms` : duration(ms);
}
