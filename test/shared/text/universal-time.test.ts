import { expect, test } from 'vitest';
import { universalTime, utcMinute } from '../../../src/shared/text/universal-time.ts';

test('a timestamp for a pipe is in UTC, wherever it comes from; what is none stays as it is', () => {
  expect(universalTime('2026-02-27T14:02:00.123+01:00')).toBe('2026-02-27T13:02:00Z');
  expect(universalTime('soon')).toBe('soon');
});

test('a timestamp for a document is cut at its minute', () => {
  expect(utcMinute('2026-03-01T10:00:59.123Z')).toBe('2026-03-01 10:00 UTC');
});
