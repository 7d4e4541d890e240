/**
 * Saved filters: pieces of queries that an organization keeps under a name. A name and a text come in, from the
 * operator; `$name` in a query of the organization then stands for the text, wherever a query goes (`references.ts` is
 * what the rules and the validation look it up by). Rules are kept as they were written, so a filter that changes
 * changes each rule that refers to it: saved first, then registered anew, as with a rule itself.
 *
 * What would leave a rule without its meaning is refused, inside the write that would do it: two requests cannot
 * overtake each other there.
 */
import { findOne } from '../accounts/lookup.ts';
import { type Outside, timestamp } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { Catalog, CatalogData, Draft, FilterRecord, RuleRecord } from '../storage/catalog.ts';
import type { Watches } from '../storage/watches.ts';
import type { Filter, FilterChange, FilterCreation, FilterSaved, FilterUse } from '../../shared/api/rule.ts';
import { FILTERS_PER_ORGANIZATION, QUERY_LENGTH } from '../../shared/limits.ts';
import { validate } from '../../shared/query/validate.ts';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import type { Query } from '../../shared/query/ast.ts';
import { print } from '../../shared/query/syntax/print.ts';
import { expand, type Filters as Lookup } from '../../shared/query/expand.ts';

/** Who brings the matcher in line with the catalog, for one tap. */
interface Follower {
  sync(tapId: string): unknown;
}

export class Filters {
  readonly #catalog: Catalog;
  readonly #registration: Follower;
  readonly #outside: Outside;
  readonly #watches: Pick<Watches, 'watches'>;

  constructor(deps: { catalog: Catalog; registration: Follower; outside: Outside; watches: Pick<Watches, 'watches'> }) {
    this.#catalog = deps.catalog;
    this.#registration = deps.registration;
    this.#outside = deps.outside;
    this.#watches = deps.watches;
  }

