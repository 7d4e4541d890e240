import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { NEW_HOST } from '../../../src/daemon/storage/frontier.ts';
import { monthOf } from '../../../src/daemon/storage/ledger.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import type { CommittedCheck } from '../../../src/daemon/storage/watches.ts';
import { linesAt, nthCheck } from '../../fixtures/watch-writer.ts';
import { addWatch, baselineCheckOf, checkOf, linesOf } from '../../fixtures/watches.ts';
import { openIn, temporaryDir } from './data-dirs.ts';

const writer = join(import.meta.dirname, '../../fixtures/watch-writer.ts');

/** Lets the writer work on the directory until it kills itself at the point, and answers what was acknowledged by then. */
async function writeUntil(dataDir: string, fault: string): Promise<CommittedCheck[]> {
  const env = { HYDRANT_FAULT: fault };
  const { signal, stderr, stdout } = await execa(process.execPath, [writer, dataDir], { reject: false, env });
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CommittedCheck);
}

/** That there is what `count` checks have left, and nothing else. */
async function expectChecks({ ledger, watches }: Storage, count: number): Promise<void> {
  const numbers = (await watches.checks('w', { atMost: 100 })).map(({ n }) => n);
  expect(numbers).toEqual(Array.from({ length: Math.min(count, 10) }, (_, index) => count - index));
  expect(await ledger.checks('org', monthOf(0))).toBe(count);
  const all = Array.from({ length: count }, (_, index) => nthCheck(index + 1));
  const changes = all.filter(({ outcome }) => outcome === 'changed').length;
  expect(await watches.newestChange('org')).toBe(changes);
  expect(await watches.watchTotals(0)).toMatchObject({ checks: count, changes });
  expect(await watches.watch('w')).toMatchObject({
    checks: count,
    changeCount: changes,
    due: all.at(-1)?.nextDue ?? 0,
  });
  expect(await watches.watchExplanation('w')).toEqual(
    count === 0 ? undefined : { n: count, explanation: JSON.stringify({ n: count }) },
  );
  for (const n of numbers) expect(linesOf((await watches.watchText('w', n))!.text)).toEqual(linesAt(n));
}

/** Each write shares its transaction with a step of what goes on by itself. */
async function steps({ watches }: Storage, count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) await watches.seeWatch('none', 0);
}

describe('after kill -9 within a check', () => {
  test.each([
    'watch:commit-entry:1',
    'watch:commit-text:2',
    'watch:commit-diff:5',
    'watch:commit-baseline:8',
    'watch:commit-state:12',
    'watch:commit-quota:15',
  ])(
    'at %s nothing of it is there, and it is made again under the same number',
    async (fault) => {
      const dataDir = temporaryDir();
      let count = 0;
      for (const _ of ['first', 'second']) {
        const acknowledged = await writeUntil(dataDir, fault);
        expect(acknowledged.map(({ n }) => n)).toEqual(acknowledged.map((_, index) => count + 1 + index));
        count += acknowledged.length;
        const storage = await openIn(dataDir);
        await expectChecks(storage, count);
        await storage.close();
      }
      expect(count).toBe(2 * (Number(fault.split(':').at(-1)) - 1));
    },
    60_000,
  );
});

describe('after the end of the process', () => {
  test('holding goes on where it was, and so does removing', async () => {
    const dataDir = temporaryDir();
    const first = await openIn(dataDir);
    for (let n = 0; n < 500; n += 1) await addWatch(first.watches, `w${n}`, { url: `http://a.example/${n}` });
    for (let n = 0; n < 50; n += 1) await first.watches.commitCheck(baselineCheckOf(`w${n}`, [String(n)]));
    await Promise.all([first.watches.holdWatches('org', true), first.close()]);
    const second = await openIn(dataDir);
    expect(await second.watches.heldOrganizations()).toEqual(['org']);
    await steps(second, 5);
    expect(await second.watches.watchTotals(0)).toMatchObject({ watches: 500, active: 0, held: 500 });
    await Promise.all([second.watches.removeWatchesOf({ organizationId: 'org' }), second.close()]);
    const third = await openIn(dataDir);
    const { watches, texts } = await third.watches.watchTotals(0);
    expect(watches).toBeLessThan(500);
    expect(texts).toBeGreaterThan(0);
    await steps(third, 100);
    expect(await third.watches.watchTotals(0)).toMatchObject({ watches, texts: 0, textBytes: 0 });
  });

  test('nothing is leased any more, and a rest of a host is still one', async () => {
    const dataDir = temporaryDir();
    const first = await openIn(dataDir);
    await addWatch(first.watches, 'a');
    await addWatch(first.watches, 'b');
    await first.watches.commitCheck(checkOf('b', { at: 5, nextDue: 5, host: { ...NEW_HOST, notBefore: 900 } }));
    const question = { now: 10, atMost: 9, leaseMs: 1e6, except: [] };
    expect((await first.watches.takeWatches(question)).watches).toMatchObject([{ id: 'a' }]);
    await first.close();
    const { watches } = await openIn(dataDir);
    expect(await watches.takeWatches(question)).toMatchObject({ watches: [{ id: 'a' }], nextAt: 900 });
  });
});
