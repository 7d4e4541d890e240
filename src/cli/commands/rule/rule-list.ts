import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Rule } from '../../../shared/api/rule.ts';
import type { RuleReport } from '../../../shared/api/rule-report.ts';
import type { Client } from '../../client/client.ts';
import type { Connection } from '../../runtime/context.ts';
import type { Field } from '../../runtime/output.ts';
import type { Column } from '../../text/table.ts';
import { relative } from '../../text/time.ts';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';
import { findRule, type Placed, RULE, rulesOf } from './placed-rules.ts';
import { reasonsOf, silence, withheldIn } from './rule-try.ts';

/** `rule list` and `rule show`: rules, and what each matched in the last 24 hours. */

export function list(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('list'), 'hydrant rule list', 'hydrant rule list news')
    .description('list the rules of a tap, or of all, with what each matched in the last 24 hours')
    .argument('[tap]', 'name or id of the tap')
    .action(
      action(async ({ out, connect }, [wanted]) => {
        const { connection, client } = await connect();
        const placed = await withReports(connection, client, await rulesOf(connection, client, wanted));
        const isMixed = new Set(placed.map((one) => one.tap?.id)).size > 1;
        out.list(placed, {
          json: withTap,
          id: ({ rule }) => rule.id,
          columns: [
            { title: 'id', show: ({ rule }) => rule.id.slice(0, 8), plain: ({ rule }) => rule.id },
            // A pipe has the same columns whatever there is, so that `cut -f3` stays right.
            {
              title: 'tap',
              show: ({ tap }) => (isMixed ? (tap?.name ?? '') : ''),
              plain: ({ tap }) => tap?.name ?? '',
            },
            { title: 'tag', show: ({ rule }) => rule.tag ?? '', plain: ({ rule }) => rule.tag ?? '' },
            { title: 'query', show: ({ rule }) => rule.value, least: 36 },
            // What keeps matches back is never the column without room: it is why a rule seems to match nothing.
            { title: 'filters', show: ({ rule, report }) => filters(rule, report), least: WIDEST_FILTERS },
            ...columnsOfReports(out.now),
          ],
          none: 'no rules yet; add one with: hydrant rule add <tap> <query>',
        });
        for (const { rule, report } of placed) {
          if (report?.refused === undefined) continue;
          out.notice(`rule ${rule.id.slice(0, 8)} matches nothing: ${report.refused}`, `hydrant rule edit ${rule.id}`);
        }
      }),
    );
}

const WIDEST_FILTERS = 'paused quality nsfw'.length;

/** The last 24 hours in figures; empty without a report. */
function columnsOfReports(now: number): Column<Placed>[] {
  return [
    { title: 'matches', show: ({ report }) => String(report?.matches ?? ''), align: 'right', least: 7 },
    { title: 'withheld', show: ({ report }) => (report ? String(withheldIn(report)) : ''), align: 'right', least: 8 },
    {
      title: 'last match',
      spare: 2,
      show: ({ report }) =>
        report ? (report.last_match_at === null ? 'never' : relative(report.last_match_at, now)) : '',
      plain: ({ report }) => report?.last_match_at ?? '',
    },
  ];
}

/** Only the operator may read reports. */
async function withReports(
  { credential }: Connection,
  client: Client,
  placed: readonly Placed[],
): Promise<readonly Placed[]> {
  if (credential.kind !== 'operator') return placed;
  const reports = new Map((await client.reports.list()).map((report) => [report.rule_id, report]));
  return placed.map(({ rule, tap, token }) => ({ rule, tap, token, report: reports.get(rule.id) }));
}

function withTap({ rule, tap, report }: Placed): object {
  const { matches, last_match_at, withheld, refused, rule_paused: paused } = report ?? {};
  return {
    ...rule,
    ...(tap && { tap_id: tap.id }),
    ...(report && { matches, last_match_at, withheld }),
    ...(refused !== undefined && { refused }),
    ...(paused === true && { paused }),
  };
}

/** What narrows or widens what it matches; a paused rule matches nothing. */
function filters(rule: Rule, report: RuleReport | undefined): string {
  const words = [report?.rule_paused === true ? 'paused' : '', rule.quality ? 'quality' : '', rule.nsfw ? 'nsfw' : ''];
  return words.filter((word) => word !== '').join(' ');
}

export function show(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('show'), 'hydrant rule show linux')
    .description('show one rule')
    .argument('<rule>', RULE)
    .action(
      action(async ({ out, connect }, [wanted]) => {
        const { connection, client } = await connect();
        const chosen = findRule(await rulesOf(connection, client, undefined), wanted);
        const [placed = chosen] = await withReports(connection, client, [chosen]);
        const { rule, tap, report } = placed;
        const fields: readonly Field[] = [
          ['id', rule.id],
          ...(tap ? [['tap', tap.name] as [string, string]] : []),
          ['tag', rule.tag ?? ''],
          ['query', rule.value],
          ['quality', rule.quality ? 'on' : 'off'],
          ['nsfw', rule.nsfw ? 'included' : 'excluded'],
          ...(report ? [['status', report.rule_paused === true ? 'paused' : 'active'] as const] : []),
          ...(report ? fieldsOf(report, (at) => (out.forPeople ? relative(at, out.now) : at)) : []),
        ];
        out.fields(withTap(placed), { id: rule.id, fields });
        for (const { why, next } of report ? silence(rule, report, tap?.name) : []) out.notice(why, next);
      }),
    );
}

function fieldsOf(report: RuleReport, time: (at: string) => string): [string, string][] {
  const reasons = reasonsOf(report);
  return [
    ['matches', `${report.matches} in the last 24 hours`],
    ['last match', report.last_match_at === null ? 'never' : time(report.last_match_at)],
    ['withheld', reasons.length === 0 ? 'none in the last 24 hours' : reasons.join(' · ')],
  ];
}
