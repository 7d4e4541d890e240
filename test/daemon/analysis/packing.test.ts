import { describe, expect, test } from 'vitest';
import type { PageFinding, PageInput } from '../../../src/daemon/analysis/findings.ts';
import { LocalAnalysis } from '../../reference/local-analysis.ts';
import { unzstd, zstd } from '../../../src/daemon/compression.ts';
import { accountOfVersion, packedChange } from '../../../src/daemon/analysis/packing.ts';
import { seenIn, TriedRule, type TriedPart } from '../../../src/daemon/analysis/trial.ts';
import type { RecentChange } from '../../../src/daemon/storage/recent-changes.ts';
import { type Labels, NO_LABELS } from '../../../src/shared/label/label.ts';
import { type RegisteredRule, RuleIndex } from '../../../src/shared/match/rule-index.ts';
import { NO_CHANGE } from '../../../src/shared/page/change.ts';
import { Boilerplate } from '../../../src/shared/page/structure/boilerplate.ts';
import { EXTRACTOR, NO_FACTS, type Page } from '../../../src/shared/page/page.ts';
import { page, pageInput, ruleOf, url } from './page-inputs.ts';

const english: Labels = { ...NO_LABELS, language: { value: 'en', reason: 'test' } };

async function analyzed(given: PageInput, analysis = analysisWith()): Promise<PageFinding> {
  const finding = await analysis.analyze(given);
  if (finding.outcome === 'failed') throw new Error(finding.detail);
  return finding;
}

function analysisWith(...rules: RegisteredRule[]): LocalAnalysis {
  const analysis = new LocalAnalysis({ labeller: async () => () => english });
  for (const rule of rules) analysis.register(rule);
  return analysis;
}

/** As the storage gives it. */
function kept({ recent, version }: PageFinding, at = 5_000): RecentChange {
  if (!recent || !version) throw new Error('nothing is kept of this page');
  return { seq: 1, at, change: recent, page: version.page };
}

/** Tries a query, and tells so many matches whole, and so many of what the filters keep back. */
function tryOn(
  changes: readonly RecentChange[],
  rule: RegisteredRule,
  label: (page: Page) => Labels,
  matches: number,
  withheld = 0,
): TriedPart {
  return new TriedRule(rule, label).tryOn(changes, { matches, withheld });
}

function tried(query: string, different: Partial<RegisteredRule> = {}): RegisteredRule {
  return { ...ruleOf('tried', query), ...different };
}

const noLabels = (): never => {
  throw new Error('nobody asked for labels');
};

const ferry = pageInput(page('The ferry leaves at nine.'), { keepsChange: true, dr: 40 });

test('the account of a version counts what many pages of its host have', async () => {
  const texts = ['The ferry leaves at nine.', 'We bake cookies'];
  const boilerplate = Boilerplate.from(undefined, 0);
  const shared: Page = {
    url,
    segments: [{ text: 'We bake cookies', kind: 'sentence', zone: 'main' }],
    anchors: [],
    links: [],
    facts: NO_FACTS,
  };
  for (let index = 0; index < 10; index += 1) boilerplate.learn(undefined, shared);
  const { version } = await analyzed(pageInput(`<nav>Home</nav>${page(...texts)}`));
  const account = { read: 25, boilerplate: 4, shared: 15, hidden: 0 };
  expect(await accountOfVersion(version!, boilerplate.toBytes(), 0)).toMatchObject(account);
  expect(await accountOfVersion(version!, undefined, 0)).toMatchObject({ read: 40 });
  expect(await accountOfVersion({ ...version!, extractor: EXTRACTOR - 1 }, undefined, 0)).toBeUndefined();
});

