import { Problem } from '../problem.ts';

/** Characters of an id that are enough to mean one by; fewer are too easily a slip. */
const LEAST_ID_PREFIX = 4;

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * What somebody means by an id, a name, or the beginning of an id. `alsoNamed`: another name that it answers to.
 * @throws {Problem} `not_found`; `invalid_field` when it is several.
 */
export function pickOne<Item extends Named>(
  noun: string,
  items: readonly Item[],
  wanted: string,
  alsoNamed?: (item: Item) => string,
): Item {
  const byId = items.find((item) => item.id === wanted);
  if (byId) return byId;
  const named = items.filter((item) => item.name === wanted || alsoNamed?.(item) === wanted);
  const isIdPrefix = named.length === 0 && wanted.length >= LEAST_ID_PREFIX;
  const found = isIdPrefix ? items.filter((item) => item.id.startsWith(wanted)) : named;
  if (found.length > 1) {
    const ids = found.map((item) => item.id).join(', ');
    const message = `${found.length} ${noun}s answer to this name; give the id of one: ${ids}.`;
    throw new Problem('invalid_field', { field: 'id', message });
  }
  if (!found[0]) throw new Problem('not_found', { resource: noun });
  return found[0];
}
