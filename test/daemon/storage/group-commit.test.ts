import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/daemon/storage/sqlite/schema/database.ts';
import { GroupCommit } from '../../../src/daemon/storage/sqlite/worker/group-commit.ts';
import type { Step } from '../../../src/daemon/storage/sqlite/worker/operation.ts';
import { temporaryDir } from './data-dirs.ts';

describe('a group commit', () => {
  let database: DatabaseSync;
  let commits: GroupCommit;
  beforeEach(() => {
    database = openDatabase(join(temporaryDir(), 'hydrant.db'), 0);
    database.exec('CREATE TABLE notes (text)');
    commits = new GroupCommit(database, 0);
    onTestFinished(() => database.close());
  });

  const write = (step: () => Step): Promise<unknown> =>
    new Promise((resolve, reject) => {
      commits.add({ step, resolve, reject });
    });
  const note = (text: string): Promise<unknown> =>
    write(() => ({ done: true, answer: database.prepare('INSERT INTO notes VALUES (?)').run(text).changes }));
  const notes = (): unknown[] =>
    database
      .prepare('SELECT text FROM notes')
      .all()
      .map(({ text }) => text);

  test('on a full disk rejects what does not fit, keeps what was answered, and works when there is room again', async () => {
    await note('before');
    database.exec('PRAGMA max_page_count = 40');
    const settled = await Promise.allSettled([note('beside'), note('x'.repeat(1_000_000)), note('behind')]);
    expect(settled[1]).toMatchObject({ reason: { message: 'database or disk is full' } });
    const answered = ['beside', 'behind'].filter((_, index) => settled[index * 2]?.status === 'fulfilled');
    expect(notes()).toEqual(['before', ...answered]);
    expect(database.isTransaction).toBe(false);
    database.exec('PRAGMA max_page_count = 10000');
    expect(await note('y'.repeat(1_000_000))).toBe(1);
  });

  test('when SQLite gives up the whole transaction, nobody of the group is told it is done', async () => {
    const givingUp = write(() => {
      database.exec('ROLLBACK');
      throw new Error('disk I/O error');
    });
    const settled = await Promise.allSettled([note('before'), givingUp, note('behind')]);
    for (const one of settled) expect(one).toMatchObject({ reason: { message: 'disk I/O error' } });
    expect(notes()).toEqual([]);
    expect(await note('next group')).toBe(1);
  });

  test('takes a long write step by step, and others between its steps', async () => {
    const order: string[] = [];
    let steps = 0;
    const long = write(() => {
      steps += 1;
      database.prepare('INSERT INTO notes VALUES (?)').run(`step ${steps}`);
      return { done: steps === 3, answer: steps };
    }).then((answer) => order.push(`long ${String(answer)}`));
    await note('short');
    order.push('short');
    await long;
    expect(order).toEqual(['short', 'long 3']);
    expect(notes()).toEqual(['step 1', 'short', 'step 2', 'step 3']);
  });

  test('a write that nobody has to wait for is answered once, at its first step, and goes on', async () => {
    const answers: unknown[] = [];
    let steps = 0;
    const ended = Promise.withResolvers<void>();
    const step = (): Step => {
      steps += 1;
      if (steps === 3) ended.resolve();
      return { done: steps === 3, answer: steps, isAnswered: true };
    };
    const hear = (answer: unknown): void => void answers.push(answer);
    commits.add({ step, resolve: hear, reject: hear });
    await ended.promise;
    expect(await note('behind')).toBe(1);
    expect(answers).toEqual([1]);
  });

  test('of two hundred long writes two make a step in a group, in turn, and a short one waits for no more', async () => {
    const steps: number[] = [];
    const long = Array.from({ length: 200 }, (_, index) => {
      let left = 3;
      return write(() => {
        steps.push(index);
        left -= 1;
        return { done: left === 0, answer: undefined };
      });
    });
    // The first step of each is as short as any write.
    await note('beside');
    expect(steps).toHaveLength(200);
    const before = steps.length;
    await note('short');
    expect(steps.length - before).toBeLessThanOrEqual(4);
    await Promise.all(long);
    const all = Array.from({ length: 200 }, (_, index) => index);
    expect(steps).toEqual([...all, ...all, ...all]);
  });

  test('closing answers those, too, whose turn had not come', async () => {
    const long = Array.from({ length: 5 }, (_, index) => write(() => ({ done: false, answer: index })));
    await note('beside');
    commits.close();
    expect(await Promise.all(long)).toEqual([0, 1, 2, 3, 4]);
  });

  test('closing commits what waits; a long write is answered with what it has done', async () => {
    const waiting = [note('waits'), write(() => ({ done: false, answer: 'some of it' }))];
    commits.close();
    expect(notes()).toEqual(['waits']);
    expect(await Promise.all(waiting)).toEqual([1, 'some of it']);
  });
});
