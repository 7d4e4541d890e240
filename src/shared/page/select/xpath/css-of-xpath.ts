import { ANYWHERE, parseXPath, XPathFault, type XPathExpression, type XPathPath, type XPathStep } from './syntax.ts';
import { attributeTest, type ChildRange, isCall, nameText, placeOf, placeText } from './parts.ts';

/**
 * XPath → CSS selectors that select the same elements of every HTML page: paths down the tree, attributes, conditions that
 * are joined by `and`, `or` and `not`, what is inside and beside an element, and places among the children of one parent.
 * What CSS cannot say (texts, places among all that is found, attributes as results) is refused, not approximated.
 */
export type XPathTranslation =
  | { readonly isOk: true; readonly selectors: readonly string[] }
  /** `reason` follows a colon. `element`: the elements whose text or attribute it takes, which CSS can select. */
  | { readonly isOk: false; readonly reason: string; readonly element?: string };

export function cssOfXPath(xpath: string): XPathTranslation {
  if (xpath.length > LENGTH) return { isOk: false, reason: `it is longer than ${LENGTH} characters` };
  try {
    const { paths } = parseXPath(xpath);
    const element = elementBehind(paths);
    if (element !== undefined) return { isOk: false, ...element };
    return { isOk: true, selectors: [...new Set(paths.map(selectorOf))] };
  } catch (fault) {
    if (fault instanceof XPathFault) return { isOk: false, reason: fault.message };
    throw fault;
  }
}

/** Characters of an XPath. */
const LENGTH = 1_000;

/** Of `//a/@href` and `//p/text()`: why they select no elements, and which elements stand behind them. */
function elementBehind([path, ...others]: readonly XPathPath[]): { reason: string; element?: string } | undefined {
  const last = path?.steps.at(-1);
  if (path === undefined || others.length > 0 || last === undefined) return undefined;
  const isAttribute = last.axis === 'attribute';
  if (!isAttribute && last.test !== 'text()') return undefined;
  const reason = isAttribute ? `it selects the attribute ${last.test}` : 'it selects texts';
  const steps = path.steps.slice(0, -1);
  if (steps.length === 0 || steps.at(-1) === ANYWHERE) return { reason };
  return { reason: `${reason}, and not elements`, element: selectorOf({ ...path, steps }) };
}

function selectorOf(path: XPathPath): string {
  const [first] = path.steps;
  // `.//p` is asked of the document, too; `p` depends on what a tool begins with.
  const isAnywhere = first?.axis === 'self' && first.test === 'node()' && path.steps[1] === ANYWHERE;
  if (!path.isAbsolute && !isAnywhere) throw new XPathFault('it does not begin with / or //');
  return textOf(linksOf(path.steps, 'document'));
}

/** A compound selector, and what joins it to the one before: a combinator, or nothing for the first. */
interface Link {
  readonly join: '' | ' ' | ' > ' | ' ~ ' | ' + ';
  /** Empty: any. */
  readonly tag: string;
  readonly conditions: string;
}

function textOf(links: readonly Link[]): string {
  return links.map(({ join, tag, conditions }) => join + (tag + conditions || '*')).join('');
}

/**
 * @param from the document, or the element that a condition is about: then the first link has the combinator that joins it
 * to that element
 */
function linksOf(steps: readonly XPathStep[], from: 'document' | 'element'): Link[] {
  let links: Link[] = [];
  let isAnywhere = false;
  for (const step of steps) {
    if (step.axis === 'descendant-or-self' && step.test === 'node()' && step.predicates.length === 0) isAnywhere = true;
    else if (step.axis === 'self') links = itself(step, links, isAnywhere);
    else {
      const before = links.length === 0 ? from : undefined;
      if (!UPWARD.has(step.axis)) links = [...links, linkOf(step, { isAnywhere, before })];
      else links = [upward(step, links, isAnywhere || before !== undefined)];
      isAnywhere = false;
    }
  }
  if (isAnywhere || links.length === 0) throw new XPathFault('it does not end with an element');
  return links;
}

