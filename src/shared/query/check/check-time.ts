import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Quoted, Range, Words } from '../ast.ts';
import { diagnostic, type Hint, shown } from '../codes.ts';
import type { Field } from '../fields.ts';
import { quote } from '../syntax/print.ts';

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
  const message = `A publish_time is compared whole and reads like 2024-05-02T09:00:00, which ${shown(value) || 'an empty text'} does not.`;
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
    const message = `The bound ${shown(text)} is not a time: it reads like 2024-05-02T09:00:00 or begins so, such as 2024-05.`;
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