  /** In the order they were made. */
  list(organizationId: string): Filter[] {
    return filtersOf(this.#catalog.data, organizationId).map(toWire);
  }

  /** `wanted`: an id, a name or the beginning of an id. @throws {Problem} not_found */
  show(organizationId: string, wanted: string): Filter {
    return toWire(pick(this.#catalog.data, organizationId, wanted));
  }

  /** The rules that refer to it. @throws {Problem} not_found */
  uses(organizationId: string, wanted: string): FilterUse[] {
    const { data } = this.#catalog;
    const { name } = pick(data, organizationId, wanted);
    return rulesUsing(data, organizationId, name).map(toUse);
  }

  /** @throws {Problem} invalid_field, invalid_query, filter_limit_reached */
  async add(organizationId: string, { name, value }: FilterCreation): Promise<FilterSaved> {
    checkName(name);
    const warnings = checkBody(name, value);
    const createdAt = new Date(this.#outside.now()).toISOString();
    const record: FilterRecord = { id: this.#outside.uuid(), organizationId, name, value, createdAt };
    await this.#catalog.update((draft) => {
      const others = filtersOf(draft, organizationId);
      checkFree(others, name);
      if (others.length >= FILTERS_PER_ORGANIZATION) {
        throw new Problem('filter_limit_reached', { limit: FILTERS_PER_ORGANIZATION });
      }
      draft.filters.push(record);
    });
    return saved(record, warnings);
  }

  /** Recompiles each rule that refers to it. @throws {Problem} as `add`; filter_breaks_rules, filter_in_use */
  async change(organizationId: string, wanted: string, change: FilterChange): Promise<FilterSaved> {
    if (change.name !== undefined) {
      checkName(change.name);
      await this.#checkTriggers(organizationId, wanted, change.name);
    }
    const { record, warnings, rules } = await this.#catalog.update((draft) => {
      const filter = pick(draft, organizationId, wanted);
      const known = filter.name;
      const rules = rulesUsing(draft, organizationId, known);
      const sound = rules.filter((rule) => isValid(draft, organizationId, rule));
      if (change.name !== undefined && change.name !== filter.name) {
        checkFree(filtersOf(draft, organizationId), change.name);
        filter.name = change.name;
      }
      const warnings = change.value === undefined ? [] : checkBody(filter.name, change.value);
      filter.value = change.value ?? filter.value;
      checkRules(draft, organizationId, known, sound);
      return { record: { ...filter }, warnings, rules };
    });
    for (const tapId of new Set(rules.map((rule) => rule.tapId))) this.#registration.sync(tapId);
    return saved(record, warnings);
  }

  /** @throws {Problem} not_found, filter_in_use */
  async remove(organizationId: string, wanted: string): Promise<void> {
    await this.#checkTriggers(organizationId, wanted);
    await this.#catalog.update((draft) => {
      const { id, name } = pick(draft, organizationId, wanted);
      const rules = rulesUsing(draft, organizationId, name);
      if (rules.length > 0) throw new Problem('filter_in_use', { name, rules: rules.map(labelOf) });
      draft.filters = draft.filters.filter((filter) => filter.id !== id);
    });
  }

  /** That no trigger of a watch refers to it by a name that it is to have no more: then every change would count. */
  async #checkTriggers(organizationId: string, wanted: string, next?: string): Promise<void> {
    const { name } = pick(this.#catalog.data, organizationId, wanted);
    if (name === next) return;
    const all = await this.#watches.watches({ organizationId, atMost: Number.MAX_SAFE_INTEGER });
    const using = all.filter(({ options: { trigger } }) => trigger !== null && namesIn(trigger).has(name));
    if (using.length === 0) return;
    const rules = rulesUsing(this.#catalog.data, organizationId, name).map(labelOf);
    throw new Problem('filter_in_use', { name, rules, watches: using.map(({ url }) => url) });
  }

  /** As the query language looks them up, at this moment. */
  lookup(organizationId: string): Required<Lookup> {
    return lookupIn(this.#catalog.data, organizationId);
  }
}

function pick(data: CatalogData, organizationId: string, wanted: string): Draft<FilterRecord> {
  const name = wanted.startsWith('$') ? wanted.slice(1) : wanted;
  return findOne('filter', filtersOf(data, organizationId), name);
}

function checkFree(others: readonly FilterRecord[], name: string): void {
  if (!others.some((other) => other.name === name)) return;
  throw new Problem('invalid_field', { field: 'name', message: `There is already a filter "${name}" already.` });
}

function isValid(data: CatalogData, organizationId: string, rule: RuleRecord): boolean {
  return validate(rule.value, lookupIn(data, organizationId)).valid;
}

function toUse({ id, tapId, tag, value }: RuleRecord): FilterUse {
  return { rule_id: id, tap_id: tapId, ...(tag !== undefined && { tag }), value };
}

/** Each of these rules was valid before, and `name` is the one that they refer to. */
function checkRules(data: CatalogData, organizationId: string, name: string, rules: readonly RuleRecord[]): void {
  const broken = rules.filter((rule) => !isValid(data, organizationId, rule));
  const [first] = broken;
  if (first === undefined) return;
  const { diagnostics, expanded: query } = validate(first.value, lookupIn(data, organizationId));
  throw new Problem('filter_breaks_rules', { name, rules: broken.map(labelOf), query, diagnostics });
}

/** What a rule is known by: its tag, and the id where there is none. */
function labelOf({ id, tag }: RuleRecord): string {
  return tag ?? id;
}

function saved(record: FilterRecord, warnings: FilterSaved['diagnostics'] & object): FilterSaved {
  return { data: toWire(record), ...(warnings.length > 0 && { diagnostics: warnings }) };
}

function toWire({ id, name, value, createdAt }: FilterRecord): Filter {
  return { id, name, value, created_at: timestamp(Date.parse(createdAt)) };
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** @throws {Problem} invalid_field */
function checkName(name: string): void {
  if (NAME.test(name)) return;
  const message = 'The name of a filter has 1 to 64 letters (A to Z), digits, - and _, and no $.';
  throw new Problem('invalid_field', { field: 'name', message });
}

/**
 * The warnings of a text that may be saved. It must be a query by itself: what cannot stand alone cannot stand in the
 * parentheses it is put in either, and the mistake is better told here than in each rule.
 * @throws {Problem} invalid_field, invalid_query
 */
function checkBody(name: string, value: string): readonly Diagnostic[] {
  if (value.includes('$')) {
    const message = 'The query of a filter cannot contain a $: filters do not refer to one another.';
    throw new Problem('invalid_field', { field: 'value', message });
  }
  const { valid, diagnostics } = validate(value);
  if (valid) return diagnostics;
  const turned = diagnostics.map((found) => turnedRound(found, name, value));
  throw new Problem('invalid_query', { query: value, diagnostics: turned });
}

/**
 * `NOT a NOT b` is how other services write such a filter. In parentheses it matches nothing (Lucene), so that
 * `ferry AND $no-junk` would never match. Decided against: giving these parentheses another meaning than all others
 * have, since `$no-junk` beside OR or NOT would then have none.
 */
function turnedRound(found: Diagnostic, name: string, value: string): Diagnostic {
  if (found.code !== 'only_negative') return found;
  const unwanted = unwantedIn(value);
  const message =
    `A filter with only NOT clauses matches nothing where it is used. Save what is unwanted, ` +
    `and write AND NOT $${name} in the rules.`;
  const hint = unwanted !== undefined && { message: `Unwanted is: ${unwanted}`, replacement: unwanted };
  return { ...found, message, ...(hint && { hint }) };
}

/** What a text of nothing but NOT keeps out, as a query; undefined where that takes more than leaving the NOTs out. */
function unwantedIn(value: string): string | undefined {
  const { query } = validate(`added:wanted AND ${value}`);
  if (query?.kind !== 'boolean') return undefined;
  const [wanted, ...rest] = query.clauses;
  if (wanted?.occur !== 'must' || rest.length === 0 || rest.some(({ occur }) => occur !== 'must_not')) return undefined;
  const unwanted = rest.map((clause) => written(clause.query)).join(' OR ');
  // `recent` is printed as the engine understands it, which nobody can write.
  return validate(unwanted).valid ? unwanted : undefined;
}

function written(query: Query): string {
  return query.kind === 'boolean' ? `(${print(query)})` : print(query);
}

/** The saved filters of an organization, as the query language looks them up. A draft's are those of the moment. */
export function lookupIn(data: CatalogData, organizationId: string | undefined): Required<Lookup> {
  const bodies = new Map(filtersOf(data, organizationId).map(({ name, value }) => [name, value]));
  return { filters: (name) => bodies.get(name), filterNames: [...bodies.keys()] };
}

/** The saved filters that the rules of a tap may refer to. */
export function lookupForTap(data: CatalogData, tapId: string): Required<Lookup> {
  return lookupIn(data, data.taps.find((tap) => tap.id === tapId)?.organizationId);
}

function filtersOf(data: CatalogData, organizationId: string | undefined): readonly FilterRecord[] {
  return data.filters.filter((filter) => filter.organizationId === organizationId);
}

/** The names that a query refers to, known or not. */
function namesIn(query: string): ReadonlySet<string> {
  const names = new Set<string>();
  const meet = (name: string): string => {
    names.add(name);
    return '';
  };
  expand(query, { filters: meet }, QUERY_LENGTH);
  return names;
}

/** The rules of an organization that refer to a filter, in the order they were made. */
function rulesUsing(data: CatalogData, organizationId: string, name: string): readonly RuleRecord[] {
  const taps = new Set(data.taps.filter((tap) => tap.organizationId === organizationId).map((tap) => tap.id));
  return data.rules.filter((rule) => taps.has(rule.tapId) && namesIn(rule.value).has(name));
}