/** `.` changes nothing; `self::p` is one more condition of the element before it. */
function itself({ test, predicates }: XPathStep, links: readonly Link[], isAnywhere: boolean): Link[] {
  const last = links.at(-1);
  if (test === 'node()' && predicates.length === 0 && !isAnywhere) return [...links];
  if (last === undefined || isAnywhere) throw new XPathFault('"." and "self::" stand behind an element only');
  const tag = test === 'node()' ? '' : tagOf(test);
  const conditions = (tag === '' ? '' : `:is(${tag})`) + predicates.map(conditionOf).join('');
  return [...links.slice(0, -1), { ...last, conditions: last.conditions + conditions }];
}

interface Place {
  readonly isAnywhere: boolean;
  /** What is before the first link; undefined: another link. */
  readonly before: 'document' | 'element' | undefined;
}

function linkOf(step: XPathStep, where: Place): Link {
  if (step.axis === 'following-sibling') return behind(step, where);
  if (step.axis !== 'child' && step.axis !== 'descendant') throw new XPathFault(`the axis ${step.axis} is not known`);
  const { tag, place, conditions } = partsOf(step);
  if (place !== undefined && step.axis === 'descendant') throw new XPathFault('it counts elements at any depth');
  const isWide = where.isAnywhere || step.axis === 'descendant';
  // There is one element below the document; `html` can be nothing else.
  const root = where.before === 'document' && !isWide && tag !== 'html' ? ':root' : '';
  const counted = place === undefined ? '' : placeText(place, tag);
  return { join: joinOf(where.before, isWide), tag, conditions: root + counted + conditions };
}

function joinOf(before: Place['before'], isWide: boolean): Link['join'] {
  if (before === 'document') return '';
  return isWide ? ' ' : ' > ';
}

/** A place is counted along the axis, so that only the next neighbour of any name has a combinator. */
function behind(step: XPathStep, { isAnywhere, before }: Place): Link {
  if (isAnywhere || before === 'document') throw new XPathFault('it looks for neighbours of everything');
  const { tag, place, conditions } = partsOf(step);
  if (place === undefined) return { join: ' ~ ', tag, conditions };
  if (tag === '' && placeText(place, tag) === ':first-child') return { join: ' + ', tag, conditions };
  throw new XPathFault('it counts the neighbours behind an element');
}

/** A place counts all that the axis and the name leave, so that it comes first. */
function partsOf({ test, predicates }: XPathStep): { tag: string; place: ChildRange | undefined; conditions: string } {
  const [first, ...others] = predicates;
  const place = first === undefined ? undefined : placeOf(first);
  const rest = place === undefined ? predicates : others;
  return { tag: tagOf(test), place, conditions: rest.map(conditionOf).join('') };
}

/** What of CSS looks back from an element to the one that an axis leads up or back to. */
const UPWARD: ReadonlyMap<string, string> = new Map([
  ['parent', '> '],
  ['ancestor', ''],
  ['preceding-sibling', '~ '],
]);

/** `//td/..` is what has such a cell. Behind a longer path CSS would need a path inside `:has()`, which begins anew there. */
function upward({ axis, test, predicates }: XPathStep, links: readonly Link[], isNowhere: boolean): Link {
  const [only, ...others] = links;
  if (isNowhere || only === undefined || others.length > 0 || only.join !== '') {
    throw new XPathFault(`it goes back (${axis}) from the end of a path`);
  }
  const tag = test === 'node()' && axis === 'parent' ? '' : tagOf(test);
  if (predicates.some((one) => placeOf(one) !== undefined)) throw new XPathFault('it counts elements on the way back');
  return {
    join: '',
    tag,
    conditions: has((UPWARD.get(axis) ?? '') + textOf([only])) + predicates.map(conditionOf).join(''),
  };
}

/** CSS has no `:has()` inside another. */
function has(inner: string): string {
  if (inner.includes(':has('))
    throw new XPathFault('its conditions about other elements have such conditions themselves');
  return `:has(${inner})`;
}

function tagOf(test: string): string {
  if (test === '*') return '';
  if (test.endsWith('()')) throw new XPathFault(`it selects by ${test}, and not elements`);
  return nameText(test);
}

/** As a part of a compound selector. */
function conditionOf(expression: XPathExpression): string {
  const found = condition(expression);
  if (found === true) return '';
  if (found === false) throw new XPathFault('no element can meet its conditions');
  return found;
}

/** A part of a compound selector; true and false where nothing depends on the element. */
type Condition = string | boolean;

