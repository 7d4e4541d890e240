import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RuleIndex } from '../../src/shared/match/rule-index.ts';
import type { FieldValues } from '../../src/shared/match/values.ts';
import { validate } from '../../src/shared/query/validate.ts';
import { corpusPages, corpusRules, matchCorpusIsHere, type WrittenRule } from '../fixtures/match-corpus.ts';
import { OwnMatch } from '../fixtures/own-match.ts';

const SIZES = [1_000, 10_000, 100_000];
const PAGES = 2_000;
const PASSES = 3;
/** Rules that are taken out and put back, one at a time. */
const CHANGES = 200;

export interface MatchRow {
  readonly rules: number;
  readonly pages: number;
  /** Whether rules and pages are the corpus that Lucene was measured on. */
  readonly corpus: boolean;
  /** By the processor time of the matching thread; the median of three passes after one to warm up. */
  readonly docsPerCpuSecond: number;
  readonly docsPerSecond: number;
  /** Milliseconds on the clock, of one page. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly matchesPerPage: number;
  /** Heap and array buffers, everything the index needs; the rules' ids are in it. */
  readonly bytesPerRule: number;
  /** Adding and removing one rule of an index of this size: the median, and the worst of 200. */
  readonly addMs: number;
  readonly removeMs: number;
  readonly addWorstMs: number;
  readonly removeWorstMs: number;
  /** All rules, their queries parsed already. */
  readonly buildMs: number;
}

/** One thread; analysing the page is in the figures, parsing queries and JSON is not. */
export function matchRows(): MatchRow[] {
  const own = new OwnMatch();
  const pages = matchCorpusIsHere ? corpusPages(PAGES) : own.pages(PAGES);
  const rules = matchCorpusIsHere ? corpusRules(Math.max(...SIZES)) : own.rules(Math.max(...SIZES));
  warmUp(rules.slice(0, Math.min(...SIZES)), pages);
  return SIZES.map((size) => measure(rules.slice(0, size), pages));
}

export function match(): Promise<string[]> {
  const rows = matchRows();
  const source = matchCorpusIsHere ? 'the corpus' : 'generated: the corpus is not at hand';
  return Promise.resolve([`${PAGES} pages (${source})`, ...rows.flatMap(linesOf)]);
}

/** What the code itself takes, tables and compiled functions, is no rule's memory. */
function warmUp(rules: readonly WrittenRule[], pages: readonly FieldValues[]): void {
  const { index } = build(rules);
  pass(index, pages);
  changes(index, rules);
}

function linesOf(row: MatchRow): string[] {
  const ms = (value: number): string => `${value.toFixed(value < 0.1 ? 4 : 2)} ms`;
  return [
    `${row.rules.toLocaleString('en')} rules: ${row.docsPerCpuSecond.toFixed(0)} pages per CPU second, ` +
      `p50 ${ms(row.p50Ms)}, p99 ${ms(row.p99Ms)}, ${row.matchesPerPage.toFixed(1)} matches a page`,
    `  ${row.bytesPerRule.toFixed(0)} bytes a rule; add ${ms(row.addMs)} (worst ${ms(row.addWorstMs)}), ` +
      `remove ${ms(row.removeMs)} (worst ${ms(row.removeWorstMs)}), build ${row.buildMs.toFixed(0)} ms`,
  ];
}

function measure(rules: readonly WrittenRule[], pages: readonly FieldValues[]): MatchRow {
  const before = memory();
  const { index, armed, buildMs } = build(rules);
  const bytesPerRule = (memory() - before) / armed;
  const passes = Array.from({ length: PASSES + 1 }, () => pass(index, pages)).slice(1);
  const middle = passes.toSorted((left, right) => left.cpu - right.cpu)[PASSES >> 1] ?? passes[0];
  if (!middle) throw new Error('no pass');
  const times = middle.times.toSorted((left, right) => left - right);
  return {
    rules: rules.length,
    pages: pages.length,
    corpus: matchCorpusIsHere,
    docsPerCpuSecond: pages.length / middle.cpu,
    docsPerSecond: (1_000 * pages.length) / times.reduce((sum, time) => sum + time, 0),
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    matchesPerPage: middle.matches / pages.length,
    bytesPerRule,
    ...changes(index, rules),
    buildMs,
  };
}

/** The queries are let go of as soon as they are armed, as the daemon does. */
function build(rules: readonly WrittenRule[]): { index: RuleIndex; armed: number; buildMs: number } {
  const index = new RuleIndex();
  let buildMs = 0;
  for (const rule of rules) buildMs += arm(index, rule);
  return { index, armed: index.size, buildMs };
}

/** Milliseconds; a query that our language refuses is left out. */
function arm(index: RuleIndex, { id, query: text }: WrittenRule): number {
  const { query } = validate(text);
  if (!query) return 0;
  const begin = performance.now();
  index.arm({ id, tapId: 'tap', query, quality: false, nsfw: true });
  return performance.now() - begin;
}

function pass(index: RuleIndex, pages: readonly FieldValues[]): { cpu: number; times: number[]; matches: number } {
  const times: number[] = [];
  let matches = 0;
  const start = process.threadCpuUsage();
  for (const page of pages) {
    const begin = performance.now();
    matches += index.matchValues(page).length;
    times.push(performance.now() - begin);
  }
  const { user, system } = process.threadCpuUsage(start);
  return { cpu: (user + system) / 1e6, times, matches };
}

function changes(
  index: RuleIndex,
  rules: readonly WrittenRule[],
): Pick<MatchRow, 'addMs' | 'removeMs' | 'addWorstMs' | 'removeWorstMs'> {
  const added: number[] = [];
  const removed: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    const rule = rules[Math.floor((change * rules.length) / CHANGES)];
    if (!rule) continue;
    const begin = performance.now();
    index.withdraw(rule.id);
    removed.push(performance.now() - begin);
    added.push(arm(index, rule));
  }
  for (const times of [added, removed]) times.sort((left, right) => left - right);
  return {
    addMs: quantile(added, 0.5),
    removeMs: quantile(removed, 0.5),
    addWorstMs: quantile(added, 1),
    removeWorstMs: quantile(removed, 1),
  };
}

function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? 0;
}

/** Bytes in use after a full collection. */
function memory(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Array buffers go a collection after what held them.
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
