import { expect, test } from 'vitest';
import * as limits from '../../src/shared/limits.ts';

/** Tests that run by these names would pass with any number: here stand those of the specification. */
test('the numbers of the specification are those of the table', () => {
  expect(limits).toMatchObject({
    RULES_REQUESTS_A_MINUTE: 60,
    STREAM_OPENINGS_A_MINUTE: 30,
    RULES_PER_ORGANIZATION: 25,
    TAG_LENGTH: 255,
    TAP_NAME_LENGTH: 255,
    STREAM_TIMEOUT_SECONDS: { least: 1, most: 300, default: 300 },
    STREAM_LIMIT_EVENTS: { least: 1, most: 10_000 },
    STREAM_SINCE_SECONDS: 24 * 60 * 60,
    EVENT_RETENTION_MS: 24 * 60 * 60 * 1_000,
    QUALITY_AGE_SECONDS: 7 * 24 * 60 * 60,
    URL_LENGTH: 2_048,
    WATCH_FREQUENCIES: [5, 10, 30, 60, 180, 360, 720, 1_440, 2_880, 7_200, 10_080],
    WATCH_HISTORY_LIMIT: { least: 1, most: 100, default: 50 },
    // Decided.
    FILTERS_PER_ORGANIZATION: 50,
    ACTIVE_KEYS_PER_ORGANIZATION: 100,
    WATCH_HISTORY: 1_000,
  });
});
