import { Problem } from '../problem.ts';

/** Characters of an id that are enough to identify it; fewer are too easily a typo. */
const LEAST_ID_PREFIX = 4;

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Finds one item by its id, its name, or a prefix of its id. `alsoNamed`: a second name of an item.
 * @throws {Problem} `not_found`; `invalid_field` if several match.
 */
export function findOne<Item extends Named>(
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
    const message = `${found.length} ${noun}s have this name; give the id of one: ${ids}.`;
    throw new Problem('invalid_field', { field: 'id', message });
  }
  if (!found[0]) throw new Problem('not_found', { resource: `${noun}; known: ${listed(items)}` });
  return found[0];
}

function listed(items: readonly Named[]): string {
  const names = items.slice(0, SHOWN_NAMES).map(({ name }) => name);
  const more = items.length > SHOWN_NAMES ? [`and ${items.length - SHOWN_NAMES} more`] : [];
  return [...names, ...more].join(', ') || 'none';
}

const SHOWN_NAMES = 8;
