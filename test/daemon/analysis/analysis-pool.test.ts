import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { PAGE_ELEMENTS } from '../../../src/shared/limits.ts';
import type { PageInput, WatchInput } from '../../../src/daemon/analysis/findings.ts';
import { AnalysisPool } from '../../../src/daemon/analysis/analysis-pool.ts';
import { LocalAnalysis } from '../../reference/local-analysis.ts';
import { lines, pdfFile } from '../../shared/page/pdf-file.ts';
import { NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';
import { page, pageInput, ruleOf, url } from './page-inputs.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-analysis-'));
const open: AnalysisPool[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((analysisPool) => analysisPool.close()));
});
afterAll(() => rmSync(directory, { recursive: true }));

const told: string[] = [];

function judgesWith(
  threads: number,
  different: { readonly deadlineMs?: number; readonly keepMs?: number; readonly entry?: URL } = {},
): AnalysisPool {
  const { entry, ...limits } = different;
  const onRejected = (ruleId: string): void => void told.push(ruleId);
  const analysisPool = new AnalysisPool({ threads, onRejected, ...limits }, ...(entry ? [entry] : []));
  open.push(analysisPool);
  return analysisPool;
}

/** Answers with its URL, or does what that says; cannot register a rule called `bad`. */
function oddThread(): URL {
  const file = path.join(directory, 'odd.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
     let collections = 0;
     parentPort.on('message', (message) => {
       if (message.kind === 'collect') {
         collections += 1;
         parentPort.postMessage({ kind: 'collected', bytes: 0 });
       }
       if (message.kind === 'register' && message.rule.id === 'bad') {
         parentPort.postMessage({ kind: 'rejected', ruleId: 'bad', fault: 'it is bad' });
       }
       if (!message.kind.startsWith('analyze')) return;
       const { url } = message.given.fetched;
       if (url.endsWith('/throws')) throw new Error('a bug');
       if (url.endsWith('/exits')) process.exit(1);
       if (url.endsWith('/is-ready')) parentPort.postMessage({ kind: 'ready' });
       if (url.endsWith('/hangs')) for (;;);
       if (url.endsWith('/slow')) for (const end = performance.now() + 150; performance.now() < end;);
       const detail = url.endsWith('/collections') ? String(collections) : url;
       const kind = message.kind === 'analyze' ? 'analyzed' : 'analyzed-watch';
       parentPort.postMessage({ kind, finding: { outcome: 'failed', reason: 'fine', detail } });
     });`,
  );
  return pathToFileURL(file);
}

/** The end of a thread is awaited, however busy the machine is. */
const WAITED = { timeout: 30_000 };

const at = (name: string): PageInput => pageInput('', { url: `https://news.example.com/${name}` });

/** A first check of the same page, or of a PDF. */
function watched(content: string | Uint8Array<ArrayBuffer>, different: Partial<WatchInput> = {}): WatchInput {
  const { fetched, at: now } = pageInput(content);
  return { fetched, at: now, options: NO_OPTIONS, last: undefined, doubtedAt: undefined, visits: 1, ...different };
}

describe('an analysis pool', () => {
  test('has the garbage collected after a page that took long, and goes on with the same thread', async () => {
    const analysisPool = judgesWith(1, { entry: oddThread() });
    const details: (string | undefined)[] = [];
    for (const name of ['first', 'collections', 'slow', 'collections', 'slow', 'collections']) {
      const finding = await analysisPool.analyze(at(name));
      if (name === 'collections') details.push(finding.detail);
    }
    expect(details).toEqual(['0', '1', '2']);
  });

  test('say in a thread what they say here', async () => {
    const analysisPool = judgesWith(2);
    const local = new LocalAnalysis();
    for (const analysis of [analysisPool, local]) {
      analysis.register(ruleOf('harbour', 'harbour AND language:"en"'));
      analysis.register(ruleOf('other', 'url:/.*harbour/ OR "opens nine"~2 OR harbuor~1', 'other'));
    }
    const text = page('The harbour opens at nine, and the ferries to the islands leave it at noon and in the evening.');
    const here = await local.analyze(pageInput(text));
    expect(here).toMatchObject({ outcome: 'changed', events: [{ tapId: 'other' }, { tapId: 'tap' }] });
    const there = await Promise.all([analysisPool.analyze(pageInput(text)), analysisPool.analyze(pageInput(text))]);
    for (const finding of there) expect(plain(finding)).toEqual(plain(here));
  });

  test('know a rule as soon as it is registered, and not when it is unregistered, in every thread', async () => {
    const analysisPool = judgesWith(2);
    const eventsOf = async (count: number): Promise<number[]> => {
      const given = Array.from({ length: count }, () =>
        analysisPool.analyze(pageInput(page('The harbour opens at nine.'))),
      );
      const findings = await Promise.all(given);
      return findings.map((finding) => (finding.outcome === 'failed' ? -1 : (finding.events?.length ?? 0)));
    };
    expect(await eventsOf(2)).toEqual([0, 0]);
    analysisPool.register(ruleOf('harbour', 'harbour'));
    expect(await eventsOf(4)).toEqual([1, 1, 1, 1]);
    analysisPool.register(ruleOf('harbour', 'mountain'));
    expect(analysisPool.size).toBe(1);
    expect(await eventsOf(4)).toEqual([0, 0, 0, 0]);
    analysisPool.register(ruleOf('nine', 'nine'));
    analysisPool.unregister('harbour');
    analysisPool.unregister('unknown');
    expect(await eventsOf(4)).toEqual([1, 1, 1, 1]);
    analysisPool.unregister('nine');
    expect(await eventsOf(4)).toEqual([0, 0, 0, 0]);
    expect(analysisPool.size).toBe(0);
  });

  test('say of a watch in a thread what they say here, its PDF included', async () => {
    const analysisPool = judgesWith(1);
    const local = new LocalAnalysis();
    const options = { ...NO_OPTIONS, trigger: 'added:ten', ignore: ['/island/'] };
    const pdf = Uint8Array.from(Buffer.from(pdfFile({ pages: [lines(['The harbour opens at nine.'])] })));
    for (const analysis of [local, analysisPool]) {
      const first = await analysis.analyzeWatch(watched(page('The harbour opens at nine.', 'An island.'), { options }));
      expect(first).toMatchObject({ outcome: 'baseline', findings: { lines: 1, ignored: [{ found: 1 }] } });
      const last = first.outcome === 'failed' ? undefined : first.baseline;
      const next = await analysis.analyzeWatch(watched(page('The harbour opens at ten.'), { options, last }));
      expect(next).toMatchObject({ outcome: 'changed', findings: { triggered: true }, diff: { inserted: 1 } });
      const { fetched, ...given } = watched(pdf.slice());
      const read = { ...given, fetched: { ...fetched, contentType: 'application/pdf' } };
      expect(await analysis.analyzeWatch(read)).toMatchObject({ outcome: 'baseline', findings: { lines: 1 } });
    }
  });

  test('read a PDF, and keep it as it came', async () => {
    const analysisPool = judgesWith(1);
    const bytes = Uint8Array.from(Buffer.from(pdfFile({ pages: [lines(['The harbour opens at nine.'])] })));
    const { fetched, ...given } = pageInput(bytes);
    analysisPool.register(ruleOf('harbour', 'harbour'));
    const finding = await analysisPool.analyze({ ...given, fetched: { ...fetched, contentType: 'application/pdf' } });
    expect(finding).toMatchObject({ outcome: 'changed', events: [{ tapId: 'tap' }] });
  });

  test('take the bytes with them, but never those of others', async () => {
    const analysisPool = judgesWith(1);
    const own = pageInput(page('The harbour opens at nine.'));
    await analysisPool.analyze(own);
    expect(own.fetched.bytes).toHaveLength(0);
    const shared = new TextEncoder().encode(`other ${page('The harbour opens at nine.')}`);
    const { fetched, ...given } = pageInput('');
    await analysisPool.analyze({ ...given, fetched: { ...fetched, bytes: shared.subarray(6) } });
    expect(new TextDecoder().decode(shared.subarray(0, 5))).toBe('other');
  });
});

describe('the memory of analysis threads', { timeout: 120_000 }, () => {
  const html = (count: number): string => `<title>Large</title>${'<p>ab '.repeat(count)}`;

  test('is bounded: a page that takes more fails, in one sentence, and the next one is read', async () => {
    const analysisPool = judgesWith(2);
    const large = '<p a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8 i=9 j=0>ab '.repeat(PAGE_ELEMENTS - 1_000);
    const found = await Promise.all([
      analysisPool.analyze(pageInput(large)),
      analysisPool.analyze(pageInput(page('Here.'))),
    ]);
    expect(found).toMatchObject([
      { outcome: 'failed', reason: 'too_large', detail: expect.stringContaining('more than 144 MiB') as string },
      { outcome: 'changed' },
    ]);
    expect(await analysisPool.analyze(pageInput(page('There.')))).toMatchObject({ outcome: 'changed' });
  });

  test('is for all of them together: two pages that would fit alone are not read at a time', async () => {
    const analysisPool = judgesWith(2);
    let most = 0;
    const looks = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 20);
    const before = process.memoryUsage.rss();
    const found = await Promise.all([1, 2, 3].map(() => analysisPool.analyze(pageInput(html(PAGE_ELEMENTS - 1_000)))));
    clearInterval(looks);
    expect(found).toMatchObject([{ outcome: 'changed' }, { outcome: 'changed' }, { outcome: 'changed' }]);
    expect(most - before).toBeLessThan(400 * 1_024 * 1_024);
  });

  test('comes back after a large page, and the next page is read with all rules', async () => {
    const analysisPool = judgesWith(1);
    analysisPool.register(ruleOf('harbour', 'harbour'));
    await analysisPool.analyze(pageInput(page('The harbour opens at nine.')));
    const before = process.memoryUsage.rss();
    await analysisPool.analyze(pageInput(html(PAGE_ELEMENTS - 1_000)));
    const finding = await analysisPool.analyze(pageInput(page('The harbour opens at ten.')));
    expect(finding).toMatchObject({ outcome: 'changed', events: [{ tapId: 'tap' }] });
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1_024 * 1_024);
  });
});

