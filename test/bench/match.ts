import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Evaluator } from '../../src/shared/match/evaluate.ts';
import { PageTerms, type FieldValues } from '../../src/shared/match/document.ts';
import { RuleIndex } from '../../src/shared/match/rule-index.ts';
import { validate } from '../../src/shared/query/validate.ts';
import { corpusPages, corpusRules, matchCorpusIsHere, type WrittenRule } from '../fixtures/match-corpus.ts';
import { OwnMatch } from '../fixtures/own-match.ts';
import { ownCpuMs } from './processes.ts';
import type { Asked, Figure, Outcome } from './row.ts';
import { median, quantile, slope } from './statistics.ts';

/** Rules, pages and passes of the two forms. */
const FORMS = {
  whole: { sizes: [1_000, 10_000, 100_000], pages: 2_000, passes: 3 },
  short: { sizes: [50, 500], pages: 100, passes: 1 },
};
/** Evaluations of one rule on one page that the dull twin is given, at most. */
const TWIN_EVALUATIONS = 2_000_000;
/** Indexes that are held at once to be weighed. */
const MOST_COPIES = 8;
const RULES_OF_COPIES = 20_000;
/** Rules that are taken out and put back, one at a time. */
const CHANGES = 200;
/** Ten times the best that Lucene Monitor did with these rules and pages; bytes and milliseconds are ours. */
const LEAST_PAGES: Readonly<Record<number, number>> = { 1_000: 17_600, 10_000: 5_580, 100_000: 508 };
const MOST_BYTES = 1_024;
const MOST_MS = 1;

