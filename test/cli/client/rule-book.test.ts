import { expect, it, vi } from 'vitest';
import type { Rule } from '../../../src/shared/api/rule.ts';
import { labelOf, RuleBook, tagsOf } from '../../../src/cli/client/rule-book.ts';

const linux: Rule = { id: 'r1', value: 'kernel', tag: 'linux', nsfw: false, quality: true };
const bare: Rule = { id: 'r2', value: 'title:release', nsfw: false, quality: true };

it('a match’s rules are found by their ids; one that has gone is left out', async () => {
  const book = new RuleBook(
    [linux, bare],
    async () => [],
    () => 0,
  );
  expect(await book.find(['r2', 'r9'])).toEqual([bare]);
  expect(book.size).toBe(2);
});

it('a rule made meanwhile is read, at most every ten seconds', async () => {
  let now = 0;
  const read = vi.fn<() => Promise<Rule[]>>().mockResolvedValue([linux, bare]);
  const book = new RuleBook([linux], read, () => now);
  expect(await book.find(['r2'])).toEqual([]);
  now = 10_000;
  expect(await book.find(['r2'])).toEqual([bare]);
  await book.find(['gone']);
  expect(read).toHaveBeenCalledTimes(1);
});

it('rules that cannot be read cost no match', async () => {
  let now = 0;
  const book = new RuleBook(
    [linux],
    async () => Promise.reject(new Error('gone')),
    () => now,
  );
  now = 10_000;
  expect(await book.find(['r1', 'r2'])).toEqual([linux]);
});

it('tags are the rules’ own; a label has the query where there is no tag', () => {
  expect(tagsOf([linux, bare, linux])).toEqual(['linux']);
  expect(labelOf([linux, bare, linux])).toBe('linux,title:release');
});
