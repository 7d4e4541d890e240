import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDigest, parseQuiet, parseRate } from '../../../src/daemon/notify/schedule.ts';
import { parseTemplate } from '../../../src/daemon/notify/template.ts';
import {
  atMostFault,
  digestFault,
  quietFault,
  templateFault,
  zoneFault,
} from '../../../src/shared/api/notify-settings.ts';
import { MESSAGE_FIELDS } from '../../../src/shared/api/notify-values.ts';

/** Texts that are nearly right: pieces of right ones in any order. */
const nearly = (...pieces: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((some) => some.join(''));

describe('what is refused of a sink is what the daemon cannot read', () => {
  const rows = [
    ['digest', nearly('0', '5', '7', '08', '23', '59', '60', ':', 'm', 'h', 'd', 's', '-'), digestFault, parseDigest],
    ['quiet', nearly('22:00', '07:00', '24:00', '7:00', '-', '00:00', ' '), quietFault, parseQuiet],
    ['at_most', nearly('0', '1', '20', '200', '201', '/', 'm', 'h', 'd', 's'), atMostFault, parseRate],
  ] as const;

  test.each(rows)('%s', (_, texts, fault, parse) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect([text, fault(text) === undefined]).toEqual([text, parse(text) !== undefined]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('template', () => {
    const pieces = nearly('{', '}', '{{', '}}', '{titel}', 'a', '\n', ...MESSAGE_FIELDS.map((field) => `{${field}}`));
    fc.assert(
      fc.property(pieces, (text) => {
        expect([text, templateFault(text) === undefined]).toEqual([text, parseTemplate(text).ok]);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('a zone is one of those that there are, and no offset', () => {
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Etc/GMT+5', 'europe/berlin'];
  expect(zones.filter((zone) => zoneFault(zone) !== undefined)).toEqual([]);
  for (const none of ['Mars/Olympus', '', 'berlin', '+02:00']) expect([none, zoneFault(none)]).not.toContain(undefined);
});

test.each([
  ['5m', '7d', '1h', '08:00', '00:00'],
  ['4m', '8d', '24:00', '8:00', '1w', '1'],
])('a digest: %s and the like', (...texts) => {
  const isRight = texts[0] === '5m';
  expect(texts.filter((text) => (digestFault(text) === undefined) !== isRight)).toEqual([]);
});
