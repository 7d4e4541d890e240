import { expect, test } from 'vitest';
import { line, written } from '../../../src/cli/screens/styled-line.ts';

test('a styled span ends its style, so that the next one has its own only', () => {
  const spans = line(40, ['a fox ', undefined], ['fox', 'hit'], [' sleeps', 'dim']);
  expect(written(spans, true)).toBe(
    'a fox \u001b[1m\u001b[4m\u001b[33mfox\u001b[22m\u001b[24m\u001b[39m\u001b[2m sleeps\u001b[22m',
  );
});

test('without colour a line is its text', () => {
  expect(written(line(6, ['a fox ', 'bold'], ['sleeps', 'red']), false)).toBe('a fox ');
});
