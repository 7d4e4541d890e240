import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Bound, Leaf, NumberQuery, Quoted, Range, Words } from '../ast.ts';
import { diagnostic, type Hint, shown } from '../codes.ts';
import { isNumberField, type NumberField, type Field } from '../fields.ts';
import { quote } from '../syntax/print.ts';

/** A clause of a number field, read: what it asks for, or what is wrong with it. */
type NumberReading = { readonly query: NumberQuery } | { readonly problem: Diagnostic };

const SECONDS = { h: 3_600, d: 86_400, mo: 30 * 86_400 } as const;
const WHOLE = /^[+-]?\d{1,10}$/;
/** One past Lucene's largest, so that the neighbour of the largest can be written down and read again. */
const LARGEST = 2 ** 31;

/** Undefined where the field holds no numbers. */
export function readNumber(leaf: Leaf): NumberReading | undefined {
  if (leaf.field === 'recent') return readRecent(leaf);
  if (!isNumberField(leaf.field)) return undefined;
  if (leaf.kind === 'range') return readRange(leaf, leaf.field);
  const value = plainText(leaf);
  const number = value === undefined ? undefined : wholeNumber(value);
  if (number !== undefined) return { query: { kind: 'number', field: leaf.field, low: number, high: number } };
  const message = `${leaf.field} takes a whole number or a range such as [50 TO *].`;
  return { problem: diagnostic('bad_number', leaf.span, message, { field: leaf.field, hint: numberHint(leaf) }) };
}

/** The value, where it is one word or quoted. */
function plainText(leaf: Leaf): string | undefined {
  if (leaf.kind === 'quoted') return leaf.text;
  return leaf.kind === 'words' && leaf.words.length === 1 ? leaf.words[0]?.text : undefined;
}

function wholeNumber(text: string): number | undefined {
  const number = WHOLE.test(text) ? Number(text) : NaN;
  // Lucene's number is an int; -0 would be another number to Object.is.
  return Math.abs(number) <= LARGEST ? number + 0 : undefined;
}

/** `42 81`, and what `numberMeant` reads. */
function numberHint(leaf: Leaf): Hint | undefined {
  if (leaf.kind === 'words' && leaf.words.length > 1) {
    const written = leaf.words.map((word) => word.text);
    if (written.some((text) => wholeNumber(text) === undefined)) return undefined;
    return { message: 'Join the numbers with OR.', replacement: written.join(' OR ') };
  }
  const replacement = numberMeant((leaf.kind === 'fuzzy' ? leaf.text : plainText(leaf)) ?? '');
  return replacement === undefined ? undefined : { message: `Write ${replacement}.`, replacement };
}

const NEARLY_NUMBERS: readonly (readonly [RegExp, string])[] = [
  [/^>(\d{1,9})$/, '{$1 TO *]'],
  [/^>=(\d{1,9})$/, '[$1 TO *]'],
  [/^<(\d{1,9})$/, '[* TO $1}'],
  [/^<=(\d{1,9})$/, '[* TO $1]'],
  [/^(\d{1,9})\+$/, '[$1 TO *]'],
  [/^(\d{1,9})(?:-|\.\.)(\d{1,9})$/, '[$1 TO $2]'],
  [/^=?(\d{1,9})(?:\.\d*)?$/, '$1'],
];

/** `>50`, `=50`, `50+`, `50-80`, `50.5`, and `50` of `50~1`. */
function numberMeant(text: string): string | undefined {
  const found = NEARLY_NUMBERS.find(([pattern]) => pattern.test(text));
  return found && text.replace(...found);
}

function readRange({ low, high }: Range, field: NumberField): NumberReading {
  for (const bound of [low, high]) {
    if (!bound || wholeNumber(bound.text) !== undefined) continue;
    const message = `${shown(bound.text)} is not a whole number; a bound of ${field} must be one, or *.`;
    const digits = /^([+-]?\d{1,9})\.\d*$/.exec(bound.text)?.[1];
    const hint = digits === undefined ? undefined : { message: `Write ${digits}.`, replacement: digits };
    return { problem: diagnostic('bad_number', bound.span, message, { field, hint }) };
  }
  return { query: { kind: 'number', field, ...limit('low', low, 1), ...limit('high', high, -1) } };
}

/** Whole numbers have neighbours, so an exclusive bound is the next one. */
function limit(name: 'low' | 'high', bound: Bound | undefined, step: number): { low?: number; high?: number } {
  if (!bound) return {};
  const number = wholeNumber(bound.text) ?? 0;
  return { [name]: bound.inclusive ? number : number + step };
}

