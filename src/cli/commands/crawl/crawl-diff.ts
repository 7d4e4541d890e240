import type { KeptChange, PageChangeReport, RuleSight } from '../../../shared/api/crawl.ts';
import { TRIAL_SECONDS } from '../../../shared/limits.ts';
import { changeLines } from '../../changes/change-lines.ts';
import { type ShownHunk, shownHunks } from '../../../shared/documents/shown-change.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure, NotFound } from '../../runtime/failure.ts';
import type { Field } from '../../runtime/output.ts';
import { throughPager } from '../../runtime/child-processes.ts';
import { printable, quoted } from '../../../shared/text/printable.ts';
import { count } from '../../../shared/text/plural.ts';
import { universalTime } from '../../../shared/text/universal-time.ts';
import { localTime, relative } from '../../text/time.ts';
import { checkedUrl } from '../option-values.ts';
import { KEEP, WITHHELD_REASONS_IN_WORDS } from '../rule/rule-try.ts';
import { withQuery } from '../query-report.ts';
import type { Session } from '../session.ts';
import { notCrawled } from './source-text.ts';

/** `hydrant crawl diff`: the last change of a page, as rules saw it, and what a query makes of it. */
export async function showPageDiff(session: Session, text: string, query?: string): Promise<void> {
  const { context, out, flags } = session;
  const url = checkedUrl(text);
  const { client } = await session.connect();
  const command = { words: ['crawl', 'diff', url, '--query'], flags: {} };
  const report = await withQuery(session, query, command, () =>
    client.crawl.lastChange(url, query).catch((error: unknown) => {
      throw notCrawled(error, url);
    }),
  );
  if (report.change === null) throw noChange(report, out.now);
  if (flags.json === true || flags.quiet === true) return out.one(report, { id: report.url, lines: [] });
  const lines = [...verdictLines(report), ...diffLines(report.change, session)];
  if (!out.forPeople) return out.text(`${lines.join('\n')}\n`);
  await throughPager(context, `${lines.join('\n')}\n`);
}

function verdictLines({ query }: PageChangeReport): string[] {
  if (query === undefined) return [];
  if (query.outcome === 'matched') return ['the query matches this change', ''];
  if (query.outcome !== 'filtered') return ['the query does not match this change', ''];
  const why = query.reason === undefined ? '' : ` (${WITHHELD_REASONS_IN_WORDS[query.reason]})`;
  return [`the query fits this change, and a rule would keep it back${why}`, ''];
}

function diffLines(change: KeptChange, { context, out }: Session): string[] {
  const { stdout } = context.io;
  const form = { paint: out.paint, width: stdout.isTTY === true ? (stdout.columns ?? 80) : undefined };
  const when = out.forPeople
    ? `${localTime(change.at) ?? change.at} (${relative(change.at, out.now)})`
    : universalTime(change.at);
  const title = change.title === undefined || !change.title_changed ? [] : [`title: ${change.title}`];
  const anchors = [
    ...change.removed_anchors.map((anchor) => out.paint('red', `- link: ${printable(anchor)}`)),
    ...change.added_anchors.map((anchor) => out.paint('green', `+ link: ${printable(anchor)}`)),
  ];
  return [
    out.paint('bold', printable(change.url)),
    out.paint('dim', [`changed ${when}`, ...title].map(printable).join(' · ')),
    ...changeLines(hunksOf(change), form),
    ...(anchors.length > 0 ? ['', ...anchors] : []),
  ];
}

/** Runs that went and runs that came beside each other are one hunk, so that words are compared; of places nothing is kept. */
function hunksOf({ chunks, links }: KeptChange): ShownHunk[] {
  const blocks = chunks.map(({ typ, text }) => ({ [typ]: text.split('\n') }) as { ins: string[] } | { del: string[] });
  const nowhere = { before: 0, after: 0 };
  const hunks = [
    ...(blocks.length > 0 ? [{ ...nowhere, blocks }] : []),
    ...(links.length > 0 ? [{ ...nowhere, blocks: [], links }] : []),
  ];
  return shownHunks({ hunks }).map(withoutPlace);
}

function withoutPlace(hunk: ShownHunk): ShownHunk {
  return { ...hunk, place: undefined };
}

function noChange({ url, kept, changed_at: at, complete }: PageChangeReport, now: number): Failure {
  const tryWhy = { try: `hydrant crawl why ${quoted(url)}` };
  if (!kept) {
    return new Failure('nothing_kept', exitCode.refused, 'the daemon keeps no changes of pages', { hint: KEEP });
  }
  if (!complete) {
    const words = `no change of ${url} among the newest that are kept; the time limit was reached before the oldest`;
    return new Failure('timeout', exitCode.tryAgain, words, tryWhy);
  }
  const last = at === null ? 'it has not changed in its last visits' : `it last changed ${relative(at, now)}`;
  return new NotFound(`no change of ${url} is kept: ${last}`, {
    hint: `changes are kept for ${TRIAL_SECONDS / 3_600} hours, up to recent-bytes; watch the page to keep its changes: hydrant watch add ${quoted(url)}`,
    ...tryWhy,
  });
}

/** Rules that are named; the others are counted. */
const NAMED = 20;

/** What rules made of the last change, for `hydrant crawl why`; nothing where no change is kept. */
export function ruleFields({ change, rules }: PageChangeReport, time: (timestamp: string) => string): Field[] {
  if (change === null) return [];
  const lines = change.chunks.reduce((sum, { text }) => sum + text.split('\n').length, 0);
  const telling = rules.filter(({ outcome }) => outcome !== 'no_match' && outcome !== 'paused');
  const rest = [
    ...restOf(rules, 'no_match', 'does not fit', 'do not fit'),
    ...restOf(rules, 'paused', 'is paused', 'are paused'),
    ...(telling.length > NAMED ? [`${telling.length - NAMED} more`] : []),
  ];
  return [
    [
      'change',
      `${time(change.at)}: ${count(lines, 'line')} added or removed · hydrant crawl diff ${quoted(change.url)}`,
    ],
    ...telling.slice(0, NAMED).map((rule): Field => ['rule', sightText(rule)]),
    ...(rest.length > 0 ? [['rules', rest.join(' · ')] as const] : []),
    ...(rules.length === 0 ? [['rules', 'there is none'] as const] : []),
  ];
}

function restOf(rules: readonly RuleSight[], outcome: RuleSight['outcome'], one: string, more: string): string[] {
  const number = rules.filter((rule) => rule.outcome === outcome).length;
  return number === 0 ? [] : [`${count(number, 'rule')} ${number === 1 ? one : more}`];
}

function sightText(rule: RuleSight): string {
  return `${rule.tag ?? rule.value} (${rule.tap}): ${madeOf(rule)}`;
}

function madeOf({ outcome, reason, event, delivered }: RuleSight): string {
  if (outcome === 'filtered') {
    return `fits, filtered out: ${reason === undefined ? 'unknown' : WITHHELD_REASONS_IN_WORDS[reason]}`;
  }
  if (outcome === 'refused') return 'matches nothing: its query is refused';
  if (outcome === 'failed') return 'could not be evaluated on this change';
  if (event === undefined) return 'matches it now; no event, as it was not the same rule then';
  return `matched, event ${event}: ${delivered === true ? 'delivered and charged' : 'not delivered yet'}`;
}
