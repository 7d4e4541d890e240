import { JSONPathEnvironment, JSONPathError, JSONPathQuery, jsonpath, type JSONValue } from 'json-p3';
import { RE2JS, RE2JSException } from 're2js';
import { JSON_DEPTH, JSON_PATH_NODES, JSON_PATH_SELECTORS, PATTERN_INSTRUCTIONS } from '../../limits.ts';
import { type Found, NothingSelected } from './selection.ts';

/**
 * JSONPath (RFC 9535) as a way to select in JSON: `$.items[*].price`. An expression costs time in proportion to the document and
 * no more: `..` once, several selectors in one pair of brackets alone, conditions that look at single values, and regular
 * expressions that never go back (RE2). What is more is refused with the reason when it is set, and not when a page comes.
 */

/** Whether an entry of `select` is a JSONPath: no CSS selector begins so. */
export function isJsonPath(entry: string): boolean {
  return entry.startsWith('$');
}

/** What is wrong with an expression, as a sentence; undefined when it can be used. */
export function checkJsonPath(entry: string): string | undefined {
  const query = compiled(entry);
  return typeof query === 'string' ? query : undefined;
}

/** A value that was selected, with the names that lead to it: places in lists are not among them. */
export interface JsonNode {
  readonly value: unknown;
  readonly names: readonly string[];
}

/** In the order of the entries; a value that several select comes with each. @throws {NothingSelected} */
export function selectInJson(
  root: unknown,
  entries: readonly string[],
): { readonly nodes: readonly JsonNode[]; readonly found: readonly Found[] } {
  const nodes: JsonNode[] = [];
  const found = entries.map((selector) => {
    const before = nodes.length;
    for (const node of nodesOf(root, selector)) {
      nodes.push(node);
      if (nodes.length > JSON_PATH_NODES)
        throw new NothingSelected(`"${selector}" selects more than ${JSON_PATH_NODES} values.`);
    }
    return { selector, found: nodes.length - before };
  });
  if (nodes.length > 0) return { nodes, found };
  throw new NothingSelected(`Nothing in the JSON matches ${entries.map((entry) => `"${entry}"`).join(' or ')}.`);
}

function* nodesOf(root: unknown, entry: string): Generator<JsonNode> {
  const query = compiled(entry);
  if (typeof query === 'string') throw new NothingSelected(query);
  try {
    for (const { value, location } of query.lazyQuery(root as JSONValue)) {
      yield { value, names: location.filter((step) => typeof step === 'string') };
    }
  } catch (error) {
    if (error instanceof JSONPathError)
      throw new NothingSelected(`"${entry}" cannot be followed in this JSON: ${said(error)}.`);
    throw error;
  }
}

const environment = new JSONPathEnvironment({ maxRecursionDepth: JSON_DEPTH });
for (const [name, isWhole] of [
  ['match', true],
  ['search', false],
] as const) {
  const standard = environment.functionRegister.get(name);
  if (standard === undefined) throw new Error(`JSONPath has no function ${name}`);
  const { argTypes, returnType } = standard;
  environment.functionRegister.set(name, {
    argTypes,
    returnType,
    call: (text: unknown, pattern: unknown) => {
      const re2 = typeof text === 'string' && typeof pattern === 'string' ? regexOf(pattern) : undefined;
      return typeof re2 === 'object' && (isWhole ? re2.matches(text as string) : re2.test(text as string));
    },
  });
}

/** Of this thread: each value of a list is asked for the same few. */
const regexes = new Map<string, RE2JS | string>();
const REGEXES = 100;

/** The expression, or what is wrong with it. */
function regexOf(pattern: string): RE2JS | string {
  const known = regexes.get(pattern);
  if (known !== undefined) return known;
  let made: RE2JS | string;
  try {
    made = RE2JS.compile(pattern);
    if (made.programSize() > PATTERN_INSTRUCTIONS) made = 'it is too large';
  } catch (refusal) {
    if (!(refusal instanceof RE2JSException)) throw refusal;
    made = 'it is not in RE2 syntax';
  }
  if (regexes.size >= REGEXES) regexes.clear();
  regexes.set(pattern, made);
  return made;
}

/** The query, or a sentence that says what is wrong with it. */
function compiled(entry: string): JSONPathQuery | string {
  try {
    const query = environment.compile(entry);
    return costOf(query) ?? query;
  } catch (error) {
    if (error instanceof JSONPathError) return `The JSONPath is not understood: ${said(error)}.`;
    throw error;
  }
}

function said(error: Error): string {
  return error.message.replace(/\.$/, '').slice(0, 200);
}

/** Why an expression may take more time than the document is long, as a sentence. */
function costOf({ segments }: JSONPathQuery): string | undefined {
  if (segments.filter(({ selectors }) => selectors.length > 1).length > 1) {
    return 'The JSONPath has several selectors in more than one pair of brackets: write a JSONPath for each.';
  }
  if (segments.some(({ selectors }) => selectors.length > JSON_PATH_SELECTORS)) {
    return `The JSONPath has more than ${JSON_PATH_SELECTORS} selectors in one pair of brackets.`;
  }
  if (segments.filter((segment) => segment.toString().startsWith('..')).length > 1) {
    return 'The JSONPath has ".." more than once, which may take very long: name the way to what is selected.';
  }
  const conditions = segments.flatMap(({ selectors }) =>
    selectors.filter((one) => one instanceof jsonpath.selectors.FilterSelector),
  );
  for (const { expression } of conditions) {
    const wrong = costOfCondition(expression);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** A condition is asked of each value: what it looks at itself has to be one value. */
function costOfCondition(root: object): string | undefined {
  const open: object[] = [root];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part instanceof JSONPathQuery && !part.singularQuery()) {
      return 'A condition of the JSONPath looks at many values at once: let it look at one, such as @.name.';
    }
    const wrong = part instanceof jsonpath.expressions.FunctionExtension ? faultOfFunction(part) : undefined;
    if (wrong !== undefined) return wrong;
    for (const [name, inner] of Object.entries(part) as [string, unknown][]) {
      if (typeof inner === 'object' && inner !== null && name !== 'environment' && name !== 'token') open.push(inner);
    }
  }
  return undefined;
}

/** Expressions have to be known before they meet a document: those of `match` and `search`. */
function faultOfFunction({
  name,
  args,
}: InstanceType<typeof jsonpath.expressions.FunctionExtension>): string | undefined {
  if (!/^(?:match|search)$/.test(name)) return undefined;
  const [, pattern] = args;
  if (!(pattern instanceof jsonpath.expressions.StringLiteral)) {
    return `${name}() of the JSONPath needs its expression as a text in quotes.`;
  }
  const regex = regexOf(pattern.value);
  if (typeof regex !== 'string') return undefined;
  return `The expression "${pattern.value.slice(0, 100)}" of the JSONPath is not understood: ${regex}.`;
}
