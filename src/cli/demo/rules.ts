import type { RuleCreation } from '../../shared/api/rule.ts';

/**
 * Five rules, each with something to tell: a title with a group, words and a phrase, an exclusion, two phrases, and
 * what went together with what came. Only the news page carries a date, so only its rule keeps the quality filter,
 * which wants pages of the last seven days.
 */
export const demoRules: readonly (RuleCreation & { readonly tag: string })[] = [
  { tag: 'news', value: 'title:"Harbour Post" AND (ferry OR bridge OR lighthouse OR market)', quality: true },
  { tag: 'prices', value: 'coffee OR honey OR "olive oil"', quality: false },
  { tag: 'security', value: '(security OR vulnerability) AND NOT crash', quality: false },
  { tag: 'outage', value: '"major outage" OR "degraded performance"', quality: false },
  { tag: 'recovered', value: 'title:status AND removed:(outage OR degraded) AND added:operational', quality: false },
];
