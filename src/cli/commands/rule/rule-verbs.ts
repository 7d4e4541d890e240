import type { Rule, RuleChange } from '../../../shared/api/rule.ts';
import type { RuleReport } from '../../../shared/api/rule-report.ts';
import type { Tap } from '../../../shared/api/tap.ts';
import type { Client } from '../../client/client.ts';
import { found, openTap } from '../../client/found.ts';
import type { Connection } from '../../context.ts';
import { UsageError } from '../../failure.ts';
import type { Field } from '../../output.ts';
import { printable } from '../../printable.ts';
import type { Column } from '../../table.ts';
import { relative } from '../../time.ts';
import { confirm } from '../confirm.ts';
import { type QueryCommand, type RuleFlags, warn, withQuery } from '../query-report.ts';
import type { Session } from '../session.ts';
import { quoted } from '../../shell.ts';
import { tryAdded } from './rule-try.ts';
import { reasonsOf, silence, withheldIn } from './rule-truth.ts';
import { count } from '../count.ts';

/**
 * What `hydrant rule <verb>` does. Rules are reached with the token of their tap; a rule is found by its own id or tag
 * over all taps, so that nobody has to remember which tap it is on.
 */

/** A rule with the tap it is on, which a tap's token alone does not know. */
export interface Placed {
  readonly rule: Rule;
  readonly tap: Tap | undefined;
  readonly token: string;
  /** What became of it, where we are told. */
  readonly report?: RuleReport | undefined;
}

export async function list({ out, connect }: Session, wanted: string | undefined): Promise<void> {
  const { connection, client } = await connect();
  const placed = await reported(connection, client, await rulesOf(connection, client, wanted));
  const isMixed = new Set(placed.map((one) => one.tap?.id)).size > 1;
  out.list(placed, {
    json: withTap,
    id: ({ rule }) => rule.id,
    columns: [
      { title: 'id', show: ({ rule }) => rule.id.slice(0, 8), plain: ({ rule }) => rule.id },
      // A pipe has the same columns whatever there is, so that `cut -f3` stays right.
      { title: 'tap', show: ({ tap }) => (isMixed ? (tap?.name ?? '') : ''), plain: ({ tap }) => tap?.name ?? '' },
      { title: 'tag', show: ({ rule }) => rule.tag ?? '', plain: ({ rule }) => rule.tag ?? '' },
      { title: 'query', show: ({ rule }) => rule.value, least: 36 },
      { title: 'filters', show: ({ rule }) => filters(rule), spare: 1 },
      ...columnsOfReports(out.now),
    ],
    none: 'no rules yet; add one with: hydrant rule add <tap> <query>',
  });
  for (const { rule, report } of placed) {
    if (report?.refused === undefined) continue;
    out.notice(`rule ${rule.id.slice(0, 8)} matches nothing: ${report.refused}`, `hydrant rule edit ${rule.id}`);
  }
}

/** The last day, by its figures; empty where nobody tells them. */
function columnsOfReports(now: number): Column<Placed>[] {
  return [
    { title: 'matches 24 h', show: ({ report }) => String(report?.matches ?? ''), align: 'right' },
    { title: 'withheld', show: ({ report }) => (report ? String(withheldIn(report)) : ''), align: 'right' },
    {
      title: 'last match',
      spare: 2,
      show: ({ report }) =>
        report ? (report.last_match_at === null ? 'never' : relative(report.last_match_at, now)) : '',
      plain: ({ report }) => report?.last_match_at ?? '',
    },
  ];
}

/** Only the operator is told. */
async function reported(
  { credential }: Connection,
  client: Client,
  placed: readonly Placed[],
): Promise<readonly Placed[]> {
  if (credential.kind !== 'operator') return placed;
  const reports = new Map((await client.reports.list()).map((report) => [report.rule_id, report]));
  return placed.map(({ rule, tap, token }) => ({ rule, tap, token, report: reports.get(rule.id) }));
}

function withTap({ rule, tap, report }: Placed): object {
  const { matches, last_match_at, withheld, refused } = report ?? {};
  return {
    ...rule,
    ...(tap && { tap_id: tap.id }),
    ...(report && { matches, last_match_at, withheld }),
    ...(refused !== undefined && { refused }),
  };
}

function filters(rule: Rule): string {
  return [rule.quality ? 'quality' : '', rule.nsfw ? 'nsfw' : ''].filter((word) => word !== '').join(' ');
}

export async function rulesOf(connection: Connection, client: Client, wanted: string | undefined): Promise<Placed[]> {
  if (wanted !== undefined || connection.credential.kind === 'tap') {
    const { token, tap } = await openTap(connection, client, wanted);
    return (await client.rules(token)).map((rule) => ({ rule, tap, token }));
  }
  const placed: Placed[] = [];
  for (const tap of await client.taps()) {
    for (const rule of await client.rules(tap.token)) placed.push({ rule, tap, token: tap.token });
  }
  return placed;
}

export async function show({ out, connect }: Session, wanted: string): Promise<void> {
  const { connection, client } = await connect();
  const found = findRule(await rulesOf(connection, client, undefined), wanted);
  const [placed = found] = await reported(connection, client, [found]);
  const { rule, tap, report } = placed;
  const fields: readonly Field[] = [
    ['id', rule.id],
    ...(tap ? [['tap', tap.name] as [string, string]] : []),
    ['tag', rule.tag ?? ''],
    ['query', rule.value],
    ['quality', rule.quality ? 'on' : 'off'],
    ['nsfw', rule.nsfw ? 'included' : 'excluded'],
    ...(report ? fieldsOf(report, (at) => (out.forPeople ? relative(at, out.now) : at)) : []),
  ];
  out.fields(withTap(placed), { id: rule.id, fields });
  for (const { why, next } of report ? silence(rule, report, tap?.name) : []) out.notice(why, next);
}

