import { QUERY_LENGTH } from '../../shared/limits.ts';
import type { Query } from '../../shared/query/ast.ts';
import { expand } from '../../shared/query/expand.ts';
import { firstMistake } from '../../shared/query/first-mistake.ts';
import { validate } from '../../shared/query/validate.ts';
import { lookupForTap } from '../filters/references.ts';
import type { Catalog, RuleRecord } from '../storage/catalog.ts';

/** What the matcher offers to those who decide which rules count. */
export interface Arming {
  arm(rule: {
    readonly id: string;
    readonly tapId: string;
    readonly query: Query;
    readonly quality: boolean;
    readonly nsfw: boolean;
  }): void;
  withdraw(ruleId: string): void;
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
 * Brings the matcher in line with the catalog: armed are the rules of active taps, as they were last saved. Whoever
 * changes a tap or a rule saves first and then asks for its tap to be brought in line; nobody arms or withdraws by
 * himself. So two changes that overtake each other on their way back from the disk end in the state that was saved
 * last, and a restart takes the same way as a change. A rule is compared with its saved filters written out, so that
 * a filter that changed is a rule that changed.
 */
export class ArmedRules {
  readonly #catalog: Catalog;
  readonly #arming: Arming;
  /** By tap, then by rule; bounded by the catalog. */
  readonly #armed = new Map<string, Map<string, Wanted>>();
  /** By tap, then by rule; bounded by the catalog. */
  readonly #refused = new Map<string, readonly RefusedRule[]>();

  constructor(catalog: Catalog, arming: Arming) {
    this.#catalog = catalog;
    this.#arming = arming;
  }

  /** As of now: a rule that was changed or removed since the start is none of them. */
  get refused(): readonly RefusedRule[] {
    return [...this.#refused.values()].flat();
  }

  /** Why the rule matches nothing; undefined where its query is not refused. */
  refusalOf({ id, tapId }: Pick<RuleRecord, 'id' | 'tapId'>): string | undefined {
    return this.#refused.get(tapId)?.find(({ rule }) => rule.id === id)?.why;
  }

  /** After a start. A rule that is refused is left unarmed and told of; the others go on. */
  armAll(): readonly RefusedRule[] {
    return this.#catalog.data.taps.flatMap((tap) => this.follow(tap.id));
  }

  /** Withdraws and arms what differs between the catalog and the matcher, for one tap. */
  follow(tapId: string): readonly RefusedRule[] {
    const wanted = this.#wanted(tapId);
    const armed = this.#armed.get(tapId) ?? new Map<string, Wanted>();
    for (const [id, known] of armed) {
      if (isSame(known, wanted.get(id))) continue;
      this.#arming.withdraw(id);
      armed.delete(id);
    }
    const refused = [...wanted.values()].flatMap((one) => (armed.has(one.rule.id) ? [] : this.#arm(one, armed)));
    if (armed.size > 0) this.#armed.set(tapId, armed);
    else this.#armed.delete(tapId);
    if (refused.length > 0) this.#refused.set(tapId, refused);
    else this.#refused.delete(tapId);
    return refused;
  }

  #wanted(tapId: string): Map<string, Wanted> {
    const { data } = this.#catalog;
    if (!data.taps.some((tap) => tap.id === tapId && tap.status === 'active')) return new Map();
    const lookup = lookupForTap(data, tapId);
    const rules = data.rules.filter((rule) => rule.tapId === tapId);
    return new Map(rules.map((rule) => [rule.id, { rule, text: expand(rule.value, lookup, QUERY_LENGTH).text }]));
  }

  #arm(wanted: Wanted, armed: Map<string, Wanted>): RefusedRule[] {
    const { rule } = wanted;
    const { data } = this.#catalog;
    const { valid, query, diagnostics, expanded } = validate(rule.value, lookupForTap(data, rule.tapId));
    if (!valid || query === undefined) {
      const tap = data.taps.find(({ id }) => id === rule.tapId)?.name ?? '';
      return [{ rule, tap, why: firstMistake(expanded, diagnostics) }];
    }
    this.#arming.arm({ id: rule.id, tapId: rule.tapId, query, quality: rule.quality, nsfw: rule.nsfw });
    armed.set(rule.id, wanted);
    return [];
  }
}

interface Wanted {
  readonly rule: RuleRecord;
  /** Its query, with the saved filters written out. */
  readonly text: string;
}

/** A tag is a label only: changing it leaves the rule armed as it is. */
function isSame({ rule: armed, text }: Wanted, wanted: Wanted | undefined): boolean {
  return text === wanted?.text && armed.quality === wanted.rule.quality && armed.nsfw === wanted.rule.nsfw;
}
