import type { Operator } from './operator.ts';
import type { Findings } from './findings.ts';
import type { Told, ToldEvent } from './told.ts';
import type { VersionedPage } from './versioned-page.ts';

/** Names of pages, as a query of the harness has them: `title:pageaa OR title:pageab`. */
export function queryFor(names: readonly string[]): string {
  return names.map((name) => `title:${name}`).join(' OR ');
}

/**
 * Whether each rule had what it matches, no more and no less, while rules and taps came and went. A version was judged
 * between its publication and the moment at which somebody was told of it; a rule that was there for all of that time must
 * have it, one that was there for none of it must not. What changed meanwhile may be either.
 */
export function checkRules(check: RuleCheck): void {
  const found = new Map<string, ToldEvent>();
  for (const event of check.told.events.values()) found.set(`${event.name} ${event.version}`, event);
  for (const { name, shown } of check.pages) {
    for (const [version, { at, seenAt }] of shown.entries()) {
      const ids = new Set(found.get(`${name} ${version}`)?.ruleIds);
      if (seenAt !== undefined)
        checkVersion({ name, version, from: at - (check.slackMs ?? 0), to: seenAt, ids }, check);
    }
  }
}

function checkVersion(
  { name, version, from, to, ids }: Judged,
  { told: { tap }, operator, findings }: RuleCheck,
): void {
  const { rules, taps } = operator;
  const what = `${tap}: version ${version} of ${name}`;
  const must = taps.throughout(from, to).get(tap) === 'active' ? rules.throughout(from, to) : [];
  for (const [tag, value] of must) {
    if (isFor(value, tap, name) && !ids.has(rules.id(tag))) findings.lose(`${what} for rule ${tag}`);
  }
  const isActive = taps.within(from, to).some(({ key, value }) => key === tap && value === 'active');
  const may = rules.within(from, to).filter(({ value }) => isActive && isFor(value, tap, name));
  const registered = new Set(may.map(({ key }) => rules.id(key)));
  for (const id of ids)
    if (!registered.has(id)) findings.contradict(`${what} was matched by ${id}, which was not registered`);
}

/** A version of a page: between these two moments it was judged, and these rules had it. */
interface Judged {
  readonly name: string;
  readonly version: number;
  readonly from: number;
  readonly to: number;
  readonly ids: ReadonlySet<string>;
}

interface RuleCheck {
  readonly told: Told;
  readonly operator: Operator;
  readonly findings: Findings;
  readonly pages: Iterable<VersionedPage>;
  /** For so long after a change of the rules a version may have been judged by those of before. */
  readonly slackMs?: number;
}

function isFor(value: string, tap: string, name: string): boolean {
  const [owner, ...query] = value.split(' ');
  return owner === tap && query.includes(`title:${name}`);
}
