import { JSON_DEPTH } from '../../limits.ts';
import { shortText } from '../structure/facts.ts';
import { feedPage, jsonFeed } from './feed-page.ts';
import { isObject, stringOf } from '../json-value.ts';
import type { JsonNode } from '../select/json-path.ts';
import type { Found } from '../select/selection.ts';
import { Malformed } from './malformed.ts';
import { NO_FACTS, type Page, type Segment } from '../page.ts';
import { segmentsOf } from './segments.ts';

/**
 * A JSON document as a page: each value is a row, `items.price: 12.5`, under the names that lead to it. Names come in
 * alphabetical order, for servers write them in whatever order their maps have. Places in a list are not told: with
 * them, one more item at the top would be a change of every row. Throws `Malformed`.
 */
export function readJson(text: string, url: string): Page {
  const value = parsed(text);
  const feed = jsonFeed(value, url);
  if (feed) return feedPage(feed, url);
  return pageOf(value, url, rows(value));
}

/** The same of the parts that are selected of it, each under the names that lead to it. Throws `Malformed`, and what `select` throws. */
export function readSelectedJson(
  text: string,
  url: string,
  select: (root: unknown) => { readonly nodes: readonly JsonNode[]; readonly found: readonly Found[] },
): { readonly page: Page; readonly found: readonly Found[] } {
  const value = parsed(text);
  const { nodes, found } = select(value);
  return { page: pageOf(value, url, rowsOfAll(nodes)), found };
}

function pageOf(value: unknown, url: string, segments: Iterable<Segment>): Page {
  const title = isObject(value) ? shortText(stringOf(value['title'])) : undefined;
  return {
    url,
    ...(title !== undefined && { title }),
    ...segmentsOf(segments),
    anchors: [],
    links: [],
    facts: NO_FACTS,
  };
}

function* rowsOfAll(nodes: readonly JsonNode[]): Generator<Segment> {
  for (const { value, names } of nodes) yield* rows(value, names.join('.').slice(0, PATH_LENGTH));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Malformed('The body is not valid JSON, though its Content-Type says so.');
  }
}

/** One after another, so that a document of millions is walked as far as the limit on segments and no further. */
function* rows(root: unknown, from = ''): Generator<Segment> {
  const open: Frame[] = [{ values: [root], next: 0, path: from }];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const at = top.next++;
    if (at === top.values.length) {
      open.pop();
      continue;
    }
    const value = top.values[at];
    const path = pathOf(top, at);
    if (typeof value === 'object' && value !== null) {
      if (open.length > JSON_DEPTH) throw new Malformed(`The JSON has more than ${JSON_DEPTH} levels.`);
      open.push(frame(value, path));
    } else {
      const text = String(value);
      yield { text: path === '' ? text : `${path}: ${text}`, kind: 'row', zone: 'main' };
    }
  }
}

/** The values of a list or an object, the names of the latter, and the path to both. */
interface Frame {
  readonly values: readonly unknown[];
  readonly names?: readonly string[];
  readonly path: string;
  next: number;
}

function frame(value: object, path: string): Frame {
  if (Array.isArray(value)) return { values: value, path, next: 0 };
  // Strings sort by UTF-16 units: the same way on each machine.
  const names = Object.keys(value).sort();
  return { values: names.map((name): unknown => Reflect.get(value, name)), names, path, next: 0 };
}

function pathOf({ names, path }: Frame, at: number): string {
  const name = names?.[at];
  if (name === undefined) return path;
  return (path === '' ? name : `${path}.${name}`).slice(0, PATH_LENGTH);
}

/** Characters of the names before a value. */
const PATH_LENGTH = 500;