function fieldsOf(report: RuleReport, time: (at: string) => string): [string, string][] {
  const reasons = reasonsOf(report);
  return [
    ['matches', `${report.matches} in the last 24 hours`],
    ['last match', report.last_match_at === null ? 'never' : time(report.last_match_at)],
    ['withheld', reasons.length === 0 ? 'none in the last 24 hours' : reasons.join(' · ')],
  ];
}

function findRule(placed: readonly Placed[], wanted: string): Placed {
  const items = placed.map((one) => ({ ...one, id: one.rule.id }));
  return found('rule', items, wanted, (one) => one.rule.tag ?? one.rule.value);
}

export async function add(
  session: Session,
  place: { readonly tap?: string },
  query: string,
  flags: RuleFlags,
): Promise<void> {
  const { out } = session;
  const value = query === '-' ? (await session.context.readInput('the query')).trim() : query;
  const { connection, client } = await session.connect();
  const { token, tap } = await openTap(connection, client, place.tap);
  if (tap && place.tap === undefined && tap.name === value) {
    throw new UsageError(`\`${value}\` is the tap; the query is missing`, {
      try: `hydrant rule add ${quoted(value)} QUERY`,
    });
  }
  const told: QueryCommand = { words: ['rule', 'add', ...(place.tap === undefined ? [] : [place.tap])], flags };
  const { rule, warnings } = await withQuery(session, value, told, () =>
    client.createRule(token, { value, ...sent(flags) }),
  );
  const name = rule.tag === undefined ? rule.id : `${rule.tag} · ${rule.id}`;
  out.one(rule, { id: rule.id, lines: [`rule ${printable(name)}`], plain: [rule.id] });
  warn(session, warnings, value);
  const where = tap ? ` to ${tap.name}: ${count(tap.rules_count + 1, 'rule')}` : '';
  out.notice(`added${where}`, `hydrant tail${tap ? ` ${quoted(tap.name)}` : ''} --since 1h`);
  noteQuality(session, rule);
  if (flags.try !== false) {
    await tryAdded(session, client, { value, quality: rule.quality, nsfw: rule.nsfw, ...(tap && { tap: tap.id }) });
  }
}

/** The default that surprises most: a page without a date never passes, so a first rule seems to match nothing. */
function noteQuality(session: Session, rule: Rule): void {
  if (!rule.quality || session.context.io.stderr.isTTY !== true) return;
  session.out.notice('quality is on: only pages dated within the last 7 days, no index pages');
  session.out.notice(`  to take every page: hydrant rule edit ${rule.id.slice(0, 8)} --no-quality`);
}

export async function edit(session: Session, wanted: string, flags: RuleFlags): Promise<void> {
  const { value } = flags;
  const change: RuleChange = { ...(value !== undefined && { value }), ...sent(flags) };
  if (Object.keys(change).length === 0) {
    const { stdin, stdout } = session.context.io;
    if (stdin.isTTY === true && stdout.isTTY === true) return inEditor(session, wanted);
    throw new UsageError('nothing to change', {
      hint: 'give --value, --tag, --quality, --no-quality, --nsfw or --no-nsfw; on a terminal, none opens $EDITOR',
    });
  }
  const { connection, client } = await session.connect();
  const { rule, token } = findRule(await rulesOf(connection, client, undefined), wanted);
  const told: QueryCommand = { words: ['rule', 'edit', wanted, '--value'], flags };
  const changed = await withQuery(session, value, told, () => client.changeRule(token, rule.id, change));
  session.out.done(changed.rule, { id: rule.id, notice: `rule ${rule.tag ?? rule.id} changed` });
  warn(session, changed.warnings, changed.rule.value);
}

/** Only who edits pays for YAML. */
async function inEditor(session: Session, wanted: string): Promise<void> {
  const { connection, client } = await session.connect();
  const { rule, tap, token } = findRule(await rulesOf(connection, client, undefined), wanted);
  const { editRule } = await import('./rule-editor.ts');
  const changed = await editRule(session, rule, {
    tap: tap?.name,
    save: (change) => client.changeRule(token, rule.id, change),
  });
  if (!changed) return session.out.notice('nothing was changed');
  session.out.done(changed.rule, { id: rule.id, notice: `rule ${changed.rule.tag ?? rule.id} changed` });
  warn(session, changed.warnings, changed.rule.value);
}

/** What was typed, as the API wants it; an empty tag is none. */
function sent({ tag, quality, nsfw }: RuleFlags): Omit<RuleChange, 'value'> {
  return {
    ...(tag !== undefined && { tag: tag === '' ? null : tag }),
    ...(quality !== undefined && { quality }),
    ...(nsfw !== undefined && { nsfw }),
  };
}

/** All are looked up before the first is removed: a wrong name changes nothing. */
export async function remove(session: Session, wanted: readonly string[]): Promise<void> {
  const { connection, client } = await session.connect();
  const placed = await rulesOf(connection, client, undefined);
  const chosen = new Map(wanted.map((word) => findRule(placed, word)).map((one) => [one.rule.id, one]));
  const names = [...chosen.values()].map(({ rule }) => rule.tag ?? rule.id.slice(0, 8)).join(', ');
  await confirm(session, `Remove ${chosen.size === 1 ? 'the rule' : 'the rules'} ${names}? What was matched stays.`);
  for (const { rule, token } of chosen.values()) {
    await client.removeRule(token, rule.id);
    session.out.done(
      { id: rule.id, removed: true },
      { id: rule.id, notice: `rule ${rule.tag ?? rule.id} removed; it was: ${rule.value}` },
    );
  }
}
