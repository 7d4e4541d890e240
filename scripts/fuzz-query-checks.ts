import { isDeepStrictEqual } from 'node:util';
import { Evaluator } from '../src/shared/match/evaluate.ts';
import { PageTerms, type FieldValues } from '../src/shared/match/document.ts';
import { RuleIndex } from '../src/shared/match/rule-index.ts';
import type { Diagnostic } from '../src/shared/api/diagnostic.ts';
import { QUERY_LENGTH } from '../src/shared/limits.ts';
import { parse } from '../src/shared/query/syntax/parser.ts';
import { SyntaxRefusal } from '../src/shared/query/syntax/refusals.ts';
import { apply } from '../src/shared/query/suggest/suggestions.ts';
import { validate, type Validation } from '../src/shared/query/validate.ts';
import { attempt, type Broken, type Stopwatch, timed } from './fuzz-attempt.ts';

/** Of processor time. */
const LIMIT_MS = 50;
/** Hints tried of one query: a query of a thousand mistakes would take the time of a thousand queries. */
const HINTS = 3;
/** One in so many: reading the filters' regexes costs more than all the rest. */
const EFFECTIVE = 16;

const DOCUMENT: FieldValues = {
  texts: {
    added: ["The ferry and the tram: Wi-Fi 3.14 don't 東京 über C++", 'a b of the second ferry ferry line 42'],
    removed: ['a second tram', '한국어 😀'],
    added_anchor: ['Ferry timetable 2024'],
    title: ['The Ferry & the Tram'],
    url: ['https://www.example.com/news/2024/05/ferry-a-b.html'],
    domain: ['www.example.com', 'example.com'],
    publish_time: ['2024-05-02T09:00:00'],
    page_category: ['/News', '/News/Technology_News'],
    page_type: ['/Article', '/Article/News_Update'],
    language: ['en'],
  },
  numbers: { dr: 42, age: 86_400 },
};
const page = new PageTerms(DOCUMENT);

/** Undefined when everything promised of the query language holds for this input. */
export function check(input: string, stopwatch: Stopwatch = () => undefined): Broken | undefined {
  const answer = attempt('throws', () => timed('validate', LIMIT_MS, stopwatch, () => validate(input)));
  if ('check' in answer) return answer;
  const validation = answer.result;
  return spans(validation) ?? hints(validation) ?? (validation.query && evaluated(validation, stopwatch));
}

function spans({ diagnostics, expanded }: Validation): Broken | undefined {
  const stray = diagnostics.find(
    ({ span }) => span && !(0 <= span.start && span.start <= span.end && span.end <= expanded.length),
  );
  return stray && { check: 'span', detail: JSON.stringify(stray) };
}

/** Each replacement, applied alone, takes its finding away and brings no error. */
function hints(before: Validation): Broken | undefined {
  const offered = before.diagnostics.filter(({ hint, span }) => hint && span).slice(0, HINTS);
  for (const found of offered) {
    const mended = apply(before.expanded, found);
    const harm = harmOf(found, before, validate(mended));
    if (harm !== undefined) return { check: 'hint', detail: `${found.code}: ${harm} in ${JSON.stringify(mended)}` };
  }
  return undefined;
}

function harmOf(found: Diagnostic, before: Validation, after: Validation): string | undefined {
  if (refusalOf(before.expanded)?.code === found.code) return harmOfRemedy(found, after);
  if (count(after, found.code) >= count(before, found.code)) return 'is still there';
  const errors = after.diagnostics.filter(({ severity }) => severity === 'error');
  const brought = errors.find(({ code }) => count(after, code) > count(before, code));
  return brought && `brings ${brought.code}`;
}

/** Of a mistake that stops the reading: what lies behind it is not brought by its remedy, only shown. */
function harmOfRemedy({ span, hint }: Diagnostic, after: Validation): string | undefined {
  const end = (span?.start ?? 0) + (hint?.replacement.length ?? 0);
  const next = refusalOf(after.expanded);
  return next && (next.span?.start ?? 0) < end ? `${next.code} stops the reading no later` : undefined;
}

/** The mistake that stops the reading of a text. */
function refusalOf(text: string): Diagnostic | undefined {
  try {
    parse(text);
    return undefined;
  } catch (refusal) {
    if (refusal instanceof SyntaxRefusal) return refusal.diagnostic;
    throw refusal;
  }
}

function count({ diagnostics }: Validation, code: string): number {
  return diagnostics.filter((found) => found.code === code).length;
}

function evaluated(validation: Validation, stopwatch: Stopwatch): Broken | undefined {
  return printed(validation) ?? evaluates(validation, stopwatch);
}

/**
 * The compiled text, read again, is the same query, and what is evaluated for a rule is a query too. Both may be longer
 * than a query may be: each word of a long one gets its field's name.
 */
function printed({ query, compiled }: Validation): Broken | undefined {
  const lucene = compiled?.lucene ?? '';
  if (lucene.length > QUERY_LENGTH) return undefined;
  const again = validate(lucene);
  if (!isDeepStrictEqual(again.query, query)) {
    const codes = again.diagnostics.map(({ code }) => code).join(' ');
    return { check: 'print', detail: `${JSON.stringify(lucene)} is another query ${codes}` };
  }
  const effective = compiled?.effective_lucene ?? '';
  if (lucene.length % EFFECTIVE > 0 || effective.length > QUERY_LENGTH || isReadable(effective)) return undefined;
  return { check: 'effective', detail: `${JSON.stringify(effective)} is not valid` };
}

/**
 * What is evaluated is a rule again, but for `age`, a field of the matcher that a rule writes as `recent`; and the quality
 * filters' regexes beside the query's own may cost more than those of one query may.
 */
function isReadable(effective: string): boolean {
  const written = effective.replaceAll(
    /(?<=[+\-( ])age:\[0 TO (\d+)\]/g,
    (_, seconds) => `recent:${Number(seconds) / 3_600}h`,
  );
  return validate(written).diagnostics.every(
    ({ severity, code }) => severity !== 'error' || code === 'regex_too_large',
  );
}

/** Alone and in the index, with one answer. */
function evaluates({ query }: Validation, stopwatch: Stopwatch): Broken | undefined {
  if (!query) return undefined;
  const alone = attempt('evaluation', () =>
    timed('evaluation', LIMIT_MS, stopwatch, () => new Evaluator(query).matches(page)),
  );
  if ('check' in alone) return alone;
  const indexed = attempt('evaluation', () =>
    timed('the index', LIMIT_MS, stopwatch, () => {
      const index = new RuleIndex();
      index.register({ id: 'one', tapId: 'tap', query, quality: false, nsfw: true });
      return index.matchValues(DOCUMENT).length > 0;
    }),
  );
  if ('check' in indexed) return indexed;
  if (alone.result === indexed.result) return undefined;
  return { check: 'twins', detail: `alone ${alone.result}, in the index ${indexed.result}` };
}
