import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Case } from '../../../src/daemon/judging/case.ts';
import { Judges } from '../../../src/daemon/judging/judges.ts';
import { LocalJudge } from '../../../src/daemon/judging/local-judge.ts';
import { lines, pdfFile } from '../../shared/page/pdf-file.ts';
import type { WatchCase } from '../../../src/daemon/judging/watch-case.ts';
import { NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';
import { caseOf, page, ruleOf, url } from './cases.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-judging-'));
const open: Judges[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((judges) => judges.close()));
});
afterAll(() => rmSync(directory, { recursive: true }));

const told: string[] = [];

function judgesWith(threads: number, different: { readonly deadlineMs?: number; readonly entry?: URL } = {}): Judges {
  const { entry, ...limits } = different;
  const onUnarmed = (ruleId: string): void => void told.push(ruleId);
  const judges = new Judges({ threads, onUnarmed, ...limits }, ...(entry ? [entry] : []));
  open.push(judges);
  return judges;
}

/** Answers with its URL, or does what that says; cannot arm a rule called `bad`. */
function oddThread(): URL {
  const file = path.join(directory, 'odd.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', (message) => {
       if (message.kind === 'arm' && message.rule.id === 'bad') {
         parentPort.postMessage({ kind: 'unarmed', ruleId: 'bad', fault: 'it is bad' });
       }
       if (!message.kind.startsWith('judge')) return;
       const { url } = message.given.fetched;
       if (url.endsWith('/throws')) throw new Error('a bug');
       if (url.endsWith('/exits')) process.exit(1);
       if (url.endsWith('/is-ready')) parentPort.postMessage({ kind: 'ready' });
       if (url.endsWith('/hangs')) for (;;);
       const kind = message.kind === 'judge' ? 'judged' : 'judged-watch';
       parentPort.postMessage({ kind, judgement: { outcome: 'failed', reason: 'fine', detail: url } });
     });`,
  );
  return pathToFileURL(file);
}

const at = (name: string): Case => caseOf('', { url: `https://news.example.com/${name}` });

/** A first check of the same page, or of a PDF. */
function watched(content: string | Uint8Array<ArrayBuffer>, different: Partial<WatchCase> = {}): WatchCase {
  const { fetched, at: now } = caseOf(content);
  return { fetched, at: now, options: NO_OPTIONS, last: undefined, doubtedAt: undefined, visits: 1, ...different };
}

describe('judges', () => {
  test('say in a thread what they say here', async () => {
    const judges = judgesWith(2);
    const local = new LocalJudge();
    for (const judge of [judges, local]) {
      judge.arm(ruleOf('harbour', 'harbour AND language:"en"'));
      judge.arm(ruleOf('other', 'url:/.*harbour/ OR "opens nine"~2 OR harbuor~1', 'other'));
    }
    const text = page('The harbour opens at nine, and the ferries to the islands leave it at noon and in the evening.');
    const here = await local.judge(caseOf(text));
    expect(here).toMatchObject({ outcome: 'changed', events: [{ tapId: 'other' }, { tapId: 'tap' }] });
    const there = await Promise.all([judges.judge(caseOf(text)), judges.judge(caseOf(text))]);
    for (const judgement of there) expect(plain(judgement)).toEqual(plain(here));
  });

  test('know a rule as soon as it is armed, and not when it is withdrawn, in every thread', async () => {
    const judges = judgesWith(2);
    const eventsOf = async (count: number): Promise<number[]> => {
      const given = Array.from({ length: count }, () => judges.judge(caseOf(page('The harbour opens at nine.'))));
      const judgements = await Promise.all(given);
      return judgements.map((judgement) => (judgement.outcome === 'failed' ? -1 : (judgement.events?.length ?? 0)));
    };
    expect(await eventsOf(2)).toEqual([0, 0]);
    judges.arm(ruleOf('harbour', 'harbour'));
    expect(await eventsOf(4)).toEqual([1, 1, 1, 1]);
    judges.arm(ruleOf('harbour', 'mountain'));
    expect(judges.size).toBe(1);
    expect(await eventsOf(4)).toEqual([0, 0, 0, 0]);
    judges.arm(ruleOf('nine', 'nine'));
    judges.withdraw('harbour');
    judges.withdraw('unknown');
    expect(await eventsOf(4)).toEqual([1, 1, 1, 1]);
    judges.withdraw('nine');
    expect(await eventsOf(4)).toEqual([0, 0, 0, 0]);
    expect(judges.size).toBe(0);
  });

  test('say of a watch in a thread what they say here, its PDF included', async () => {
    const judges = judgesWith(1);
    const local = new LocalJudge();
    const options = { ...NO_OPTIONS, trigger: 'added:ten', ignore: ['/island/'] };
    const pdf = Uint8Array.from(Buffer.from(pdfFile({ pages: [lines(['The harbour opens at nine.'])] })));
    for (const judge of [local, judges]) {
      const first = await judge.judgeWatch(watched(page('The harbour opens at nine.', 'An island.'), { options }));
      expect(first).toMatchObject({ outcome: 'baseline', findings: { lines: 1, ignored: [{ found: 1 }] } });
      const last = first.outcome === 'failed' ? undefined : first.baseline;
      const next = await judge.judgeWatch(watched(page('The harbour opens at ten.'), { options, last }));
      expect(next).toMatchObject({ outcome: 'changed', findings: { triggered: true }, diff: { inserted: 1 } });
      const { fetched, ...given } = watched(pdf.slice());
      const read = { ...given, fetched: { ...fetched, contentType: 'application/pdf' } };
      expect(await judge.judgeWatch(read)).toMatchObject({ outcome: 'baseline', findings: { lines: 1 } });
    }
  });

  test('read a PDF, and keep it as it came', async () => {
    const judges = judgesWith(1);
    const bytes = Uint8Array.from(Buffer.from(pdfFile({ pages: [lines(['The harbour opens at nine.'])] })));
    const { fetched, ...given } = caseOf(bytes);
    judges.arm(ruleOf('harbour', 'harbour'));
    const judgement = await judges.judge({ ...given, fetched: { ...fetched, contentType: 'application/pdf' } });
    expect(judgement).toMatchObject({ outcome: 'changed', events: [{ tapId: 'tap' }] });
  });

  test('take the bytes with them, but never those of others', async () => {
    const judges = judgesWith(1);
    const own = caseOf(page('The harbour opens at nine.'));
    await judges.judge(own);
    expect(own.fetched.bytes).toHaveLength(0);
    const shared = new TextEncoder().encode(`other ${page('The harbour opens at nine.')}`);
    const { fetched, ...given } = caseOf('');
    await judges.judge({ ...given, fetched: { ...fetched, bytes: shared.subarray(6) } });
    expect(new TextDecoder().decode(shared.subarray(0, 5))).toBe('other');
  });
});

describe('the memory of judging threads', { timeout: 120_000 }, () => {
  const html = (count: number): string => `<title>Large</title>${'<p>ab '.repeat(count)}`;

  test('is bounded: a page that takes more fails, in one sentence, and the next one is read', async () => {
    const judges = judgesWith(2);
    const found = await Promise.all([judges.judge(caseOf(html(480_000))), judges.judge(caseOf(page('Here.')))]);
    expect(found).toMatchObject([
      { outcome: 'failed', reason: 'too_large', detail: expect.stringContaining('more than 192 MiB') as string },
      { outcome: 'changed' },
    ]);
    expect(await judges.judge(caseOf(page('There.')))).toMatchObject({ outcome: 'changed' });
  });

  test('is for all of them together: two pages that would fit alone are not read at a time', async () => {
    const judges = judgesWith(2);
    let most = 0;
    const looks = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 20);
    const before = process.memoryUsage.rss();
    const found = await Promise.all([1, 2, 3].map(() => judges.judge(caseOf(html(200_000)))));
    clearInterval(looks);
    expect(found).toMatchObject([{ outcome: 'changed' }, { outcome: 'changed' }, { outcome: 'changed' }]);
    expect(most - before).toBeLessThan(400 * 1_024 * 1_024);
  });

  test('comes back: a thread whose heap has grown is replaced, and the next one knows all rules', async () => {
    const judges = judgesWith(1);
    judges.arm(ruleOf('harbour', 'harbour'));
    await judges.judge(caseOf(page('The harbour opens at nine.')));
    const before = process.memoryUsage.rss();
    await judges.judge(caseOf(html(200_000)));
    const judgement = await judges.judge(caseOf(page('The harbour opens at ten.')));
    expect(judgement).toMatchObject({ outcome: 'changed', events: [{ tapId: 'tap' }] });
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1_024 * 1_024);
  });
});

