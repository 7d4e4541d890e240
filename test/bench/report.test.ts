import { describe, expect, it } from 'vitest';
import { disturbances, type Machine } from './machine.ts';
import { blocksOf, labelOf, rewritten, unnamedGoals } from './paper.ts';
import { beside } from './peers/beside.ts';
import { rowOf, rowsOf } from './row.ts';
import { asMarkdown, asText, type Report } from './table.ts';

const machine: Machine = {
  node: '24.0.0',
  processors: 2,
  model: 'Some Processor',
  loadBefore: 0.1,
  loadAfter: 2,
  othersShare: 0.01,
};
const rows = [
  rowOf('match', {
    name: 'pages a CPU second',
    size: 10_000,
    value: 7_367.4,
    unit: '/s',
    baseline: 54.1,
    against: 'every rule',
    goal: { atLeast: 5_580 },
  }),
  rowOf('match', {
    name: 'growth of a page by rules',
    value: 0.67,
    unit: 'exponent',
    baseline: 1.01,
    against: 'every rule',
  }),
  rowOf('crawl', { name: 'CPU of 1,000 pages', value: 5.1, unit: 's', goal: { atMost: 4 } }),
];
const report: Report = { machine, isShort: false, notes: { match: ['2,000 pages'], crawl: [] }, rows };

describe('a row', () => {
  it('says the ratio to its baseline, and whether its goal is met', () => {
    expect(rows[0]).toMatchObject({ bench: 'match', ratio: 7_367.4 / 54.1, met: true });
    expect(rows[2]).toMatchObject({ met: false });
    expect(rows[2]).not.toHaveProperty('ratio');
  });

  it('of an exponent has no ratio: half an exponent is not half the cost', () => {
    expect(rows[1]).not.toHaveProperty('ratio');
  });

  it.each([
    ['met at its bound, above', { atLeast: 5 }, true],
    ['met at its bound, below', { atMost: 5 }, true],
    ['missed by more than that', { atMost: 4.9 }, false],
    ['missed by no number', { atMost: 5 }, false],
  ])('has a goal that is %s', (what, goal, met) => {
    const value = what.includes('no number') ? Number.NaN : 5;
    expect(rowOf('x', { name: 'y', value, unit: 'ms', goal }).met).toBe(met);
  });

  it('of a short form has no goal', () => {
    const outcome = { notes: [], figures: rows };
    expect(rowsOf('match', outcome, { isShort: true, size: undefined }).filter(({ goal }) => goal)).toEqual([]);
  });
});

describe('the table', () => {
  it('is aligned, with what was measured on above the rows of a benchmark', () => {
    const lines = asText(report).split('\n');
    expect(lines).toContain('match; 2,000 pages');
    const goals = lines.filter((line) => /[≤≥]/.test(line));
    expect(goals.map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['pages a CPU second', '10,000', '7,367', '/s', '× 136', 'every rule', '≥ 5,580', 'met'],
      ['CPU of 1,000 pages', '5.10', 's', '≤ 4', 'missed'],
    ]);
    expect(new Set(goals.map((line) => line.search(/met|missed/))).size).toBe(1);
  });

  it('has beside a figure what another program took, or that it is not installed', () => {
    const rows = [
      [8.4, 8.2, 8.6],
      [8.4, undefined],
    ].map((values) => rowOf('crawl', { name: 'CPU', value: 4.2, unit: 's', ...beside('Scrapy', values) }));
    const both = { ...report, rows };
    expect(asMarkdown(both, 'crawl')).toContain('| CPU | | 4.20 s | Scrapy 8.40 s | × 0.500 | |');
    expect(asMarkdown(both, 'crawl')).toContain('| CPU | | 4.20 s | Scrapy: not installed | | |');
    expect(asText(both)).toMatch(/CPU +4\.20 +s +× 0\.500 +Scrapy\n +CPU +4\.20 +s +Scrapy: not installed\n/);
  });

  it('warns where the machine had other work', () => {
    expect(disturbances(machine)).toEqual([]);
    expect(asText({ ...report, machine: { ...machine, loadBefore: 3, othersShare: 0.4 } })).toMatch(
      /not quiet: the load average was 3.00.*\nnot quiet: other processes took 40 %/,
    );
  });
});

describe('the paper', () => {
  const paper = [
    '# Figures',
    '| goal of | goal | figure | met | next |',
    '| match: pages a CPU second, 10,000 | ≥ 5,580/s | 1/s | missed | read words | faster |',
    '| labels | 0.9 | 0.93 | met | |',
    '<!-- bench match -->',
    'old',
    '<!-- /bench match -->',
    'by hand',
    '<!-- bench crawl -->',
    '<!-- /bench crawl -->',
  ].join('\n');

  it('is given the tables of a run between their marks, and its figures in the table of goals', () => {
    const text = rewritten(paper, report);
    expect(text).toContain('| match: pages a CPU second, 10,000 | ≥ 5,580/s | 7,367/s | met | read words | faster |');
    expect(text).toContain('| labels | 0.9 | 0.93 | met | |');
    expect(text).toContain('| CPU of 1,000 pages | | 5.10 s | | | ≤ 4: missed |');
    expect(text).not.toContain('old');
    expect(text).toContain('by hand');
    expect(text).not.toContain('Some Processor');
    expect(rewritten(text, report)).toBe(text);
  });

  it('keeps what was not run', () => {
    const only = { ...report, rows: rows.filter(({ bench }) => bench === 'crawl') };
    expect(rewritten(paper, only)).toContain('<!-- bench match -->\nold\n<!-- /bench match -->');
  });

  it('that has no place for a benchmark is told so', () => {
    expect(() => rewritten('# Figures', report)).toThrow('no place for match');
    expect([...blocksOf(report).keys()]).toEqual(['match', 'crawl']);
  });

  it('names each goal, or is told which it lacks', () => {
    expect(unnamedGoals(paper, report)).toEqual(['crawl: CPU of 1,000 pages']);
    expect(rows.map((row) => labelOf(row))[1]).toBe('match: growth of a page by rules');
  });
});
