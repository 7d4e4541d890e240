import { contentOf, mainText } from '../../src/shared/page/structure/content.ts';
import { extract } from '../../src/shared/page/read/extract.ts';
import type { Page } from '../../src/shared/page/page.ts';
import { fileOf, labelledPages, type Half, type LabelledPage } from './corpus.ts';
import type { Figure } from './run.ts';

/**
 * How well the zones of a page agree with people. Two kinds of truth: the whole main text, marked by hand, and short
 * passages that the main text must or must not hold.
 *
 * The score of whole texts is that of article-extraction-benchmark: tokens are runs of letters, digits and `_` as they
 * are written; a page is the multiset of its shingles of 4 tokens; precision and recall are computed for each page
 * and averaged over the pages; F1 is the harmonic mean of the two averages.
 */
export async function figures(half: Half): Promise<Figure[]> {
  return Promise.resolve([...wholeTexts(half), ...passages(half)]);
}

interface Read {
  readonly label: LabelledPage;
  readonly page: Page;
  readonly truth: string;
}

function read(half: Half, kind: RegExp): Read[] {
  return labelledPages('pages', half).flatMap((label) => {
    if (label.truth === undefined || !kind.test(label.truth_kind ?? '')) return [];
    const bytes = fileOf('pages', label.file);
    const read = extract({ url: label.url ?? 'https://example.com/', contentType: 'text/html', bytes });
    const truth = new TextDecoder().decode(fileOf('pages', label.truth));
    return read.ok ? [{ label, page: read.page, truth }] : [];
  });
}

function wholeTexts(half: Half): Figure[] {
  const pages = read(half, /^main text, human annotated$/);
  const of = `${pages.length} pages with a main text marked by hand, no site in both halves`;
  const main = averaged(pages.map(({ page, truth }) => shingleScore(truth, mainText(page))));
  const content = averaged(pages.map(({ page, truth }) => shingleScore(truth, textOf(page))));
  return [
    { name: 'main text, F1 of shingles', value: f1(main), of, goal: 0.96 },
    { name: 'main text, precision', value: main.precision, of },
    { name: 'main text, recall', value: main.recall, of },
    { name: 'main and body (what a diff sees), recall', value: content.recall, of, goal: 0.98 },
    { name: 'main and body (what a diff sees), precision', value: content.precision, of, goal: 0.86 },
  ];
}

function passages(half: Half): Figure[] {
  const pages = read(half, /^human annotated segments/);
  const of = `${pages.length} pages with passages that the main text must, or must not, hold`;
  const counts = { wanted: 0, missed: 0, foreign: 0, strayed: 0, seen: 0 };
  for (const { page, truth } of pages) {
    const marked = JSON.parse(truth) as { readonly with: readonly string[]; readonly without: readonly string[] };
    const main = spaced(mainText(page));
    const content = spaced(textOf(page));
    counts.wanted += marked.with.length;
    counts.missed += marked.with.filter((text) => !main.includes(spaced(text))).length;
    counts.seen += marked.with.filter((text) => content.includes(spaced(text))).length;
    counts.foreign += marked.without.length;
    counts.strayed += marked.without.filter((text) => main.includes(spaced(text))).length;
  }
  const hit = counts.wanted - counts.missed;
  const score = { precision: hit / Math.max(1, hit + counts.strayed), recall: hit / Math.max(1, counts.wanted) };
  return [
    { name: 'passages in the main text, F1', value: f1(score), of },
    { name: 'passages it must hold that it holds', value: score.recall, of },
    {
      name: 'passages it must not hold that it leaves out',
      value: 1 - counts.strayed / Math.max(1, counts.foreign),
      of,
    },
    { name: 'passages it must hold that a diff sees', value: counts.seen / Math.max(1, counts.wanted), of },
  ];
}

function textOf(page: Page): string {
  return contentOf(page)
    .map(({ text }) => text)
    .join('\n');
}

function spaced(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

interface Score {
  readonly precision: number;
  readonly recall: number;
}

/** A text of fewer than 4 tokens is one shingle. */
const SHINGLE = 4;

export function shingleScore(truth: string, found: string): Score {
  const expected = shingles(truth);
  const actual = shingles(found);
  let both = 0;
  for (const [shingle, count] of expected) both += Math.min(count, actual.get(shingle) ?? 0);
  const size = (counts: Map<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { precision: both / Math.max(1, size(actual)), recall: both / Math.max(1, size(expected)) };
}

function shingles(text: string): Map<string, number> {
  const tokens = text.normalize('NFC').match(/[\p{L}\p{N}_]+/gu) ?? [];
  const counts = new Map<string, number>();
  const last = Math.max(0, tokens.length - SHINGLE);
  for (let at = 0; at <= last && tokens.length > 0; at += 1) {
    const shingle = tokens.slice(at, at + SHINGLE).join(' ');
    counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  }
  return counts;
}

function averaged(scores: readonly Score[]): Score {
  const mean = (of: keyof Score): number =>
    scores.reduce((sum, score) => sum + score[of], 0) / Math.max(1, scores.length);
  return { precision: mean('precision'), recall: mean('recall') };
}

function f1({ precision, recall }: Score): number {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}
