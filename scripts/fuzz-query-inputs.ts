import { readdirSync, readFileSync } from 'node:fs';
import { QUERY_LENGTH } from '../src/shared/limits.ts';
import { below, type Dice, diceOf, pick, times } from './fuzz-dice.ts';

const vectorDirectory = new URL('../test/vectors/lucene/', import.meta.url);

function readVectors(): string[] {
  const queries = readdirSync(vectorDirectory)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(new URL(name, vectorDirectory), 'utf8').trim().split('\n'))
    .map((line) => (JSON.parse(line) as { query?: string }).query)
    .filter((query) => query !== undefined);
  return [...new Set(queries)];
}

const vectors = readVectors();

const FIELDS = (
  'added removed added_anchor removed_anchor title url domain publish_time page_category page_type language dr recent ' +
  'age titel lang * constructor'
).split(' ');

const WORDS = (
  "ferry tram the of and or not AND OR NOT TO Wi-Fi don't 3.14 C++ über 東京 한국어 İ ß 😀 1️⃣ a.b_c 42 en xx zh-cn /News " +
  '/Article/Recipe Q&A 24h 7d 2024-05-02 2024-05-02T09:00:00 https://example.com/a?b=1 example.com 999999999999999999 1e9'
).split(' ');

const PIECES = (
  '+ - ! ( ) : ^ [ ] { } " ~ * ? \\ / | & $ < > = . , ; @ # _ && || AND OR NOT TO ' +
  '\\u0041 \\u00 \\\\ \\" ~2 ~0.5 ~-1 ^2 /[a-z]+/ /\\d/ // "" () *:* $news {2,3} <1-10> (?: [^] ' +
  '[[:alpha:]] \u00a0 \0 \ud800 \udc00 \u202e \u200d \ufeff'
)
  .split(' ')
  .concat(' ', '\t', '\n', '\r', '\u3000', '[* TO *]', '{a TO b]', '"a b"~3');

/** Bytes read as UTF-8, as Latin-1, or two by two, which gives lone surrogates. */
function bytes(dice: Dice): string {
  const length = below(dice, dice() < 0.0005 ? 40_000 : 60);
  const spread = dice() < 0.5 ? 128 : 256;
  const raw = Buffer.from(Array.from({ length }, () => below(dice, spread)));
  return raw.toString((['utf8', 'latin1', 'utf16le'] as const)[below(dice, 3)] ?? 'utf8');
}

function soup(dice: Dice): string {
  const make = (): string => {
    const sort = dice();
    if (sort < 0.55) return pick(dice, PIECES);
    return sort < 0.85 ? pick(dice, WORDS) : `${pick(dice, FIELDS)}:`;
  };
  return times(1 + below(dice, 14), make).join(dice() < 0.5 ? '' : ' ');
}

function mutant(dice: Dice): string {
  let text = pick(dice, vectors);
  for (let round = below(dice, 5); round >= 0; round--) text = mutate(text, dice);
  return text;
}