describe('what the rules saw of a change', () => {
  test('is kept where it is wanted, without any rule, and on its own', async () => {
    expect((await analyzed(pageInput(page('The ferry leaves at nine.')))).recent).toBeUndefined();
    const { recent } = await analyzed(ferry);
    expect(recent?.buffer.byteLength).toBe(recent?.byteLength);
    expect(JSON.parse(unzstd(recent!).toString())).toMatchObject({
      extractor: EXTRACTOR,
      at: ferry.at,
      url,
      title: 'Today',
      dr: 40,
      change: { chunks: [{ typ: 'ins', text: 'The ferry leaves at nine.' }] },
    });
  });

  test('is not kept of a first visit that is no news, nor of a page that wants not to be found', async () => {
    expect((await analyzed({ ...ferry, isBaseline: true })).recent).toBeUndefined();
    const hidden = `<meta name=robots content=noindex>${page('The ferry leaves at nine.')}`;
    expect((await analyzed(pageInput(hidden, { keepsChange: true }))).recent).toBeUndefined();
    expect((await analyzed(pageInput(hidden, { keepsChange: true, isNamed: true }))).recent).toBeDefined();
  });

  test('gives a rule that is tried the document that one registered in time was told', async () => {
    const rule = ruleOf('registered', 'ferry AND domain:"example.com" AND dr:[30 TO *]');
    const visit = await analyzed(ferry, analysisWith(rule));
    const { fitting, failed } = tryOn([kept(visit)], tried('ferry AND dr:[30 TO *]'), () => english, 1);
    expect([failed, fitting]).toEqual([0, [{ seq: 1, at: 5_000, url, document: visit.events?.[0]?.document }]]);
  });

  test('has the labels that a rule asked for; else they are found when a trial asks', async () => {
    const asked = await analyzed(ferry, analysisWith(ruleOf('registered', 'language:en')));
    expect(tryOn([kept(asked)], tried('language:en'), noLabels, 0)).toEqual({
      fitting: [{ seq: 1, at: 5_000, url }],
      failed: 0,
    });
    const seen: Page[] = [];
    const label = (found: Page): Labels => {
      seen.push(found);
      return english;
    };
    expect(tryOn([kept(await analyzed(ferry))], tried('language:en'), label, 0).fitting).toHaveLength(1);
    expect(seen).toMatchObject([{ segments: [{ text: 'The ferry leaves at nine.' }] }]);
  });

  test('tells why a page that fits would be kept back', async () => {
    const changes = [kept(await analyzed(ferry))];
    expect(tryOn(changes, tried('ferry', { quality: true }), noLabels, 5).fitting).toEqual([
      { seq: 1, at: 5_000, url, withheld: 'no_date' },
    ]);
    expect(tryOn(changes, tried('tram', { quality: true }), noLabels, 5).fitting).toEqual([]);
    const ahead = `<meta property="article:published_time" content="2031-02-13T08:00:00Z">${page('A ferry to come.')}`;
    const dated = [kept(await analyzed(pageInput(ahead, { keepsChange: true })))];
    expect(tryOn(dated, tried('ferry', { quality: true }), noLabels, 5).fitting).toEqual([
      { seq: 1, at: 5_000, url, withheld: 'future_date' },
    ]);
    // Nothing that asks for a time gets one that cannot be.
    expect(tryOn(dated, tried('recent:2d'), noLabels, 5).fitting).toEqual([]);
    expect(tryOn(dated, tried('publish_time:[2020-01-01 TO *]'), noLabels, 5).fitting).toEqual([]);
  });

  test('tells what a page that is kept back would have delivered, for as many as are wanted', async () => {
    const registered = await analyzed(ferry, analysisWith(ruleOf('registered', 'ferry')));
    const changes = [kept(registered), kept(registered)];
    const { fitting } = tryOn(changes, tried('ferry', { quality: true }), () => english, 5, 1);
    const document = registered.events?.[0]?.document;
    expect(fitting).toEqual([
      { seq: 1, at: 5_000, url, withheld: 'no_date', document },
      { seq: 1, at: 5_000, url, withheld: 'no_date' },
    ]);
  });

  test('tells of the newest change of a page what each rule makes of it', async () => {
    const other = pageInput(page('A tram line opens.'), { keepsChange: true });
    const tram = await analyzed({ ...other, fetched: { ...other.fetched, url: 'https://example.com/tram' } });
    const changes = [kept(tram), kept(await analyzed(ferry)), { ...kept(tram), change: Uint8Array.of(1) }];
    const rules = new RuleIndex();
    rules.register(tried('ferry', { id: 'matches' }));
    rules.register(tried('nine', { id: 'filtered', quality: true }));
    rules.register(tried('tram', { id: 'other' }));
    expect(seenIn(changes, new Set(['https://example.com/none']), rules, noLabels)).toBeUndefined();
    expect(seenIn(changes, new Set(['https://example.com/none', url]), rules, noLabels)).toEqual({
      at: 5_000,
      url,
      title: 'Today',
      change: expect.objectContaining({ chunks: [{ typ: 'ins', text: 'The ferry leaves at nine.' }] }),
      matched: ['matches'],
      withheld: [{ ruleId: 'filtered', reason: 'no_date' }],
      failed: [],
    });
  });

  test('counts ages from when it was judged', async () => {
    const dated = `<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2026-02-12T12:00:00Z"}</script>`;
    const visit = await analyzed(pageInput(dated + page('The ferry leaves at nine.'), { keepsChange: true }));
    const { fitting } = tryOn([kept(visit)], tried('recent:2d AND NOT recent:12h', { quality: true }), noLabels, 0);
    expect(fitting).toEqual([{ seq: 1, at: 5_000, url }]);
  });

  test('counts as failed where it cannot be read, and leaves the others alone', async () => {
    const good = kept(await analyzed(ferry));
    const text = { url, title: 'x', segments: [], anchors: [], links: [], facts: NO_FACTS };
    const fine = packedChange(text, 1, { change: NO_CHANGE });
    const other = unzstd(fine).toString().replace(`"extractor":${EXTRACTOR}`, '"extractor":999');
    const bad = [
      { ...good, change: Uint8Array.of(1, 2) },
      { ...good, change: zstd(other) },
    ];
    expect(tryOn([...bad, good], tried('ferry'), noLabels, 0)).toEqual({
      fitting: [{ seq: 1, at: 5_000, url }],
      failed: 2,
    });
    const unlabelled = { ...good, page: Uint8Array.of(1) };
    expect(tryOn([unlabelled], tried('language:en'), () => english, 0)).toMatchObject({ fitting: [], failed: 1 });
  });

  test('is told whole for as many matches as are wanted', async () => {
    const one = kept(await analyzed(ferry));
    const { fitting } = tryOn([one, one, one], tried('ferry'), () => english, 2);
    expect(fitting.map(({ document }) => document !== undefined)).toEqual([true, true, false]);
  });
});