function condition(expression: XPathExpression): Condition {
  switch (expression.kind) {
    case 'and':
      return all(expression.parts.map(condition));
    case 'or':
      return any(expression.parts.map(condition));
    case 'path':
      return pathCondition(expression.path, (name) => `[${name}]`);
    case 'compare':
      return comparison(expression);
    case 'call':
      return callCondition(expression.name, expression.values);
    case 'text':
    case 'number':
      throw new XPathFault(expression.kind === 'text' ? 'a text is no condition' : COUNTED);
  }
}

const COUNTED = 'it counts among what another condition has left';
const BY_TEXT = 'it selects by the text of the page';

function all(parts: readonly Condition[]): Condition {
  if (parts.includes(false)) return false;
  return parts.filter((part) => part !== true).join('') || true;
}

function any(parts: readonly Condition[]): Condition {
  if (parts.includes(true)) return true;
  const open = [...new Set(parts.filter((part) => part !== false))];
  return open.length > 1 ? `:is(${open.join(', ')})` : (open[0] ?? false);
}

function not(inner: Condition): Condition {
  return typeof inner === 'boolean' ? !inner : `:not(${inner})`;
}

function callCondition(name: string, values: readonly XPathExpression[]): Condition {
  const [first, second] = values;
  if (name === 'not' && first !== undefined) return not(condition(first));
  if (name === 'boolean' && first !== undefined) return condition(first);
  if (name === 'true' || name === 'false') return name === 'true';
  const sign = SIGNS.get(name);
  if (sign === undefined || first === undefined) throw new XPathFault(`${name}() has no counterpart`);
  if (second?.kind !== 'text') throw new XPathFault(`${name}() compares with what is no text in quotes`);
  return textCondition(sign, first, second.value);
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['contains', '*='],
  ['starts-with', '^='],
  ['ends-with', '$='],
]);

function textCondition(sign: string, subject: XPathExpression, text: string): Condition {
  const name = attributeName(subject);
  // The empty text is in every text, also in that of an attribute that is not there.
  if (name !== undefined) return text === '' || attributeTest(name, sign, text);
  const part = sign === '*=' ? partCondition(subject, text) : undefined;
  if (part !== undefined) return part;
  throw new XPathFault(isText(subject) ? BY_TEXT : 'it compares what is calculated');
}

/** That an attribute has a text whose spaces are made even: a part of a word, or a whole one between spaces. */
function partCondition(subject: XPathExpression, text: string): string | undefined {
  const word = /^ (\S+) $/.exec(text)?.[1];
  const listed = word === undefined ? undefined : spacedName(subject);
  if (word !== undefined && listed !== undefined) return attributeTest(listed, '~=', word);
  const normal = attributeName(normalized(subject));
  return normal === undefined || !/^\S+$/.test(text) ? undefined : attributeTest(normal, '*=', text);
}

/**
 * The attribute of `concat(' ', normalize-space(@class), ' ')`, by which one looks for a word of it; without
 * `normalize-space` the same is meant, and missed where words are parted by a line end.
 */
function spacedName(subject: XPathExpression): string | undefined {
  if (subject.kind !== 'call' || subject.name !== 'concat' || subject.values.length !== 3) return undefined;
  const [before, middle, after] = subject.values;
  const isSpace = (value: XPathExpression | undefined): boolean => value?.kind === 'text' && value.value === ' ';
  if (!isSpace(before) || !isSpace(after) || middle === undefined) return undefined;
  return attributeName(normalized(middle) ?? middle);
}

/** What is in `normalize-space()`. */
function normalized(expression: XPathExpression): XPathExpression | undefined {
  return expression.kind === 'call' && expression.name === 'normalize-space' ? expression.values[0] : undefined;
}

/** Whether it is about what stands in an element: `.`, `text()`, `string()`, `normalize-space(.)`, a child. */
function isText(subject: XPathExpression): boolean {
  if (subject.kind === 'path') return subject.path.steps.at(-1)?.axis !== 'attribute';
  return subject.kind === 'call' && (subject.values.length === 0 || subject.values.some(isText));
}

/** Of `@name` alone. */
function attributeName(expression: XPathExpression | undefined): string | undefined {
  if (expression?.kind !== 'path' || expression.path.isAbsolute) return undefined;
  const [step, ...others] = expression.path.steps;
  if (step?.axis !== 'attribute' || others.length > 0 || step.predicates.length > 0) return undefined;
  return step.test === '*' ? undefined : nameText(step.test);
}