describe('a analysis thread', () => {
  test.each([
    ['throws', 'the analysis thread failed: a bug'],
    ['exits', 'the analysis thread ended unexpectedly'],
    ['hangs', 'the page was not analyzed within 3 s'],
  ])('that %s fails its page and no other', async (name, fault) => {
    const analysisPool = judgesWith(1, { deadlineMs: name === 'hangs' ? 3_000 : 60_000, entry: oddThread() });
    const given = [at('one'), at(name), at('two')];
    const found = await Promise.all(given.map((one) => analysisPool.analyze(one)));
    expect(found).toMatchObject([
      { reason: 'fine', detail: 'https://news.example.com/one' },
      { outcome: 'failed', reason: 'internal', notes: { fault } },
      { reason: 'fine', detail: 'https://news.example.com/two' },
    ]);
  });

  test('that dies with a page of a watch fails that and no other', async () => {
    const analysisPool = judgesWith(1, { entry: oddThread() });
    const given = (name: string): WatchInput => watched('', { fetched: at(name).fetched });
    const found = await Promise.all([
      analysisPool.analyzeWatch(given('exits')),
      analysisPool.analyzeWatch(given('two')),
    ]);
    expect(found).toMatchObject([
      { outcome: 'failed', reason: 'internal', notes: { fault: 'the analysis thread ended unexpectedly' } },
      { reason: 'fine', detail: 'https://news.example.com/two' },
    ]);
    const waiting = [analysisPool.analyzeWatch(given('hangs')), analysisPool.analyze(at('one'))];
    await Promise.resolve();
    await analysisPool.close();
    expect(await Promise.all(waiting)).toMatchObject([{ reason: 'aborted' }, { reason: 'aborted' }]);
  });

  test('that is killed while it loads its code has not begun to read', async () => {
    const analysisPool = judgesWith(1, { entry: oddThread() });
    const begun: string[] = [];
    await analysisPool.analyze(at('one'), () => begun.push('one'));
    expect(begun).toEqual([]);
    await analysisPool.analyze(at('is-ready'), () => begun.push('is-ready'));
    await analysisPool.analyze(at('two'), () => begun.push('two'));
    expect(begun).toEqual(['is-ready', 'two']);
  });

  test('that takes the place of one that died knows all rules', async () => {
    const analysisPool = judgesWith(1, { entry: oddThread() });
    told.length = 0;
    analysisPool.register(ruleOf('bad', 'harbour'));
    await analysisPool.analyze(at('exits'));
    await analysisPool.analyze(at('exits'));
    await analysisPool.analyze(at('one'));
    expect(told).toEqual(['bad']);
    analysisPool.register(ruleOf('bad', 'mountain'));
    await analysisPool.analyze(at('two'));
    expect(told).toEqual(['bad', 'bad']);
  });

  test('that has no page for a while ends; the next page has a new one, with all rules', async () => {
    const analysisPool = judgesWith(1, { entry: oddThread(), keepMs: 1 });
    told.length = 0;
    await analysisPool.analyze(at('one'));
    expect(analysisPool.running).toBe(1);
    await vi.waitFor(() => expect(analysisPool.running).toBe(0), WAITED);
    analysisPool.register(ruleOf('bad', 'harbour'));
    expect(await analysisPool.analyze(at('two'))).toMatchObject({ detail: 'https://news.example.com/two' });
    expect(told).toEqual(['bad']);
  });

  test('that is to release memory collects its garbage, and answers the page that comes meanwhile', async () => {
    const analysisPool = judgesWith(1);
    analysisPool.release();
    expect(await analysisPool.analyze(pageInput(page('The harbour opens at nine.')))).toMatchObject({
      outcome: 'changed',
    });
    analysisPool.release();
    expect(await analysisPool.analyze(pageInput(page('The harbour opens at ten.')))).toMatchObject({
      outcome: 'changed',
    });
    expect(analysisPool.running).toBe(1);
  });

  test('that is closed answers what it had and what waits as called off', async () => {
    const analysisPool = judgesWith(1, { entry: oddThread() });
    await analysisPool.analyze(at('one'));
    const waiting = [at('hangs'), at('two')].map((given) => analysisPool.analyze(given));
    await Promise.resolve();
    await analysisPool.close();
    expect(await Promise.all(waiting)).toMatchObject([{ reason: 'aborted' }, { reason: 'aborted' }]);
    expect(await analysisPool.analyze(at('three'))).toMatchObject({ reason: 'aborted' });
  });

  test('without a page keeps no process alive', async () => {
    const file = path.join(directory, 'lives.mts');
    const src = new URL('../../../src/daemon/analysis/analysis-pool.ts', import.meta.url);
    const given = JSON.stringify({ ...at('one'), fetched: undefined });
    writeFileSync(
      file,
      `import { AnalysisPool } from ${JSON.stringify(src.href)};
       const analysisPool = new AnalysisPool({ threads: 2, onRejected: () => undefined });
       const bytes = new TextEncoder().encode('<p>Here.');
       const fetched = { url: ${JSON.stringify(url)}, status: 200, contentType: 'text/html', bytes, hash: '00' };
       const { outcome } = await analysisPool.analyze({ ...${given}, fetched });
       console.log(outcome);`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout).toBe('changed\n');
  });
});

/** Buffers of both sides as what they hold, without what depends on the machine. */
function plain(value: object): unknown {
  const { spentMs: _, ...rest } = structuredClone(value) as { readonly spentMs?: number };
  return rest;
}
