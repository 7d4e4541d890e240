import { describe, expect, test } from 'vitest';
import { zstd } from '../../../src/daemon/compression.ts';
import { packedChange } from '../../../src/daemon/analysis/packing.ts';
import { Trials } from '../../../src/daemon/analysis/trials.ts';
import type { RecentChange, RecentQuestion } from '../../../src/daemon/storage/recent-changes.ts';
import { TRIAL_MS } from '../../../src/shared/limits.ts';
import { NO_FACTS } from '../../../src/shared/page/page.ts';
import { ruleOf } from './page-inputs.ts';

/** So many changes, each of a page of its own; told one at a time, the newest first. */
function changesOf(count: number, now: () => number = () => 0) {
  const all = Array.from({ length: count }, (_, index): RecentChange => {
    const page = { url: `http://a.example/${index}`, segments: [], anchors: [], links: [], facts: NO_FACTS };
    const chunks = [{ typ: 'ins', text: `ferry ${index}` } as const];
    const change = { chunks, addedAnchors: [], removedAnchors: [], titleChanged: false };
    const kept = packedChange(page, 1, { change });
    return { seq: index + 1, at: 1_000 + index, change: kept, page: zstd(JSON.stringify(page)) };
  });
  const asked: RecentQuestion[] = [];
  const recentChanges = async (question: RecentQuestion): Promise<RecentChange[]> => {
    asked.push(question);
    now();
    return all.filter(({ seq }) => seq < (question.before ?? Infinity)).slice(-1);
  };
  return { asked, recentChanges };
}

const order = { rule: ruleOf('tried', 'ferry'), since: 0, whole: { matches: 2, withheld: 2 } };

describe('a trial', () => {
  test('reads portion by portion, back to the oldest', async () => {
    const changes = changesOf(3);
    const trial = await new Trials({ changes, outside: { now: () => 0 } }).try(order);
    expect(trial).toMatchObject({ changes: 3, failed: 0, oldestAt: 1_000, isComplete: true });
    expect(trial.fitting.map(({ url, document }) => [url.at(-1), document !== undefined])).toEqual([
      ['2', true],
      ['1', true],
      ['0', false],
    ]);
    expect(changes.asked.map(({ before }) => before)).toEqual([undefined, 3, 2, 1]);
  });

  test('ends when its time is up, and says how far it came', async () => {
    let now = 0;
    const changes = changesOf(9, () => (now += TRIAL_MS / 2));
    const trial = await new Trials({ changes, outside: { now: () => now } }).try(order);
    expect(trial).toMatchObject({ changes: 2, isComplete: false, oldestAt: 1_007 });
  });

  test('that goes on begins behind the last match that was told, and ends with as many as are wanted', async () => {
    const changes = changesOf(5);
    const trials = new Trials({ changes, outside: { now: () => 0 } });
    const found: string[] = [];
    let before: number | undefined = 6;
    while (before !== undefined) {
      const { fitting, next } = await trials.try({ ...order, before, endsWhenWhole: true });
      found.push(...fitting.flatMap(({ url, document }) => (document === undefined ? [] : [url.slice(-1)])));
      before = next;
    }
    expect(found).toEqual(['4', '3', '2', '1', '0']);
  });

  test('whose time is up goes on where it came to', async () => {
    let now = 0;
    const changes = changesOf(9, () => (now += TRIAL_MS / 2));
    const trial = await new Trials({ changes, outside: { now: () => now } }).try(order);
    expect(trial).toMatchObject({ isComplete: false, next: 8 });
  });

  test('looks for the newest change of a page, and no further than that', async () => {
    const changes = changesOf(4);
    const trials = new Trials({ changes, outside: { now: () => 0 } });
    const rules = [ruleOf('ferry', 'ferry'), ruleOf('tram', 'tram')];
    const look = { rules, since: 0, until: 2_000 };
    const urls = ['http://a.example/2'];
    expect(await trials.look({ ...look, urls })).toMatchObject({
      seen: { url: urls[0], at: 1_002, matched: ['ferry'] },
    });
    expect(changes.asked.map(({ before, until }) => [before, until])).toEqual([
      [undefined, 2_000],
      [4, 2_000],
    ]);
    expect(await trials.look({ ...look, urls: ['http://a.example/9'] })).toEqual({ seen: undefined, isComplete: true });
  });

  test('fails when its thread dies, and the next one has another', async () => {
    const dying = new URL(
      `data:text/javascript,import { parentPort } from 'node:worker_threads';
       parentPort.on('message', () => { throw new RangeError('out of everything'); });`,
    );
    const trials = new Trials({ changes: changesOf(1), outside: { now: () => 0 } }, dying);
    await expect(trials.try(order)).rejects.toThrow('the thread of a trial has died');
    await expect(trials.try(order)).rejects.toThrow('the thread of a trial has died');
  });
});