function readRecent(leaf: Leaf): NumberReading {
  const text = plainText(leaf) ?? '';
  const found = /^([0-9]{1,6})(h|d|mo)$/.exec(text);
  const count = Number(found?.[1]);
  if (found && count > 0) {
    const seconds = count * SECONDS[found[2] as keyof typeof SECONDS];
    return { query: { kind: 'number', field: 'age', low: 0, high: Math.min(seconds, LARGEST) } };
  }
  const message = 'recent takes a whole number above 0 and h, d or mo, as in recent:24h, recent:7d or recent:1mo.';
  const replacement = recentHint(text);
  const hint = replacement === undefined ? undefined : { message: `Write ${replacement}.`, replacement };
  return { problem: diagnostic('bad_recent', leaf.span, message, { field: 'recent', hint }) };
}

const UNITS: readonly (readonly [RegExp, string, number])[] = [
  [/^h(?:ours?|rs?)?$/, 'h', 1],
  [/^d(?:ays?)?$/, 'd', 1],
  [/^w(?:eeks?|ks?)?$/, 'd', 7],
  [/^mo?(?:nths?|n|s)?$/, 'mo', 1],
  [/^y(?:ears?|rs?)?$/, 'mo', 12],
];

/** `7days`, `24H`, `1w`, `1m`, `1y`. */
function recentHint(text: string): string | undefined {
  const [, digits = '', unit = ''] = /^([0-9]{1,5})([a-z]+)$/i.exec(text) ?? [];
  const found = UNITS.find(([pattern]) => pattern.test(unit.toLowerCase()));
  const count = Number(digits);
  return found && count > 0 ? `${count * found[2]}${found[1]}` : undefined;
}

export const COMPLETE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** With a zone, which no page's time has here. */
const ZONED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d.*?)(?:Z|[+-]\d\d:?\d\d)$/i;
const PART = /^\d{4}(?:-\d\d){0,2}(?:T\d\d)?$/;

/** Warns of a time that is only a part of one: values are compared whole, so `2024-05-02` is the value of no page. */
export function checkTime(leaf: Words | Quoted, field: Field): Diagnostic[] {
  const value = leaf.kind === 'words' ? leaf.words[0]?.text : leaf.text;
  if (field.name !== 'publish_time' || value === undefined) return [];
  const local = ZONED.exec(value)?.[1];
  if (local === undefined && COMPLETE_TIME.test(value)) return [];
  const message = `A publish_time is compared as a whole and looks like 2024-05-02T09:00:00, which ${shown(value) || 'an empty text'} does not.`;
  const hint = local === undefined ? rangeHint(value) : { message: 'Leave out the zone.', replacement: quote(local) };
  return [diagnostic('incomplete_time', leaf.span, message, { field: field.name, hint })];
}

/** A time, or the beginning of one as a bound may be: `2024-05`, and `2024-13` for what comes after December. */
const BOUND = /^\d{1,4}$|^\d{4}-\d\d?(?:-\d\d?(?:[T ][\d:.,]*(?:Z|[+-]\d\d:?\d\d)?)?)?$/i;

/** Warns of a bound that is not a time: it is compared as text all the same, so that `[x TO *]` holds no page. */
export function checkTimeRange({ low, high }: Range, field: Field): Diagnostic[] {
  if (field.name !== 'publish_time') return [];
  const wrong = [low, high].filter((bound) => bound !== undefined).filter(({ text }) => !BOUND.test(text));
  return wrong.map(({ text, span }) => {
    const message = `The bound ${shown(text)} is not a time: a time looks like 2024-05-02T09:00:00, or is the beginning of one, such as 2024-05.`;
    return diagnostic('incomplete_time', span, message, { field: field.name });
  });
}

function rangeHint(value: string): Hint | undefined {
  const replacement = timeRange(value);
  return replacement === undefined ? undefined : { message: `Write the range ${replacement}.`, replacement };
}

/** `2024-05` is everything from 2024-05 to before 2024-06; `>2024-05` everything after that. */
export function timeRange(written: string): string | undefined {
  const [, sign = '', time = ''] = /^([<>]=?)?(.*)$/s.exec(written) ?? [];
  if (!PART.test(time)) return undefined;
  switch (sign) {
    case '>':
      return `[${following(time)} TO *]`;
    case '>=':
      return `[${time} TO *]`;
    case '<':
      return `[* TO ${time}}`;
    case '<=':
      return `[* TO ${following(time)}}`;
    default:
      return `[${time} TO ${following(time)}}`;
  }
}

/** The last number raised by one; that there is no 13th month does not matter in the order of texts. */
function following(time: string): string {
  return time.replace(/\d+$/, (digits) => String(Number(digits) + 1).padStart(digits.length, '0'));
}
