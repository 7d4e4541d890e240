import type { RobotsRules, Rule } from './parse.ts';
import { comparablePath, matches } from './pattern.ts';

/** Whether the rules let a page be fetched, and the rule that says so; none when no rule is about it. */
export interface Decision {
  readonly isAllowed: boolean;
  readonly rule: Rule | undefined;
}

/** The most specific rule that matches decides (RFC 9309, 2.2.2); robots.txt itself is always allowed. */
export function decide({ rules }: Pick<RobotsRules, 'rules'>, url: URL): Decision {
  const path = comparablePath(url);
  if (path === '/robots.txt') return { isAllowed: true, rule: undefined };
  const rule = rules.find(({ pattern }) => matches(pattern, path));
  return { isAllowed: rule?.allows ?? true, rule };
}
