import { parse } from 'parse5';
import { NO_LABELS } from '../../src/shared/label/label.ts';
import { labels } from '../../src/shared/label/labels.ts';
import { compare } from '../../src/shared/page/compare.ts';
import { decode } from '../../src/shared/page/decode.ts';
import { domainsOf } from '../../src/shared/page/domain.ts';
import { extract } from '../../src/shared/page/extract.ts';
import type { Page } from '../../src/shared/page/page.ts';
import { treeOf } from '../../src/shared/page/tree.ts';
import { RuleIndex } from '../../src/shared/match/rule-index.ts';
import { validate } from '../../src/shared/query/validate.ts';
import { ownSeries, seeded } from '../fixtures/series.ts';
import { corpusIsHere, fileOf, labelledPages } from '../report/corpus.ts';

const RULES = 1_000;
/** Of this many times through all pages, the cheapest counts: what else the machine does only adds. */
const ROUNDS = 8;

/**
 * CPU of the pure stages, a page, on the labelled pages. `parse5` is what the parser alone costs without our jump over
 * scripts; `tree` is our parsing; `extract` is everything from bytes to page, so what it costs beyond decoding and
 * `tree` is the walk, the zones and the segments. `compare` looks for a tenth of the segments that is gone.
 */
export async function page(): Promise<string[]> {
  const bodies = bodiesAtHand();
  const size = bodies.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const texts = bodies.map(({ bytes }) => decode(bytes, { contentType: 'text/html' }));
  const pages = bodies.flatMap((body) => {
    const read = extract({ ...body, contentType: 'text/html' });
    return read.ok ? [read.page] : [];
  });
  const pairs = pages.map((after) => ({ before: shortened(after), after }));
  const visits = pages.map((seen) => visitOf(seen));
  const rules = armed();
  const stages: Record<Stage, () => unknown> = {
    parse5: () => texts.forEach((text) => parse(text)),
    tree: () => texts.forEach((text) => treeOf(text)),
    decode: () => bodies.forEach(({ bytes }) => decode(bytes, { contentType: 'text/html' })),
    extract: () => bodies.forEach((body) => extract({ ...body, contentType: 'text/html' })),
    labels: () => Promise.all(pages.map((seen) => labels(seen))),
    compare: () => pairs.forEach(({ before, after }) => compare(before, after)),
    match: () => visits.forEach((visit) => rules.match(visit, 0)),
  };
  const spent = await cheapest(stages);
  return [
    `${bodies.length} pages of ${Math.round(size / bodies.length / 1_000)} kB on average ` +
      `(${corpusIsHere ? 'real pages' : 'generated: the corpus is not at hand'}), ${RULES} rules`,
    ...Object.entries(spent).map(([stage, seconds]) => {
      const each = ((seconds / bodies.length) * 1_000).toFixed(2).padStart(6);
      const rate = (size / 1e6 / seconds).toFixed(0).padStart(5);
      return `${stage.padEnd(8)} ${each} ms a page ${rate} MB and ${(bodies.length / seconds).toFixed(0).padStart(6)} pages a CPU second`;
    }),
    `after parse5 (walk, zones, segments, labels, compare, match): ${afterParsing(spent).toFixed(2)} of parse5`,
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
async function cheapest(stages: Readonly<Record<string, () => unknown>>): Promise<Record<string, number>> {
  const least: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [stage, run] of Object.entries(stages)) {
      const begin = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(begin);
      least[stage] = Math.min(least[stage] ?? Infinity, (user + system) / 1e6);
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
function armed(): RuleIndex {
  const random = seeded(3);
  const words = 'service data user account privacy right terms law cookie contract health case number test day'.split(
    ' ',
  );
  const pick = (): string => words[Math.floor(random() * words.length)] ?? '';
  const index = new RuleIndex();
  for (let rule = 0; rule < RULES; rule += 1) {
    const text = rule % 3 === 0 ? `"${pick()} ${pick()}"` : `${pick()} AND ${pick()} AND NOT topic${rule}`;
    const { query } = validate(text);
    if (query) index.arm({ id: String(rule), tapId: `tap-${rule % 10}`, query, quality: false, nsfw: false });
  }
  return index;
}
