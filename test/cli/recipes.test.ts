import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from './harness.ts';

const page = readFileSync(new URL('../../docs/recipes.md', import.meta.url), 'utf8');

interface Recipe {
  readonly title: string;
  readonly query: string;
  readonly yes: string;
  readonly no: string;
  /** The flags that its rule needs. */
  readonly flags: readonly string[];
}

const recipes: Recipe[] = page
  .split(/^### /m)
  .slice(1)
  .map((block) => ({
    title: block.split('\n')[0] ?? '',
    query: /^`(.*)`$/m.exec(block)?.[1] ?? '',
    yes: /^- yes `(\{.*\})`/m.exec(block)?.[1] ?? '',
    no: /^- no `(\{.*\})`/m.exec(block)?.[1] ?? '',
    flags: /^- with `(--[a-z-]+)`/m.exec(block)?.slice(1) ?? [],
  }));

test('there are forty recipes, each with its two changes', () => {
  expect(recipes.length).toBe(40);
  expect(new Set(recipes.map(({ title }) => title)).size).toBe(40);
  expect(recipes.filter(({ query, yes, no }) => query === '' || yes === '' || no === '')).toEqual([]);
});

test('each matches the change that it says it does, and not the other', async () => {
  const cases = recipes.flatMap(({ title, query, yes, no }) => [
    { id: `${title}: yes`, query, doc: JSON.parse(yes) as object, match: true },
    { id: `${title}: no`, query, doc: JSON.parse(no) as object, match: false },
  ]);
  const input = cases.map((one) => JSON.stringify(one)).join('\n');
  const words = ['match', '--cases', '-', '--check', '--now', '2026-02-13T08:00:00Z'];
  expect(await run(words, { input })).toEqual({ code: 0, stdout: '', stderr: '0 of 80 cases differ\n' });
});

test('none of them has a warning with the flags that it names, and those that name some have one without', async () => {
  const warned = async (flags: readonly string[], of: readonly Recipe[]): Promise<string[]> => {
    const input = of.map(({ query }) => query).join('\n');
    const { stdout } = await run(['validate', '--json', ...flags], { input });
    const answers = stdout.trim().split('\n');
    const lines = answers.map((line) => JSON.parse(line) as { diagnostics: unknown[] });
    return of.filter((_, index) => lines[index]?.diagnostics.length !== 0).map(({ title }) => title);
  };
  const plain = recipes.filter(({ flags }) => flags.length === 0);
  const flagged = recipes.filter(({ flags }) => flags.length > 0);
  expect(await warned([], plain)).toEqual([]);
  expect(await warned([], flagged)).toEqual(flagged.map(({ title }) => title));
  expect(await warned(['--no-quality'], flagged)).toEqual([]);
});
