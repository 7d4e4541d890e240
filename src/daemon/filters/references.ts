import { QUERY_LENGTH } from '../../shared/limits.ts';
import { expand, type Filters as Lookup } from '../../shared/query/expand.ts';
import type { CatalogData, FilterRecord, RuleRecord } from '../storage/catalog.ts';

/** The saved filters of an organization, as the query language looks them up. A draft's are those of the moment. */
export function lookupIn(data: CatalogData, organizationId: string | undefined): Required<Lookup> {
  const bodies = new Map(filtersOf(data, organizationId).map(({ name, value }) => [name, value]));
  return { filters: (name) => bodies.get(name), filterNames: [...bodies.keys()] };
}

/** The saved filters that the rules of a tap may refer to. */
export function lookupForTap(data: CatalogData, tapId: string): Required<Lookup> {
  return lookupIn(data, data.taps.find((tap) => tap.id === tapId)?.organizationId);
}

export function filtersOf(data: CatalogData, organizationId: string | undefined): readonly FilterRecord[] {
  return data.filters.filter((filter) => filter.organizationId === organizationId);
}

/** The names that a query refers to, known or not. */
export function namesIn(query: string): ReadonlySet<string> {
  const names = new Set<string>();
  const meet = (name: string): string => {
    names.add(name);
    return '';
  };
  expand(query, { filters: meet }, QUERY_LENGTH);
  return names;
}

/** The rules of an organization that refer to a filter, in the order they were made. */
export function rulesUsing(data: CatalogData, organizationId: string, name: string): readonly RuleRecord[] {
  const taps = new Set(data.taps.filter((tap) => tap.organizationId === organizationId).map((tap) => tap.id));
  return data.rules.filter((rule) => taps.has(rule.tapId) && namesIn(rule.value).has(name));
}
