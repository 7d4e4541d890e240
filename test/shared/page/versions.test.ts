import { describe, expect, test } from 'vitest';
import { uncounted } from '../../../src/shared/page/account.ts';
import { compare } from '../../../src/shared/page/compare.ts';
import { extract } from '../../../src/shared/page/read/extract.ts';
import type { Page } from '../../../src/shared/page/page.ts';
import type { Change } from '../../../src/shared/page/change.ts';
import { type VisibleDifference, visibleDifferences, wordsOf } from '../../fixtures/listed-pairs.ts';
import { bytesOf, corpusIsHere, listedPages, type ListedPage } from '../../fixtures/listed-versions.ts';

/** Real pages with real revisions: each pair as the diff has it, beside what a plain reading says that people see. */
interface Pair {
  readonly file: string;
  readonly isSameText: boolean;
  readonly isSameBytes: boolean;
  readonly seen: VisibleDifference;
  readonly change: Change | undefined;
  /** Of a pair without a change: where the documents differ, and the texts that are named there. */
  readonly differs: readonly string[];
  readonly ignored: readonly string[];
  readonly named: readonly string[];
}

function pairsOf(page: ListedPage): Pair[] {
  const pages = page.versions.map((version) => pageOf(page.id, bytesOf(version)));
  return visibleDifferences(page).map((seen, index) => {
    const [before, after] = [pages[index], pages[index + 1]];
    const [was, is] = [page.versions[index], page.versions[index + 1]];
    if (!before || !after || !was || !is) throw new Error(`${page.id}: a pair without two versions`);
    const found = compare(before, after);
    const isSameBytes = Buffer.compare(bytesOf(was), bytesOf(is)) === 0;
    const differs = found.change ? [] : uncounted(before, after, found, isSameBytes);
    const ignored = found.ignored.flatMap((one) => [one.before, one.after]);
    return {
      file: is.file,
      isSameText: is.text_same_as_prev === true,
      isSameBytes,
      seen,
      change: found.change,
      differs: differs.map(({ where }) => where),
      ignored,
      named: [...ignored, ...differs.flatMap(({ texts = [] }) => texts.flatMap((one) => [one.before, one.after]))],
    };
  });
}

function pageOf(id: string, bytes: Uint8Array): Page {
  const read = extract({ url: `http://127.0.0.2/${id}`, contentType: 'text/html', bytes });
  if (!read.ok) throw new Error(`${id}: ${read.detail}`);
  return read.page;
}

/** Words of which a pair has more or fewer, and that its explanation names nowhere. */
function unnamed({ seen }: Pair, named: readonly string[]): string[] {
  const known = new Set(wordsOf(named));
  return seen.words.filter((word) => !known.has(word));
}

const filesOf = (pairs: readonly Pair[]): string[] => pairs.map(({ file }) => file);

describe.skipIf(!corpusIsHere)('real page versions (skipped where the corpus is not at hand)', () => {
  const pairs = listedPages().flatMap(pairsOf);
  const silent = pairs.filter(({ change }) => !change);
  const told = pairs.filter(({ change }) => change && change.chunks.length > 0);

  test('the corpus has pairs of both kinds, and the plain reading sees most changes', () => {
    expect(pairs.filter(({ isSameText }) => isSameText).length).toBeGreaterThan(80);
    expect(pairs.filter(({ isSameText }) => !isSameText)).toHaveLength(330);
    expect(pairs.filter(({ seen }) => seen.content).length).toBeGreaterThan(220);
  });

  test('text that people see outside navigation, header, footer and dialogs is told, or changes by itself and is named', () => {
    const missed = silent.filter((pair) => pair.seen.content && unnamed(pair, pair.ignored).length > 0);
    expect(filesOf(missed)).toEqual([]);
  });

  test('nothing is told where people see the same text there', () => {
    expect(filesOf(told.filter(({ seen }) => !seen.content))).toEqual([]);
  });

  test('a pair without a change says where it differs, and names each word that people see come or go', () => {
    const bytesDiffer = silent.filter(({ isSameBytes }) => !isSameBytes);
    expect(bytesDiffer.length).toBeGreaterThan(120);
    expect(filesOf(bytesDiffer.filter(({ differs }) => differs.length === 0))).toEqual([]);
    expect(silent.flatMap((pair) => unnamed(pair, pair.named).map((word) => `${pair.file}: ${word}`))).toEqual([]);
  });

  test('an event without text is another title, or a link that leads elsewhere', () => {
    const bare = pairs.filter(({ change }) => change?.chunks.length === 0);
    expect(bare.length).toBeGreaterThan(5);
    const unfounded = bare.filter(({ change, seen }) =>
      change?.titleChanged ? !seen.title : !(seen.links || seen.linksOfTheSite),
    );
    expect(filesOf(unfounded)).toEqual([]);
  });
});
