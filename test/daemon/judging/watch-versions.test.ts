import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { disagreements, pairKey } from '../../fixtures/versions-disagreements.ts';
import { said, Watch } from './watch-series.ts';

/** Real pages with real revisions, checked one after another as the daemon would, doubts and all. */
const corpus = join(import.meta.dirname, '../../../../shared/corpus/versions');
const manifest = join(corpus, 'public/manifest.jsonl');
const here = existsSync(manifest);

interface Listed {
  readonly id: string;
  readonly versions: readonly { readonly file: string; readonly text_same_as_prev?: boolean }[];
}

/** What each version comes to; one that is hard to believe is looked at a second time, a minute later. */
async function checked({ id, versions }: Listed): Promise<string[]> {
  const watch = new Watch();
  const wrong: string[] = [];
  for (const [index, { file, text_same_as_prev: isSame }] of versions.entries()) {
    const bytes = Uint8Array.from(gunzipSync(readFileSync(join(corpus, file))));
    const first = said(await watch.check(bytes));
    const found = first === 'failed doubtful' ? said(await watch.check(bytes)) : first;
    const expected = index === 0 ? 'baseline' : expectedOf(pairKey(id, index), isSame === true);
    if (found.split(' ')[0] !== expected) wrong.push(`${file}: ${found}`);
  }
  return wrong;
}

function expectedOf(key: string, isSame: boolean): 'changed' | 'unchanged' {
  return isSame || disagreements.get(key)?.expected === 'none' ? 'unchanged' : 'changed';
}

describe.skipIf(!here)('a watch of real pages (skipped where the corpus is not at hand)', () => {
  test('has a baseline, one change for each version with another text, and none for the others', async () => {
    const lines = readFileSync(manifest, 'utf8').trim().split('\n');
    const pages = lines.map((line) => JSON.parse(line) as Listed);
    expect(pages.length).toBeGreaterThan(40);
    expect((await Promise.all(pages.map(checked))).flat()).toEqual([]);
  });
});
