import { parse } from 'parse5';
import { NO_LABELS } from '../../src/shared/label/label.ts';
import { labels } from '../../src/shared/label/labels.ts';
import { compare } from '../../src/shared/page/compare.ts';
import { decode } from '../../src/shared/page/read/decode.ts';
import { domainsOf } from '../../src/shared/page/domain.ts';
import { extract } from '../../src/shared/page/read/extract.ts';
import type { Page } from '../../src/shared/page/page.ts';
import { treeOf } from '../../src/shared/page/read/tree.ts';
import { RuleIndex } from '../../src/shared/match/rule-index.ts';
import { validate } from '../../src/shared/query/validate.ts';
import { ownSeries, seeded } from '../fixtures/series.ts';
import { corpusIsHere, fileOf, labelledPages } from '../report/corpus.ts';
import { ownCpuMs } from './processes.ts';
import type { Asked, Figure, Outcome } from './row.ts';

const RULES = 1_000;
/** Of this many times through all pages, the cheapest counts: what else the machine does only adds. */
const ROUNDS = 8;
/** All that comes after the parser costs no more than the parser. */
const MOST_AFTER_PARSING = 1;

/**
 * CPU of the pure stages, a page, on the labelled pages. `parse5` is what the parser alone costs without our jump over
 * scripts; `tree` is our parsing; `extract` is everything from bytes to page, so what it costs beyond decoding and
 * `tree` is the walk, the zones and the segments. `compare` looks for a tenth of the segments that is gone.
 */
export async function page({ isShort }: Asked): Promise<Outcome> {
  const bodies = bodiesAtHand().slice(0, isShort ? 20 : undefined);
  const size = bodies.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const texts = bodies.map(({ bytes }) => decode(bytes, { contentType: 'text/html' }));
  const pages = bodies.flatMap((body) => {
    const read = extract({ ...body, contentType: 'text/html' });
    return read.ok ? [read.page] : [];
  });
  const pairs = pages.map((after) => ({ before: shortened(after), after }));
  const visits = pages.map((seen) => visitOf(seen));
  const rules = registered();
  const stages: Record<Stage, () => unknown> = {
    parse5: () => texts.forEach((text) => parse(text)),
    tree: () => texts.forEach((text) => treeOf(text)),
    decode: () => bodies.forEach(({ bytes }) => decode(bytes, { contentType: 'text/html' })),
    extract: () => bodies.forEach((body) => extract({ ...body, contentType: 'text/html' })),
    labels: () => Promise.all(pages.map((seen) => labels(seen))),
    compare: () => pairs.forEach(({ before, after }) => compare(before, after)),
    match: () => visits.forEach((visit) => rules.match(visit, 0)),
  };
  const spent = await cheapest(stages, isShort ? 1 : ROUNDS);
  const origin = corpusIsHere ? 'of the corpus' : 'generated, since the corpus is not at hand';
  return {
    notes: [
      `${bodies.length} pages ${origin}, ${Math.round(size / bodies.length / 1_000)} kB on average`,
      `${RULES.toLocaleString('en')} rules`,
    ],
    figures: figuresOf(spent, bodies.length),
  };
}

function figuresOf(spent: Readonly<Partial<Record<string, number>>>, pages: number): Figure[] {
  const { parse5 = Number.NaN } = spent;
  const ms = (seconds: number): number => (seconds / pages) * 1_000;
  const beside = { unit: 'ms', baseline: ms(parse5), against: 'parse5' };
  return [
    { name: 'parse5', value: ms(parse5), unit: 'ms' },
    ...Object.entries(spent)
      .filter(([stage]) => stage !== 'parse5')
      .map(([stage, seconds = Number.NaN]) => Object.assign({ name: stage, value: ms(seconds) }, beside)),
    { name: 'all after parsing', value: ms(afterParsing(spent) * parse5), ...beside },
    {
      name: 'all after parsing, of parse5',
      value: afterParsing(spent),
      unit: '',
      goal: { atMost: MOST_AFTER_PARSING },
    },
  ];
}

type Stage = 'parse5' | 'tree' | 'decode' | 'extract' | 'labels' | 'compare' | 'match';

/** All that is ours, as a share of what parse5 alone would cost. */
function afterParsing(spent: Readonly<Partial<Record<string, number>>>): number {
  const { parse5 = 1, tree = 0, decode: decoding = 0, extract: all = 0, labels: label = 0 } = spent;
  return (all - decoding - tree + label + (spent['compare'] ?? 0) + (spent['match'] ?? 0)) / parse5;
}

function bodiesAtHand(): { url: string; bytes: Uint8Array }[] {
  if (corpusIsHere) {
    return [...labelledPages('pages', 'build'), ...labelledPages('pages', 'check')].map(({ file, url }) => ({
      url: url ?? 'https://www.example.com/',
      bytes: fileOf('pages', file),
    }));
  }
  return ownSeries(100, 4, 5).flatMap(({ id, versions }) =>
    versions.map(({ body }) => ({ url: `https://www.example.com/${id}`, bytes: body })),
  );
}

/** CPU seconds of each stage. They take turns, so that a busy minute of the machine is no stage's own. */
async function cheapest(
  stages: Readonly<Record<string, () => unknown>>,
  rounds: number,
): Promise<Record<string, number>> {
  const least: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [stage, run] of Object.entries(stages)) {
      const begin = ownCpuMs();
      await run();
      least[stage] = Math.min(least[stage] ?? Infinity, (ownCpuMs() - begin) / 1_000);
    }
  }
  return least;
}

function shortened(page: Page): Page {
  return { ...page, segments: page.segments.filter((_, index) => index % 10 !== 3) };
}

/** A page seen for the first time is all new, which is the dear case. */
function visitOf(page: Page): Parameters<RuleIndex['match']>[0] {
  const { change } = compare(undefined, page);
  if (!change) throw new Error(`${page.url}: a first sight that is no change`);
  return { page, change, domains: domainsOf(page.url), labels: NO_LABELS };
}

/** Pairs and phrases of common words: rules that pages meet often, which is the dear case. */
function registered(): RuleIndex {
  const random = seeded(3);
  const words = 'service data user account privacy right terms law cookie contract health case number test day'.split(
    ' ',
  );
  const pick = (): string => words[Math.floor(random() * words.length)] ?? '';
  const index = new RuleIndex();
  for (let rule = 0; rule < RULES; rule += 1) {
    const text = rule % 3 === 0 ? `"${pick()} ${pick()}"` : `${pick()} AND ${pick()} AND NOT topic${rule}`;
    const { query } = validate(text);
    if (query) index.register({ id: String(rule), tapId: `tap-${rule % 10}`, query, quality: false, nsfw: false });
  }
  return index;
}