interface Measured {
  readonly rules: number;
  /** By the processor time of the matching thread; the median of the passes after one to warm up. */
  readonly docsPerCpuSecond: number;
  /** The same of the dull twin, which tries every rule on every page; over fewer pages. */
  readonly twinPerCpuSecond: number;
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
export function match({ isShort, size }: Asked): Promise<Outcome> {
  const form = FORMS[isShort ? 'short' : 'whole'];
  const sizes = size === undefined ? form.sizes : [size];
  const own = new OwnMatch();
  const pages = matchCorpusIsHere ? corpusPages(form.pages) : own.pages(form.pages);
  const rules = matchCorpusIsHere ? corpusRules(Math.max(...sizes)) : own.rules(Math.max(...sizes));
  warmUp(rules.slice(0, Math.min(...sizes)), pages);
  const all = sizes.map((count) => measure(rules.slice(0, count), pages, form.passes));
  const source = matchCorpusIsHere ? 'of the corpus' : 'generated, since the corpus is not at hand';
  return Promise.resolve({
    notes: [`${form.pages.toLocaleString('en')} pages and rules ${source}`],
    figures: [...all.flatMap((one) => figuresOf(one)), ...(all.length > 1 ? growth(all) : [])],
  });
}

/** What the code itself takes, tables and compiled functions, is no rule's memory. */
function warmUp(rules: readonly WrittenRule[], pages: readonly FieldValues[]): void {
  const { index } = build(rules);
  pass(index, pages);
  changes(index, rules);
}

function figuresOf(all: Measured): Figure[] {
  const { rules: size, docsPerCpuSecond, twinPerCpuSecond } = all;
  const least = matchCorpusIsHere ? LEAST_PAGES[size] : undefined;
  const ms = { size, unit: 'ms' };
  return [
    {
      name: 'pages a CPU second',
      size,
      value: docsPerCpuSecond,
      unit: '/s',
      baseline: twinPerCpuSecond,
      against: EVERY_RULE,
      ...(least !== undefined && { goal: { atLeast: least } }),
    },
    { name: 'a page, p50', ...ms, value: all.p50Ms },
    {
      name: 'a page, mean',
      ...ms,
      value: 1_000 / docsPerCpuSecond,
      ...(size === 10_000 && { goal: { atMost: MOST_MS } }),
    },
    { name: 'a page, p99', ...ms, value: all.p99Ms },
    { name: 'matches a page', size, value: all.matchesPerPage, unit: '' },
    { name: 'memory of a rule', size, value: all.bytesPerRule, unit: 'bytes', goal: { atMost: MOST_BYTES } },
    { name: 'adding a rule, p50', ...ms, value: all.addMs },
    { name: 'adding a rule, worst', ...ms, value: all.addWorstMs },
    { name: 'removing a rule, p50', ...ms, value: all.removeMs },
    { name: 'removing a rule, worst', ...ms, value: all.removeWorstMs },
    { name: 'building the index', ...ms, value: all.buildMs },
  ];
}

const EVERY_RULE = 'every rule';

function growth(all: readonly Measured[]): Figure[] {
  const of = (value: (one: Measured) => number): number =>
    slope(all.map((one) => ({ size: one.rules, value: value(one) })));
  return [
    {
      name: 'growth of a page by rules',
      value: of((one) => 1 / one.docsPerCpuSecond),
      unit: 'exponent',
      baseline: of((one) => 1 / one.twinPerCpuSecond),
      against: EVERY_RULE,
    },
    { name: 'growth of memory by rules', value: of((one) => one.bytesPerRule * one.rules), unit: 'exponent' },
    { name: 'growth of adding a rule', value: of((one) => one.addMs), unit: 'exponent' },
  ];
}

function measure(rules: readonly WrittenRule[], pages: readonly FieldValues[], count: number): Measured {
  const { index, bytesPerRule, buildMs } = weighed(rules);
  const passes = Array.from({ length: count + 1 }, () => pass(index, pages)).slice(1);
  const middle = passes.toSorted((left, right) => left.cpu - right.cpu)[passes.length >> 1];
  if (!middle) throw new Error('no pass');
  return {
    rules: rules.length,
    docsPerCpuSecond: pages.length / middle.cpu,
    twinPerCpuSecond: twin(rules, pages),
    p50Ms: quantile(middle.times, 0.5),
    p99Ms: quantile(middle.times, 0.99),
    matchesPerPage: middle.matches / pages.length,
    bytesPerRule,
    ...changes(index, rules),
    buildMs,
  };
}

/** Several small ones, all held at once: one of a megabyte drowns in what else the heap does. */
function weighed(rules: readonly WrittenRule[]): { index: RuleIndex; bytesPerRule: number; buildMs: number } {
  const before = memory();
  const copies = Math.max(1, Math.min(MOST_COPIES, Math.floor(RULES_OF_COPIES / rules.length)));
  const built = Array.from({ length: copies }, () => build(rules));
  const bytes = memory() - before;
  const [first] = built;
  if (!first) throw new Error('no index');
  return {
    index: first.index,
    bytesPerRule: bytes / copies / first.registered,
    buildMs: median(built.map(({ buildMs }) => buildMs)),
  };
}

/** The queries are let go of as soon as they are registered, as the daemon does. */
function build(rules: readonly WrittenRule[]): { index: RuleIndex; registered: number; buildMs: number } {
  const index = new RuleIndex();
  let buildMs = 0;
  for (const rule of rules) buildMs += register(index, rule);
  return { index, registered: index.size, buildMs };
}

/** Milliseconds; a query that our language refuses is left out. */
function register(index: RuleIndex, { id, query: text }: WrittenRule): number {
  const { query } = validate(text);
  if (!query) return 0;
  const begin = performance.now();
  index.register({ id, tapId: 'tap', query, quality: false, nsfw: true });
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
): Pick<Measured, 'addMs' | 'removeMs' | 'addWorstMs' | 'removeWorstMs'> {
  const added: number[] = [];
  const removed: number[] = [];
  for (let change = 0; change < CHANGES; change++) {
    const rule = rules[Math.floor((change * rules.length) / CHANGES)];
    if (!rule) continue;
    const begin = performance.now();
    index.unregister(rule.id);
    removed.push(performance.now() - begin);
    added.push(register(index, rule));
  }
  return {
    addMs: quantile(added, 0.5),
    removeMs: quantile(removed, 0.5),
    addWorstMs: quantile(added, 1),
    removeWorstMs: quantile(removed, 1),
  };
}

/** Pages a CPU second of every rule on every page; a page's words are read once, as the index reads them once. */
function twin(rules: readonly WrittenRule[], pages: readonly FieldValues[]): number {
  const evaluators = rules.flatMap(({ query: text }) => {
    const { query } = validate(text);
    return query ? [new Evaluator(query)] : [];
  });
  const some = pages.slice(0, Math.max(1, Math.floor(TWIN_EVALUATIONS / rules.length)));
  const before = ownCpuMs();
  for (const values of some) {
    const page = new PageTerms(values);
    for (const evaluator of evaluators) evaluator.matches(page);
  }
  return (some.length * 1_000) / (ownCpuMs() - before);
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