type Comparison = Extract<XPathExpression, { kind: 'compare' }>;

function comparison(expression: Comparison): Condition {
  if (placeOf(expression) !== undefined) throw new XPathFault(COUNTED);
  const { sign, left, right } = expression;
  const [subject, value] = left.kind === 'text' ? [right, left] : [left, right];
  if (subject.kind === 'call' && subject.values.length > 0)
    throw new XPathFault(`${subject.name}() has no counterpart`);
  if (value.kind !== 'text' || (sign !== '=' && sign !== '!=')) {
    throw new XPathFault('it compares what is no text in quotes');
  }
  return isCall(subject, 'name') || isCall(subject, 'local-name')
    ? nameCondition(sign, value.value)
    : equality(sign, subject, value.value);
}

function nameCondition(sign: '=' | '!=', name: string): Condition {
  const named: Condition = name !== '' && `:is(${nameText(name)})`;
  return sign === '=' ? named : not(named);
}

/** Of several attributes at the end of a path, one has to compare. */
function equality(sign: '=' | '!=', subject: XPathExpression, text: string): Condition {
  if (subject.kind !== 'path' || subject.path.steps.at(-1)?.axis !== 'attribute') {
    throw new XPathFault(isText(subject) ? BY_TEXT : 'it compares what is calculated');
  }
  return pathCondition(subject.path, (name) => {
    const same = attributeTest(name, '=', text);
    return sign === '=' ? same : `[${name}]:not(${same})`;
  });
}

/** That there is something at the end of a path from the element: inside it, beside it, above it, or an attribute. */
function pathCondition({ isAbsolute, steps }: XPathPath, ofAttribute: (name: string) => string): Condition {
  if (isAbsolute) throw new XPathFault('a condition asks for what is elsewhere on the page');
  const last = steps.at(-1);
  if (last?.axis !== 'attribute') return around(steps, '');
  if (last.test === '*' || last.predicates.length > 0) throw new XPathFault('it asks for any attribute');
  const before = steps.slice(0, -1).filter((step) => step.axis !== 'self' || step.test !== 'node()');
  const attribute = ofAttribute(nameText(last.test));
  if (before.length === 0) return attribute;
  if (before.at(-1) === ANYWHERE) throw new XPathFault('it asks for an attribute of anything inside');
  return around(before, attribute);
}

/** @param more one more condition of what is at the end */
function around(steps: readonly XPathStep[], more: string): Condition {
  const [first, ...others] = steps;
  const isUpward = first !== undefined && UPWARD.has(first.axis);
  if (isUpward && others.length === 0) return above(first, more);
  if (first?.axis === 'self' && others.length === 0) return selfCondition(first);
  const links = linksOf(steps, 'element');
  const end = links.at(-1);
  const whole = end === undefined ? [] : [...links.slice(0, -1), { ...end, conditions: end.conditions + more }];
  return has(textOf(whole).trim());
}

/** `self::p` of a condition. */
function selfCondition({ test: name, predicates }: XPathStep): Condition {
  const tag = name === 'node()' || name === '*' ? '' : `:is(${tagOf(name)})`;
  return all([tag === '' || tag, ...predicates.map(condition)]);
}

/** What joins an element to the one that an axis leads to, which stands before it. */
const BELOW: ReadonlyMap<string, string> = new Map([
  ['parent', ' > *'],
  ['ancestor', ' *'],
  ['preceding-sibling', ' ~ *'],
]);

/** What it is inside of, or behind, as a selector of the element itself. */
function above({ axis, test: name, predicates }: XPathStep, more: string): Condition {
  // Only the root's parent is no element, and has no attributes.
  const isAny = name === 'node()' && axis === 'parent' && predicates.length === 0;
  if (isAny && more === '') return true;
  if (name === 'node()' && !isAny) {
    throw new XPathFault(`it asks for any node on the axis ${axis}`);
  }
  if (predicates.some((one) => placeOf(one) !== undefined)) throw new XPathFault('it counts elements on the way back');
  const conditions = predicates.map(conditionOf).join('') + more;
  return `:is(${textOf([{ join: '', tag: isAny ? '' : tagOf(name), conditions }])}${BELOW.get(axis)})`;
}
