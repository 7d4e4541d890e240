import { grouped } from '../../../shared/grouped.ts';
import type { Rule, RuleTrial, RuleTrialOrder, TrialMatch } from '../../../shared/api/rule.ts';
import type { Client } from '../../client/client.ts';
import { findTap } from '../../client/found.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure } from '../../runtime/failure.ts';
import { domainOf, printable, quoted } from '../../../shared/text/printable.ts';
import type { Paint } from '../../runtime/output.ts';
import { cut } from '../../text/table.ts';
import { duration, relative } from '../../text/time.ts';
import { type RuleFlags, warn, withQuery } from '../query-report.ts';
import type { Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import type { RuleReport, Withheld } from '../../../shared/api/rule-report.ts';

/** `hydrant rule try`: what a rule would have matched among the changes of the last day, before it is saved. */
interface TryFlags extends RuleFlags {
  /** Seconds. */
  readonly since?: number | undefined;
  readonly limit?: number | undefined;
  readonly tap?: string | undefined;
}

/** Matches that are shown after a rule was added. */
const SHOWN_AFTER = 3;

/** Answers with the exit code: 1 where nothing matches. */
export async function tryRule(session: Session, query: string, flags: TryFlags): Promise<number> {
  const { context, out } = session;
  const value = query === '-' ? (await context.readInput('the query')).trim() : query;
  const { client } = await session.connect();
  const tap = flags.tap === undefined ? undefined : findTap(await client.taps(), flags.tap);
  const order: RuleTrialOrder = {
    value,
    ...switches(flags),
    ...(flags.since !== undefined && { since_seconds: flags.since }),
    ...(flags.limit !== undefined && { limit: flags.limit }),
    ...(tap && { tap: tap.id }),
  };
  const typed = { words: ['rule', 'try'], flags };
  const { data, diagnostics = [] } = await withQuery(session, value, typed, () => client.trials.try(order));
  warn(session, diagnostics, value);
  if (!data.kept) throw new Failure('nothing_kept', exitCode.refused, NOT_KEPT, { hint: KEEP });
  if (session.flags.json === true || session.flags.quiet === true || !out.forPeople) tellPrograms(session, data);
  else out.one(data, { id: '', lines: linesOf(data, formOf(session)) });
  return data.matches > 0 ? exitCode.ok : exitCode.no;
}

export const NOT_KEPT = 'the daemon keeps no changes that a query could be tried on';
export const KEEP = 'its setting recent-bytes is 0; set a size, such as --recent-bytes 268435456';

/** A line a match, as the table of a list; what else there is to say goes to stderr. */
function tellPrograms({ out, flags }: Session, trial: RuleTrial): void {
  if (flags.json === true) return out.one(trial, { id: '', lines: [] });
  out.list(trial.newest, {
    id: ({ document }) => document.url,
    columns: [
      { title: 'matched', show: (match) => match.matched_at },
      { title: 'url', show: ({ document }) => document.url },
      { title: 'title', show: ({ document }) => document.title ?? '' },
    ],
    none: '',
  });
  for (const line of summary(trial, out.now)) out.notice(line);
}

interface Form {
  readonly paint: Paint;
  readonly width: number;
  readonly now: number;
}

function formOf({ context, out }: Session): Form {
  return { paint: out.paint, width: context.io.stdout.columns ?? 80, now: out.now };
}

function linesOf(trial: RuleTrial, form: Form): string[] {
  const matches = trial.newest.flatMap((match) => ['', ...matchLines(match, form)]);
  const rest = trial.matches - trial.newest.length;
  const more = rest > 0 && trial.newest.length > 0 ? ['', form.paint('dim', `and ${grouped(rest)} more`)] : [];
  return [...summary(trial, form.now), ...matches, ...more, ...withheldLines(trial, form)];
}

/** What the filters kept back, each with its reason, as what matched. */
function withheldLines({ newest_withheld: some = [] }: RuleTrial, form: Form): string[] {
  return some.flatMap((match) => {
    const [head = '', ...rest] = matchLines(match, form);
    const reason = cut(`filtered out: ${WITHHELD_REASONS_IN_WORDS[match.reason]}`, form.width - 2);
    return ['', head, `  ${form.paint('yellow', reason)}`, ...rest];
  });
}

const MINUTE_MS = 60_000;

/** What matched, what was looked at, and what was kept back. */
export function summary(trial: RuleTrial, now: number): string[] {
  const { matches, pages, domains, changes, failed, complete, oldest_at: oldest } = trial;
  const found = matches === 0 ? 'no match' : `${grouped(matches)} ${matches === 1 ? 'match' : 'matches'}`;
  const where = matches === 0 ? '' : ` on ${count(pages, 'page')} of ${count(domains, 'domain')}`;
  const since = hours(now - Date.parse(trial.since));
  const back = oldest === null ? '' : `, the oldest ${relative(oldest, now)}`;
  const withheld = reasonsOf(trial);
  return [
    `${found}${where}, among ${count(changes, 'change')} of the last ${since}${changes === 0 ? '' : back}`,
    ...(withheld.length > 0 ? [`filtered out: ${withheld.join(' · ')}`] : []),
    ...(failed > 0 ? [`${count(failed, 'change')} could not be read`] : []),
    ...(complete ? [] : ['the time limit was reached: older changes were not searched']),
  ];
}

/**
 * A day as everything else here that is counted over one says it. The daemon took its time a moment after the command
 * did: of a long span that is no minute.
 */
function hours(ms: number): string {
  const text = duration(ms < 10 * MINUTE_MS ? ms : Math.round(ms / MINUTE_MS) * MINUTE_MS);
  return text === '1 d' ? '24 h' : text;
}

/** `2 h ago  lwn.net  Title`, the address, and the beginning of what changed. */
function matchLines({ matched_at: at, document }: TrialMatch, { paint, width, now }: Form): string[] {
  const { url, title, diff } = document;
  const head = `${relative(at, now)}  ${domainOf(url)}  ${printable(title ?? '')}`;
  const chunks = (diff?.chunks ?? []).slice(0, 2).map(({ typ, text }) => {
    const line = cut(printable(`${typ === 'ins' ? '+' : '-'} ${text}`), width - 2);
    return `  ${paint(typ === 'ins' ? 'green' : 'red', line)}`;
  });
  return [paint('bold', cut(head.trimEnd(), width)), `  ${cut(printable(url), width - 2)}`, ...chunks];
}

/**
 * On a terminal, after a rule was added. The rule is there whatever becomes of this: an older daemon has no such route,
 * a key of elsewhere may not ask, and then nothing is said.
 */
export async function tryAdded(session: Session, client: Client, order: RuleTrialOrder): Promise<void> {
  const { context, out, flags } = session;
  if (context.io.stderr.isTTY !== true || flags.json === true || flags.quiet === true) return;
  try {
    const { data } = await client.trials.try({ ...order, limit: SHOWN_AFTER });
    if (!data.kept || data.changes === 0) return;
    out.notice('it would have matched:');
    for (const line of summary(data, out.now)) out.notice(`  ${line}`);
    for (const { document } of data.newest)
      out.notice(`  ${domainOf(document.url)}  ${document.title ?? document.url}`);
  } catch {
    // Said above.
  }
}

/**
 * After a rule was changed: how many of the last day's changes match it now, and how many did before. Of an older daemon, or
 * with a key of elsewhere, nothing is said.
 */
export async function tryChanged(session: Session, client: Client, before: Rule, after: Rule): Promise<void> {
  const { out, flags } = session;
  if (flags.json === true || flags.quiet === true) return;
  try {
    const [old, now] = [await countOf(client, before), await countOf(client, after)];
    if (!now.kept || now.changes === 0) return;
    const many = `${count(now.matches, 'change')} of the last 24 h ${now.matches === 1 ? 'matches' : 'match'} it now`;
    const withheld = reasonsOf(now);
    out.notice(
      `${many}, ${grouped(old.matches)} did before${withheld.length > 0 ? `; filtered out: ${withheld.join(' · ')}` : ''}`,
      now.matches > old.matches ? `hydrant digest --rule ${quoted(after.tag ?? after.id.slice(0, 8))}` : undefined,
    );
    if (!now.complete) out.notice('the time limit was reached: older changes were not searched');
  } catch {
    // Said above.
  }
}

async function countOf(client: Client, { value, quality, nsfw }: Rule): Promise<RuleTrial> {
  return (await client.trials.try({ value, quality, nsfw, limit: 0 })).data;
}

function switches({ quality, nsfw }: RuleFlags): Pick<RuleTrialOrder, 'quality' | 'nsfw'> {
  return { ...(quality !== undefined && { quality }), ...(nsfw !== undefined && { nsfw }) };
}

/** What a page had that was kept from a rule; read after a number of pages. */
export const WITHHELD_REASONS_IN_WORDS: Readonly<Record<Withheld, string>> = {
  no_date: 'without a publish date',
  too_old: 'published more than 7 days ago',
  future_date: 'with a publish date in the future',
  url: 'with the URL of a list: a further page, a tag, category, topic or author, a query string',
  adult: 'labelled as adult',
};
const OF_QUALITY: readonly Withheld[] = ['no_date', 'too_old', 'future_date', 'url'];

/** Pages of the last 24 hours that fitted the query and were kept from the rule. */
export function withheldIn({ withheld }: RuleReport): number {
  return Object.values(withheld).reduce((sum, pages) => sum + pages, 0);
}

/** `12 without a publish date`, most first. */
export function reasonsOf({ withheld }: Pick<RuleReport, 'withheld'>): string[] {
  const reasons = (Object.entries(withheld) as [Withheld, number][]).filter(([, pages]) => pages > 0);
  return reasons
    .sort(([, left], [, right]) => right - left)
    .map(([reason, pages]) => `${pages} ${WITHHELD_REASONS_IN_WORDS[reason]}`);
}

/** Why a rule is silent, and what to do about it; nothing where it is not, or nobody would know better. */
export function silence(rule: Rule, report: RuleReport, tap: string | undefined): { why: string; next?: string }[] {
  if (report.refused !== undefined) {
    return [{ why: `it matches nothing: ${report.refused}`, next: `hydrant rule edit ${rule.id}` }];
  }
  if (report.rule_paused === true) {
    return [{ why: 'it is paused, so no page is matched against it', next: `hydrant rule resume ${rule.id}` }];
  }
  if (report.paused) {
    const next = `hydrant tap resume ${quoted(tap ?? report.tap_id)}`;
    return [{ why: 'its tap is paused, so no page is matched against it', next }];
  }
  const kept = withheldIn(report);
  if (kept === 0) return report.matches > 0 ? [] : [nothingFitted(rule)];
  return [...ofQuality(rule, report), ...ofAdult(rule, report)];
}

function nothingFitted(rule: Rule): { why: string; next?: string } {
  const why = 'no page that changed in the last 24 hours fits the query';
  // A saved filter is the daemon's: the command that tries a page knows none.
  return rule.value.includes('$') ? { why } : { why, next: `hydrant match ${quoted(rule.value)} URL` };
}

function ofQuality({ id, quality }: Rule, { withheld }: RuleReport): { why: string; next: string }[] {
  const pages = OF_QUALITY.reduce((sum, reason) => sum + withheld[reason], 0);
  if (pages === 0 || !quality) return [];
  const why = `the quality filter removed ${count(pages, 'page')} that fit the query`;
  return [{ why, next: `hydrant rule edit ${id} --no-quality` }];
}

function ofAdult({ id, nsfw }: Rule, { withheld }: RuleReport): { why: string; next: string }[] {
  if (withheld.adult === 0 || nsfw) return [];
  const why = `${count(withheld.adult, 'page')} that fit the query ${withheld.adult === 1 ? 'is' : 'are'} labelled as adult, which the rule leaves out`;
  return [{ why, next: `hydrant rule edit ${id} --nsfw` }];
}