describe('a judging thread', () => {
  test.each([
    ['throws', 'the judging thread has died: a bug'],
    ['exits', 'the judging thread ended without a word'],
    ['hangs', 'the page was not judged within 3 s'],
  ])('that %s fails its page and no other', async (name, fault) => {
    const judges = judgesWith(1, { deadlineMs: name === 'hangs' ? 3_000 : 60_000, entry: oddThread() });
    const given = [at('one'), at(name), at('two')];
    const found = await Promise.all(given.map((one) => judges.judge(one)));
    expect(found).toMatchObject([
      { reason: 'fine', detail: 'https://news.example.com/one' },
      { outcome: 'failed', reason: 'internal', notes: { fault } },
      { reason: 'fine', detail: 'https://news.example.com/two' },
    ]);
  });

  test('that dies with a page of a watch fails that and no other', async () => {
    const judges = judgesWith(1, { entry: oddThread() });
    const given = (name: string): WatchCase => watched('', { fetched: at(name).fetched });
    const found = await Promise.all([judges.judgeWatch(given('exits')), judges.judgeWatch(given('two'))]);
    expect(found).toMatchObject([
      { outcome: 'failed', reason: 'internal', notes: { fault: 'the judging thread ended without a word' } },
      { reason: 'fine', detail: 'https://news.example.com/two' },
    ]);
    const waiting = [judges.judgeWatch(given('hangs')), judges.judge(at('one'))];
    await Promise.resolve();
    await judges.close();
    expect(await Promise.all(waiting)).toMatchObject([{ reason: 'aborted' }, { reason: 'aborted' }]);
  });

  test('that is killed while it loads its code has not begun to read', async () => {
    const judges = judgesWith(1, { entry: oddThread() });
    const begun: string[] = [];
    await judges.judge(at('one'), () => begun.push('one'));
    expect(begun).toEqual([]);
    await judges.judge(at('is-ready'), () => begun.push('is-ready'));
    await judges.judge(at('two'), () => begun.push('two'));
    expect(begun).toEqual(['is-ready', 'two']);
  });

  test('that takes the place of one that died knows all rules', async () => {
    const judges = judgesWith(1, { entry: oddThread() });
    told.length = 0;
    judges.arm(ruleOf('bad', 'harbour'));
    await judges.judge(at('exits'));
    await judges.judge(at('exits'));
    await judges.judge(at('one'));
    expect(told).toEqual(['bad']);
    judges.arm(ruleOf('bad', 'mountain'));
    await judges.judge(at('two'));
    expect(told).toEqual(['bad', 'bad']);
  });

  test('that is closed answers what it had and what waits as called off', async () => {
    const judges = judgesWith(1, { entry: oddThread() });
    await judges.judge(at('one'));
    const waiting = [at('hangs'), at('two')].map((given) => judges.judge(given));
    await Promise.resolve();
    await judges.close();
    expect(await Promise.all(waiting)).toMatchObject([{ reason: 'aborted' }, { reason: 'aborted' }]);
    expect(await judges.judge(at('three'))).toMatchObject({ reason: 'aborted' });
  });

  test('without a page keeps no process alive', async () => {
    const file = path.join(directory, 'lives.mts');
    const src = new URL('../../../src/daemon/judging/judges.ts', import.meta.url);
    const given = JSON.stringify({ ...at('one'), fetched: undefined });
    writeFileSync(
      file,
      `import { Judges } from ${JSON.stringify(src.href)};
       const judges = new Judges({ threads: 2, onUnarmed: () => undefined });
       const bytes = new TextEncoder().encode('<p>Here.');
       const fetched = { url: ${JSON.stringify(url)}, status: 200, contentType: 'text/html', bytes, hash: '00' };
       const { outcome } = await judges.judge({ ...${given}, fetched });
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
