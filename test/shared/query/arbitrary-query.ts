import { readFileSync } from 'node:fs';
import fc from 'fast-check';

function queriesOf(file: string): string[] {
  const text = readFileSync(new URL(`../../vectors/lucene/${file}.jsonl`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { query: string }).query);
}

export const rejects = [...new Set(queriesOf('spec-rejects'))];
const accepted = ['a-parsing', 'b-phrases', 'c-keyword', 'd-ranges', 'spec-double-backslash'].flatMap(queriesOf);

/** Every query of the vectors that can be typed by hand, once. */
export const vectors = [...new Set([...accepted, ...rejects])].filter((query) => query.length < 400);

const WORDS =
  'ferry tram the Wi-Fi AND and not don\'t über 東京 😀 C++ 42 TO ab~ x* a/b $news \\" \\u0041 >5 2024-05 en xx EN ' +
  '/News \\/News 24h a:b ß^2';
const word = fc.constantFrom(...WORDS.split(' '));

const value = fc.oneof(
  { weight: 6, arbitrary: word },
  fc.tuple(word, word).map(([a, b]) => `"${a.replace(/["\\]/g, '')} of the ${b.replace(/["\\]/g, '')}"`),
  fc.constantFrom('"the"', '"a b"~3', '"/News"', '"/Article/Recipe"', '"/news"', '"zh-cn"', '"two  words"~2.9', '""'),
  fc.constantFrom('[a TO b}', '{* TO 50]', '[90 TO 10]', '["a b" TO *]', '[* TO *]', '[2024-05-01T00\\\\:00 TO 2025]'),
  fc.constantFrom('/[a-z]+/', '/a\\/b/', '/.*\\d/', '/a(/', '*ex?mple*', '*\\/b\\/*', '*/b/*', 'a\\*b*', '*', '??'),
  fc.constantFrom('ferry~1', 'ferry~0.5', 'EN~', 'ferry~1.5', 'a^2', 'a^2~1', '5', '2024-05-02T09\\:00\\:00', '7d'),
);

const field = fc.constantFrom(
  'added',
  'removed',
  'title',
  'url',
  'domain',
  'publish_time',
  'page_category',
  'page_type',
  'language',
  'dr',
  'recent',
  'age',
  'titel',
  'lang',
  'removed_anchor',
  '*',
);

const { query } = fc.letrec<{ query: string; clause: string }>((tie) => ({
  query: fc
    .array(
      fc.tuple(
        fc.constantFrom(' ', ' ', ' AND ', ' OR ', ' && '),
        fc.constantFrom('', '', '+', '-', 'NOT '),
        tie('clause'),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((parts) => parts.map(([joint, sign, clause], index) => (index === 0 ? '' : joint) + sign + clause).join('')),
  clause: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: value },
    { weight: 4, arbitrary: fc.tuple(field, value).map(([name, written]) => `${name}:${written}`) },
    { weight: 1, arbitrary: tie('query').map((inner) => `(${inner})`) },
    { weight: 1, arbitrary: fc.tuple(field, tie('query')).map(([name, inner]) => `${name}:(${inner})`) },
  ),
}));

/** Queries that hang together, most of them, with and without mistakes. */
export const writtenQuery = query;

const piece = fc.oneof(
  fc.constantFrom(
    ...Array.from('()[]{}"~^*?\\/:+-!&| \t\u3000$'),
    'AND',
    'OR',
    'NOT',
    ' TO ',
    '\\u',
    'language:',
    '\0',
    '\ud800',
    '😀',
  ),
  fc.string({ maxLength: 3 }),
);

/** Queries of the vectors with pieces put in and taken out. */
export const mutatedQuery = fc
  .tuple(fc.constantFrom(...vectors), fc.array(fc.tuple(fc.nat(400), fc.nat(4), piece), { minLength: 1, maxLength: 3 }))
  .map(([text, changes]) =>
    changes.reduce((changed, [at, removed, put]) => {
      const place = at % (changed.length + 1);
      return changed.slice(0, place) + put + changed.slice(place + removed);
    }, text),
  );

export const anyQuery = fc.oneof(writtenQuery, mutatedQuery, fc.string({ unit: 'binary', maxLength: 60 }));
