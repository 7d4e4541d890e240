import { describe, expect, test } from 'vitest';
import type { Case, PageFinding } from '../../../src/daemon/judging/case.ts';
import { LocalJudge } from '../../../src/daemon/judging/local-judge.ts';
import { packedChange } from '../../../src/daemon/judging/recent-change.ts';
import { tryOn } from '../../../src/daemon/judging/trial.ts';
import { packed, unpacked } from '../../../src/daemon/judging/versions.ts';
import type { RecentChange } from '../../../src/daemon/storage/recent-changes.ts';
import { type Labels, NO_LABELS } from '../../../src/shared/label/label.ts';
import { type ArmedRule, RuleIndex } from '../../../src/shared/match/rule-index.ts';
import { NO_CHANGE } from '../../../src/shared/page/change.ts';
import { EXTRACTOR, NO_FACTS, type Page } from '../../../src/shared/page/page.ts';
import { caseOf, page, ruleOf, url } from './cases.ts';

const english: Labels = { ...NO_LABELS, language: { value: 'en', reason: 'test' } };

async function judged(given: Case, judge = judgeWith()): Promise<PageFinding> {
  const judgement = await judge.judge(given);
  if (judgement.outcome === 'failed') throw new Error(judgement.detail);
  return judgement;
}

function judgeWith(...rules: ArmedRule[]): LocalJudge {
  const judge = new LocalJudge({ labeller: async () => () => english });
  for (const rule of rules) judge.arm(rule);
  return judge;
}

/** As the storage gives it. */
function kept({ recent, version }: PageFinding, at = 5_000): RecentChange {
  if (!recent || !version) throw new Error('nothing is kept of this page');
  return { seq: 1, at, change: recent, page: version.page };
}

function indexOf(query: string, different: Partial<ArmedRule> = {}): RuleIndex {
  const index = new RuleIndex();
  index.arm({ ...ruleOf('tried', query), ...different });
  return index;
}

const noLabels = (): never => {
  throw new Error('nobody asked for labels');
};

const ferry = caseOf(page('The ferry leaves at nine.'), { keepsChange: true, dr: 40 });

describe('what the rules saw of a change', () => {
  test('is kept where it is wanted, without any rule, and on its own', async () => {
    expect((await judged(caseOf(page('The ferry leaves at nine.')))).recent).toBeUndefined();
    const { recent } = await judged(ferry);
    expect(recent?.buffer.byteLength).toBe(recent?.byteLength);
    expect(JSON.parse(unpacked(recent!).toString())).toMatchObject({
      extractor: EXTRACTOR,
      at: ferry.at,
      url,
      title: 'Today',
      dr: 40,
      change: { chunks: [{ typ: 'ins', text: 'The ferry leaves at nine.' }] },
    });
  });

  test('is not kept of a first visit that is no news, nor of a page that wants not to be found', async () => {
    expect((await judged({ ...ferry, isBaseline: true })).recent).toBeUndefined();
    const hidden = `<meta name=robots content=noindex>${page('The ferry leaves at nine.')}`;
    expect((await judged(caseOf(hidden, { keepsChange: true }))).recent).toBeUndefined();
    expect((await judged(caseOf(hidden, { keepsChange: true, isNamed: true }))).recent).toBeDefined();
  });

  test('gives a rule that is tried the document that one armed in time was told', async () => {
    const rule = ruleOf('armed', 'ferry AND domain:"example.com" AND dr:[30 TO *]');
    const visit = await judged(ferry, judgeWith(rule));
    const { fitting, failed } = tryOn([kept(visit)], indexOf('ferry AND dr:[30 TO *]'), () => english, 1);
    expect([failed, fitting]).toEqual([0, [{ at: 5_000, url, document: visit.events?.[0]?.document }]]);
  });

  test('has the labels that a rule asked for; else they are found when a trial asks', async () => {
    const asked = await judged(ferry, judgeWith(ruleOf('armed', 'language:en')));
    expect(tryOn([kept(asked)], indexOf('language:en'), noLabels, 0)).toEqual({
      fitting: [{ at: 5_000, url }],
      failed: 0,
    });
    const seen: Page[] = [];
    const label = (found: Page): Labels => {
      seen.push(found);
      return english;
    };
    expect(tryOn([kept(await judged(ferry))], indexOf('language:en'), label, 0).fitting).toHaveLength(1);
    expect(seen).toMatchObject([{ segments: [{ text: 'The ferry leaves at nine.' }] }]);
  });

  test('tells why a page that fits would be kept back', async () => {
    const changes = [kept(await judged(ferry))];
    expect(tryOn(changes, indexOf('ferry', { quality: true }), noLabels, 5).fitting).toEqual([
      { at: 5_000, url, withheld: 'no_date' },
    ]);
    expect(tryOn(changes, indexOf('tram', { quality: true }), noLabels, 5).fitting).toEqual([]);
  });

  test('counts ages from when it was judged', async () => {
    const dated = `<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2026-02-12T12:00:00Z"}</script>`;
    const visit = await judged(caseOf(dated + page('The ferry leaves at nine.'), { keepsChange: true }));
    const { fitting } = tryOn([kept(visit)], indexOf('recent:2d AND NOT recent:12h', { quality: true }), noLabels, 0);
    expect(fitting).toEqual([{ at: 5_000, url }]);
  });

  test('counts as failed where it cannot be read, and leaves the others alone', async () => {
    const good = kept(await judged(ferry));
    const text = { url, title: 'x', segments: [], anchors: [], links: [], facts: NO_FACTS };
    const fine = packedChange(text, 1, { change: NO_CHANGE });
    const other = unpacked(fine).toString().replace(`"extractor":${EXTRACTOR}`, '"extractor":999');
    const bad = [
      { ...good, change: Uint8Array.of(1, 2) },
      { ...good, change: packed(other) },
    ];
    expect(tryOn([...bad, good], indexOf('ferry'), noLabels, 0)).toEqual({ fitting: [{ at: 5_000, url }], failed: 2 });
    const unlabelled = { ...good, page: Uint8Array.of(1) };
    expect(tryOn([unlabelled], indexOf('language:en'), () => english, 0)).toMatchObject({ fitting: [], failed: 1 });
  });

  test('is told whole for as many matches as are wanted', async () => {
    const one = kept(await judged(ferry));
    const { fitting } = tryOn([one, one, one], indexOf('ferry'), () => english, 2);
    expect(fitting.map(({ document }) => document !== undefined)).toEqual([true, true, false]);
  });
});
