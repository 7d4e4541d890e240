import type { RuleReport, Withheld } from '../../../shared/api/rule-report.ts';
import type { Rule } from '../../../shared/api/rule.ts';
import { quoted } from '../../shell.ts';
import { count } from '../count.ts';

/** What a page had that was kept from a rule; read after a number of pages. */
const REASONS: Readonly<Record<Withheld, string>> = {
  no_date: 'without a publish date',
  too_old: 'published more than 7 days ago',
  future_date: 'with a publish date in the future',
  url: 'with the address of a list: a further page, a tag, category, topic or author, a query string',
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
  return reasons.sort(([, left], [, right]) => right - left).map(([reason, pages]) => `${pages} ${REASONS[reason]}`);
}

/** Why a rule is silent, and what to do about it; nothing where it is not, or nobody would know better. */
export function silence(rule: Rule, report: RuleReport, tap: string | undefined): { why: string; next?: string }[] {
  if (report.refused !== undefined) {
    return [{ why: `it matches nothing: ${report.refused}`, next: `hydrant rule edit ${rule.id}` }];
  }
  if (report.paused) {
    const next = `hydrant tap resume ${quoted(tap ?? report.tap_id)}`;
    return [{ why: 'its tap is paused: it is asked of no page', next }];
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
  const why = `the quality filter kept ${count(pages, 'page')} back that fit the query`;
  return [{ why, next: `hydrant rule edit ${id} --no-quality` }];
}

function ofAdult({ id, nsfw }: Rule, { withheld }: RuleReport): { why: string; next: string }[] {
  if (withheld.adult === 0 || nsfw) return [];
  const why = `${count(withheld.adult, 'page')} that fit the query ${withheld.adult === 1 ? 'is' : 'are'} for adults`;
  return [{ why, next: `hydrant rule edit ${id} --nsfw` }];
}
