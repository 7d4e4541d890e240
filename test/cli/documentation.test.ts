import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from './harness.ts';

const page = readFileSync(new URL('../../docs/query-language.md', import.meta.url), 'utf8');
const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-documentation-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Commands of the page's screens, each with what it prints. */
const screens = [...page.matchAll(/^```console\n(.*?)^```$/gms)]
  .flatMap(([, block = '']) => block.split(/^\$ hydrant /m).slice(1))
  .map((screen) => {
    const [line = '', ...printed] = screen.split('\n');
    return [line, printed.join('\n')] as const;
  });

function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

test('the page has screens', () => expect(screens.length).toBeGreaterThan(3));

test.each(screens)('hydrant %s prints what the page says', async (line, printed) => {
  const document = path.join(directory, 'page.json');
  writeFileSync(document, /^`(\{"title".*\})`\.$/m.exec(page)?.[1] ?? '');
  const words = wordsOf(line).map((word) => (word === 'page.json' ? document : word));
  expect((await run(words)).stdout).toBe(printed);
});
