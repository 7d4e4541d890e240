import { hash } from 'node:crypto';
import { groupsOf, type Digest } from '../../../src/shared/digest/digest.ts';
import { Fold, type Story } from '../../../src/shared/digest/stories.ts';
import type { Sha1 } from '../../../src/shared/documents/name-based-id.ts';
import type { PastMatch } from '../../../src/shared/documents/past-match.ts';

export const sha1: Sha1 = (data) => hash('sha1', data);

export const TAP_ID = '11111111-0000-4000-8000-000000000001';

export type Different = Partial<PastMatch> & { readonly text?: string };

export function matchOf({ text = '', ...different }: Different = {}): PastMatch {
  return {
    id: '0-1',
    tapId: TAP_ID,
    tap: 'news',
    at: '2026-03-01T10:00:00.000Z',
    url: 'https://example.org/a',
    title: 'News',
    tags: ['boats'],
    categories: [],
    chunks: text === '' ? [] : [{ typ: 'ins', text }],
    ...different,
  };
}

export function storiesOf(...matches: readonly Different[]): Story[] {
  const fold = new Fold(sha1);
  for (const match of matches) fold.add(matchOf(match));
  return fold.stories();
}

/** Of one match, whose title it has, too. */
export function digestOf(match: Different): Digest {
  return {
    title: match.title ?? 'x',
    since: '2026-03-01T00:00:00Z',
    until: '2026-03-02T00:00:00Z',
    kept_from: null,
    older_matches: 0,
    watch_changes: 0,
    matches: 1,
    stories: 1,
    groups: groupsOf(storiesOf(match), 'tag'),
  };
}