function mutate(text: string, dice: Dice): string {
  const start = below(dice, text.length + 1);
  const end = Math.min(text.length, start + below(dice, 8));
  const [before, inside, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  switch (below(dice, 7)) {
    case 0:
      return before + after;
    case 1:
      return before + pick(dice, PIECES) + inside + after;
    case 2:
      return before + pick(dice, WORDS) + after;
    case 3:
      return before + inside + inside + after;
    case 4:
      return after + inside + before;
    case 5:
      return before + pick(dice, vectors).slice(below(dice, 20)) + after;
    default:
      return before + String.fromCharCode(below(dice, 0x1_0000)) + after;
  }
}

/** A query that hangs together, most of the time. */
function grammatical(dice: Dice, depth = 0): string {
  const clauses = times(1 + below(dice, depth === 0 ? 5 : 3), () => {
    const sign = dice() < 0.7 ? '' : pick(dice, ['+', '-', '!', 'NOT ']);
    return sign + clause(dice, depth);
  });
  return clauses.reduce((text, next) => text + pick(dice, [' ', ' AND ', ' OR ', ' && ', ' || ', '  ']) + next);
}

function clause(dice: Dice, depth: number): string {
  const field = dice() < 0.6 ? `${pick(dice, FIELDS)}:` : '';
  if (depth < 4 && dice() < 0.2) return `${field}(${grammatical(dice, depth + 1)})`;
  return field + value(dice) + (dice() < 0.05 ? `^${below(dice, 9)}` : '');
}

function value(dice: Dice): string {
  const word = (): string => pick(dice, WORDS).replaceAll(/[:/?]/g, '\\$&');
  switch (below(dice, 9)) {
    case 0:
      return `"${times(1 + below(dice, 4), () => pick(dice, WORDS)).join(' ')}"${dice() < 0.3 ? `~${below(dice, 9)}` : ''}`;
    case 1:
      return `${word()}~${pick(dice, ['', '0', '1', '2', '0.3', '3'])}`;
    case 2:
      return `${pick(dice, ['[', '{'])}${bound(dice)} TO ${bound(dice)}${pick(dice, [']', '}'])}`;
    case 3:
      return pick(dice, ['*', '?', '']) + word() + pick(dice, ['*', '?', '*?*', '']) + pick(dice, ['', 'x', '\\*']);
    case 4:
      return `/${regex(dice, 0)}/`;
    default:
      return word();
  }
}

function bound(dice: Dice): string {
  return pick(dice, [
    '*',
    '"*"',
    '0',
    '10',
    '90',
    'a',
    'zz',
    '"a b"',
    '2024-05-02T09\\:00\\:00',
    '2024-05-02',
    '-1',
    '',
  ]);
}

const ATOMS = ['a', 'b', '.', '[a-z]', '[^\\/]', '\\/', '"x y"', '<1-99>', '@', '#', '()', '😀', '\\.', '[0-9]'];

const REPEATS = ['', '', '', '', '*', '+', '?', '{2}', '{0,3}', '{3,}', '**'];

function regex(dice: Dice, depth: number): string {
  const part = (): string => {
    const atom = depth < 3 && dice() < 0.2 ? `(${regex(dice, depth + 1)})` : pick(dice, ATOMS);
    const sign = dice() < 0.05 ? '~' : '';
    return sign + atom + pick(dice, REPEATS);
  };
  return times(1 + below(dice, 4), part).join(pick(dice, ['', '', '|', '&']));
}

/** Long and hard: deep, wide, or made to blow up. */
function heavy(dice: Dice): string {
  const many = 1 + below(dice, 1_200);
  switch (below(dice, 9)) {
    case 0:
      return '('.repeat(many) + 'a' + ')'.repeat(many);
    case 1:
      return times(many, () => pick(dice, WORDS)).join(' ');
    case 2:
      return `url:/${'(a+)+'.repeat(1 + below(dice, 20))}${regex(dice, 0)}/`;
    case 3:
      return `url:${'*a'.repeat(many)}*b`;
    case 4:
      return times(1 + below(dice, 40), () => `${pick(dice, FIELDS)}:${value(dice)}`).join(' ');
    case 5:
      return `${pick(dice, WORDS)}${pick(dice, PIECES)}`.repeat(many);
    case 6:
      return times(many, () => `url:/(${regex(dice, 2)}`)
        .join(' ')
        .slice(0, QUERY_LENGTH);
    case 7:
      return `url:/${times(many, () => `<${below(dice, 999)}-${below(dice, 2 ** 31)}>`).join(pick(dice, ['', '|', '&']))}/`;
    default:
      return `url:/${regex(dice, 0)}{1,${below(dice, 1_500)}}/ OR ${'a'.repeat(300)}~2`;
  }
}

export function inputOf(seed: number, number: number): string {
  const dice = diceOf(seed, number);
  const sort = dice();
  if (sort < 0.3) return bytes(dice);
  if (sort < 0.5) return soup(dice);
  if (sort < 0.85) return mutant(dice);
  return sort < 0.9995 ? grammatical(dice) : heavy(dice);
}
