import { expect, test } from 'vitest';
import { openMemory } from '../../reference/storage/memory.ts';
import { newestEntries } from '../../../src/daemon/watch/watch-wire.ts';
import { zstd } from '../../../src/daemon/compression.ts';
import { addWatch, changedCheckOf, checkOf } from '../../fixtures/watches.ts';

const MEGABYTE = 1_024 * 1_024;

async function watchesWith(changes: readonly string[]) {
  const { watches } = openMemory();
  await addWatch(watches, 'w');
  for (const [at, text] of changes.entries()) {
    await watches.commitCheck(text === '' ? checkOf('w', { at }) : changedCheckOf('w', ['old'], [text], { at }));
  }
  return watches;
}

test('entries come newest first, as many as are asked for, however many the storage gives at once', async () => {
  const watches = await watchesWith(Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? `text ${index}` : '')));
  const all = await newestEntries(watches, 'w', 100);
  expect(all).toHaveLength(60);
  expect(all[2]).toMatchObject({ has_changes: true, diff: { hunks: [[{ del: ['old'], ins: ['text 57'] }]] } });
  expect(await newestEntries(watches, 'w', 50)).toEqual(all.slice(0, 50));
  expect(await newestEntries(watches, 'w', 26)).toEqual(all.slice(0, 26));
});

test('links that lead elsewhere are lines with their targets', async () => {
  const { watches } = openMemory();
  await addWatch(watches, 'w');
  const links = [{ text: 'Read more', before: 'https://a.example/1', after: 'https://a.example/2' }];
  const hunks = [
    { before: 1, after: 1, blocks: [{ ins: ['text'] }] },
    { before: 2, after: 2, blocks: [], links },
  ];
  const diff = { packed: zstd(JSON.stringify(hunks)), inserted: 1, deleted: 0 };
  await watches.commitCheck(changedCheckOf('w', ['old'], ['text'], { diff }));
  expect((await newestEntries(watches, 'w', 1))[0]?.diff).toEqual({
    hunks: [
      [{ ins: ['text'] }],
      [{ del: ['Read more -> https://a.example/1'] }, { ins: ['Read more -> https://a.example/2'] }],
    ],
  });
});

test('diffs that are too long for one answer end it early, and the newest is always there', async () => {
  const long = Array.from({ length: 4 }, (_, index) => String(index).repeat(12 * MEGABYTE));
  expect(await newestEntries(await watchesWith(long), 'w', 50)).toHaveLength(2);
  expect(await newestEntries(await watchesWith(['x'.repeat(40 * MEGABYTE)]), 'w', 50)).toHaveLength(1);
});
