import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Check, CommittedCheck } from '../../../../src/daemon/storage/watches.ts';
import { GroupCommit } from '../../../../src/daemon/storage/postgres/connection/group-commit.ts';
import { StorageUnavailable } from '../../../../src/daemon/storage/unavailable.ts';
import { checkOf } from '../../../fixtures/watches.ts';

describe('checks that come at once', () => {
  let committed: string[][];
  let refused: (ids: readonly string[]) => Error | undefined;
  let groups: GroupCommit<Check, CommittedCheck>;
  beforeEach(() => {
    [committed, refused] = [[], () => undefined];
    const commit = async (checks: readonly Check[]): Promise<CommittedCheck[]> => {
      const ids = checks.map(({ watchId }) => watchId);
      const refusal = refused(ids);
      if (refusal) throw refusal;
      committed.push(ids);
      return checks.map(({ at }) => ({ n: at, checksThisMonth: 1 }));
    };
    groups = new GroupCommit({ commit, keyOf: ({ watchId }) => watchId, gatherMs: 0 });
  });
  afterEach(() => groups.close());

  const add = (...ids: string[]) => Promise.allSettled(ids.map((id, at) => groups.add(checkOf(id, { at }))));
  const told = (answers: readonly PromiseSettledResult<CommittedCheck>[]) =>
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.n : String(answer.reason)));

  test('share a commit, and each has its own answer', async () => {
    expect(told(await add('a', 'b', 'c'))).toEqual([0, 1, 2]);
    expect(committed).toEqual([['a', 'b', 'c']]);
  });

  test('are at most 64 a commit, and one of a watch', async () => {
    const ids = Array.from({ length: 70 }, (_, n) => `w${n}`);
    await add('w0', ...ids);
    // 64 have come, two of them of one watch.
    expect(committed.map(({ length }) => length)).toEqual([63, 8]);
    expect(committed.map((group) => group.includes('w0'))).toEqual([true, true]);
    expect(committed.map((group) => new Set(group).size)).toEqual([63, 8]);
  });

  test('fail alone, where one cannot be stored', async () => {
    refused = (ids) => (ids.includes('c') ? new Error('too long') : undefined);
    expect(told(await add('a', 'b', 'c', 'd', 'e'))).toEqual([0, 1, 'Error: too long', 3, 4]);
    expect(committed.flat().toSorted()).toEqual(['a', 'b', 'd', 'e']);
  });

  test('fail together while the storage is away', async () => {
    let asked = 0;
    refused = () => {
      asked += 1;
      return new StorageUnavailable('The database is away.');
    };
    expect(new Set(told(await add('a', 'b', 'c'))).size).toBe(1);
    expect(asked).toBe(1);
  });

  test('that wait are committed before the storage is closed', async () => {
    const waiting = add('a', 'b');
    await groups.close();
    expect(committed).toEqual([['a', 'b']]);
    await waiting;
  });
});
