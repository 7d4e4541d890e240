import type { Rule } from '../../shared/api/rule.ts';
import type { Lane } from '../client/lane.ts';

/** What the keys of the screen do outside of it. Each answers with the sentence to show. @throws {Error} that says why not */
export interface TailDeeds {
  /** Shows an address in the browser. */
  readonly open: (url: string) => Promise<string>;
  /** Keeps a match. */
  readonly save: (lane: Lane, eventId: string) => Promise<string>;
  /** The rules of a tap as they are now. */
  readonly rules: (lane: Lane) => Promise<readonly Rule[]>;
  /** Gives rules new queries, all of them or none. */
  readonly change: (lane: Lane, changes: readonly RuleEdit[]) => Promise<string>;
}

export interface RuleEdit {
  readonly rule: Rule;
  /** Its query as it is to be. */
  readonly value: string;
}

/**
 * The rules without one domain, whatever they were: a clause that must not match stands beside all others, so it
 * needs no brackets around them. The rules that leave the domain out already stay as they are.
 */
export function without(domain: string, rules: readonly Rule[]): RuleEdit[] {
  const clause = `NOT domain:${/^[a-z0-9.-]+$/.test(domain) ? domain : `"${domain}"`}`;
  return rules
    .filter(({ value }) => value !== clause && !value.endsWith(` ${clause}`))
    .map((rule) => ({ rule, value: `${rule.value} ${clause}` }));
}

/** The way back: what has the new query gets the former one. */
export function reversed(edits: readonly RuleEdit[]): RuleEdit[] {
  return edits.map(({ rule, value }) => ({ rule: { ...rule, value }, value: rule.value }));
}
