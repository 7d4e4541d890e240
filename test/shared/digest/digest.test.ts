import { describe, expect, test } from 'vitest';
import { groupsOf } from '../../../src/shared/digest/digest.ts';
import { storiesOf } from './match-sample.ts';

describe('groups', () => {
  test('are by what was asked, the largest first; what has nothing of it is other', () => {
    const stories = storiesOf(
      { url: 'https://a.example/1', tags: ['x'], categories: ['/News'] },
      { url: 'https://www.b.example/2', tags: ['y'] },
      { url: 'https://b.example/3', tags: ['y', 'x'] },
    );
    const names = (by: 'tag' | 'domain' | 'category' | 'tap'): [string, number][] =>
      groupsOf(stories, by).map((group) => [group.name, group.stories.length]);
    expect(names('tag')).toEqual([
      ['y', 2],
      ['x', 1],
    ]);
    expect(names('domain')).toEqual([
      ['b.example', 2],
      ['a.example', 1],
    ]);
    expect(names('category')).toEqual([
      ['other', 2],
      ['/News', 1],
    ]);
    expect(names('tap')).toEqual([['news', 3]]);
  });
});
