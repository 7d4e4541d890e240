import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compare } from '../../../src/shared/page/compare.ts';
import { extract } from '../../../src/shared/page/extract.ts';
import type { Page } from '../../../src/shared/page/page.ts';
import { disagreements, pairKey } from '../../fixtures/versions-disagreements.ts';

/** Real pages with real revisions, each pair judged as the crawl would: against the last version that differed. */
const corpus = join(import.meta.dirname, '../../../../shared/corpus/versions');
const manifest = join(corpus, 'public/manifest.jsonl');
const here = existsSync(manifest);

interface Listed {
  readonly id: string;
  readonly versions: readonly { readonly file: string; readonly text_same_as_prev?: boolean }[];
}

interface Verdict {
  readonly key: string;
  readonly file: string;
  readonly sameText: boolean;
  readonly event: boolean;
  readonly chunks: number;
}

function judged({ id, versions }: Listed): Verdict[] {
  let last: Page | undefined;
  return versions.flatMap(({ file, text_same_as_prev: sameText }, index) => {
    const bytes = gunzipSync(readFileSync(join(corpus, file)));
    const read = extract({ url: `http://127.0.0.2/${id}`, contentType: 'text/html', bytes });
    if (!read.ok) throw new Error(`${file}: ${read.detail}`);
    const { change } = compare(last, read.page);
    if (change) last = read.page;
    if (sameText === undefined) return [];
    const chunks = change?.chunks.length ?? 0;
    return [{ key: pairKey(id, index), file, sameText, event: change !== undefined, chunks }];
  });
}

describe.skipIf(!here)('real page versions (skipped where the corpus is not at hand)', () => {
  const pages = here
    ? readFileSync(manifest, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Listed)
    : [];
  const verdicts = pages.flatMap(judged);

  test('the corpus has pairs of both kinds', () => {
    expect(verdicts.filter(({ sameText }) => sameText).length).toBeGreaterThan(50);
    expect(verdicts.filter(({ sameText }) => !sameText).length).toBeGreaterThan(200);
  });

  test('a pair with the same visible text has no chunk', () => {
    expect(verdicts.filter(({ sameText, chunks }) => sameText && chunks > 0)).toEqual([]);
  });

  test('a pair is an event if and only if its text changed, save for the listed ones', () => {
    const surprising = verdicts.filter(({ sameText, event }) => sameText === event);
    const unlisted = surprising.filter(
      ({ key, event }) => disagreements.get(key)?.expected !== (event ? 'event' : 'none'),
    );
    expect(unlisted.map(({ file, event }) => `${file}: ${event ? 'event' : 'none'}`)).toEqual([]);
  });

  test('every listed disagreement still is one', () => {
    const surprising = new Set(verdicts.filter(({ sameText, event }) => sameText === event).map(({ key }) => key));
    expect([...disagreements.keys()].filter((key) => !surprising.has(key))).toEqual([]);
  });
});
