import { expect, test } from 'vitest';
import { plural } from '../../../src/shared/text/plural.ts';

test.each([
  ['tap', 'taps'],
  ['watch', 'watches'],
  ['saved match', 'saved matches'],
  ['match case', 'match cases'],
  ['entry', 'entries'],
  ['key', 'keys'],
])('two of a %s are %s', (noun, nouns) => {
  expect(plural(noun)).toBe(nouns);
});
