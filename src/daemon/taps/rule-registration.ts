import { QUERY_LENGTH } from '../../shared/limits.ts';
import type { Query } from '../../shared/query/ast.ts';
import { expand } from '../../shared/query/expand.ts';
import { firstMistake } from '../../shared/query/codes.ts';
import { validate } from '../../shared/query/validate.ts';
import { lookupForTap } from '../filters/filters.ts';
import type { Catalog, RecordChange, RuleRecord } from '../storage/catalog.ts';

/** What evaluates the registered rules on every changed page. */
export interface Matcher {
  register(rule: {
    readonly id: string;
    readonly tapId: string;
    readonly query: Query;
    readonly quality: boolean;
    readonly nsfw: boolean;
  }): void;
  unregister(ruleId: string): void;
}

/** A stored rule that this version's query language refuses: it matches nothing until it is changed. */
export interface RefusedRule {
  readonly rule: RuleRecord;
  /** The name of its tap. */
  readonly tap: string;
  /** The first mistake, with its place and what to write instead. */
  readonly why: string;
}

/**
 * Keeps the matcher in sync with the catalog: the rules of active taps that are not paused are registered, as they were last saved. A change of a
 * tap or a rule is saved first; then its tap is synced, and nothing else registers or unregisters rules. So two changes that
 * overtake each other on their way back from the disk end in the state that was saved last, and a restart takes the same path
 * as a change. Rules are compared with their saved filters expanded, so a changed filter is a changed rule.
 */
export class RuleRegistration {
  readonly #catalog: Catalog;
  readonly #matcher: Matcher;
  /** By tap, then by rule; bounded by the catalog. */
  readonly #registered = new Map<string, Map<string, Wanted>>();
  /** By tap, then by rule; bounded by the catalog. */
  readonly #refused = new Map<string, readonly RefusedRule[]>();

  constructor(catalog: Catalog, matcher: Matcher) {
    this.#catalog = catalog;
    this.#matcher = matcher;
  }

  /** The rules refused now: one that was changed or removed since the start is not among them. */
  get refused(): readonly RefusedRule[] {
    return [...this.#refused.values()].flat();
  }

  /** Why the rule matches nothing; undefined if its query is accepted. */
  refusalOf({ id, tapId }: Pick<RuleRecord, 'id' | 'tapId'>): string | undefined {
    return this.#refused.get(tapId)?.find(({ rule }) => rule.id === id)?.why;
  }

  /** At a start. A rule that is refused is not registered, and returned; the others are. */
  registerAll(): readonly RefusedRule[] {
    return this.#catalog.data.taps.flatMap((tap) => this.sync(tap.id));
  }

  /** After changes by another process: syncs the taps whose rules they affect. Returns as `registerAll`, for these taps. */
  follow(changes: readonly RecordChange[]): readonly RefusedRule[] {
    const affected = new Set(changes.flatMap((change) => this.#affectedBy(change)));
    return [...affected].flatMap((tapId) => this.sync(tapId));
  }

  #affectedBy(change: RecordChange): readonly string[] {
    switch (change.kind) {
      case 'taps':
        return [change.id];
      case 'rules':
        return [change.before, change.after].flatMap((rule) => rule?.tapId ?? []);
      case 'filters': {
        const { organizationId } = change.after ?? change.before ?? {};
        const { taps } = this.#catalog.data;
        return taps.filter((tap) => tap.organizationId === organizationId).map(({ id }) => id);
      }
      default:
        return [];
    }
  }

  /** Unregisters and registers what differs between the catalog and the matcher, for one tap. */
  sync(tapId: string): readonly RefusedRule[] {
    const wanted = this.#wanted(tapId);
    const registered = this.#registered.get(tapId) ?? new Map<string, Wanted>();
    for (const [id, known] of registered) {
      if (isSame(known, wanted.get(id))) continue;
      this.#matcher.unregister(id);
      registered.delete(id);
    }
    const refused = [...wanted.values()].flatMap((one) =>
      registered.has(one.rule.id) ? [] : this.#register(one, registered),
    );
    if (registered.size > 0) this.#registered.set(tapId, registered);
    else this.#registered.delete(tapId);
    if (refused.length > 0) this.#refused.set(tapId, refused);
    else this.#refused.delete(tapId);
    return refused;
  }

  #wanted(tapId: string): Map<string, Wanted> {
    const { data } = this.#catalog;
    if (!data.taps.some((tap) => tap.id === tapId && tap.status === 'active')) return new Map();
    const lookup = lookupForTap(data, tapId);
    const rules = data.rules.filter((rule) => rule.tapId === tapId && rule.paused !== true);
    return new Map(rules.map((rule) => [rule.id, { rule, text: expand(rule.value, lookup, QUERY_LENGTH).text }]));
  }

  #register(wanted: Wanted, registered: Map<string, Wanted>): RefusedRule[] {
    const { rule } = wanted;
    const { data } = this.#catalog;
    const { valid, query, diagnostics, expanded } = validate(rule.value, lookupForTap(data, rule.tapId));
    if (!valid || query === undefined) {
      const tap = data.taps.find(({ id }) => id === rule.tapId)?.name ?? '';
      return [{ rule, tap, why: firstMistake(expanded, diagnostics) }];
    }
    this.#matcher.register({ id: rule.id, tapId: rule.tapId, query, quality: rule.quality, nsfw: rule.nsfw });
    registered.set(rule.id, wanted);
    return [];
  }
}

interface Wanted {
  readonly rule: RuleRecord;
  /** Its query, with saved filters expanded. */
  readonly text: string;
}

/** A tag is a label only: the rule stays registered as it is. */
function isSame({ rule: registered, text }: Wanted, wanted: Wanted | undefined): boolean {
  return text === wanted?.text && registered.quality === wanted.rule.quality && registered.nsfw === wanted.rule.nsfw;
}
