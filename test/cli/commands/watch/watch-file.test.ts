import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isUrl } from '../../../../src/cli/commands/watch/watch-entry.ts';
import { fileOf } from '../../../../src/cli/commands/apply/apply-run.ts';
import { readWatchFile, writtenWatch } from '../../../../src/cli/commands/watch/watch-file.ts';
import { readWatchList } from '../../../../src/cli/commands/watch/watch-lists.ts';
import { titleFault } from '../../../../src/shared/api/watch-labels.ts';
import { WATCH_FREQUENCIES } from '../../../../src/shared/limits.ts';
import { PRICES } from '../../changes/watch-sample.ts';

describe('a file of watches', () => {
  test('is read as it was written, whatever the watches', () => {
    const words = fc.array(
      fc.string({ minLength: 1 }).filter((one) => one.trim() !== ''),
      { maxLength: 3 },
    );
    const label = fc
      .string({ minLength: 1, unit: 'binary' })
      .filter((text) => titleFault(text) === undefined && text === text.trim());
    const options = fc.record({
      select: words,
      ignore: words,
      only: fc.constantFrom('added' as const, 'removed' as const, null),
      trigger: fc.option(fc.string({ minLength: 1 })),
      confirm: fc.boolean(),
    });
    const watch = fc.record(
      {
        url: fc.webUrl({ withQueryParameters: true }).filter((url) => isUrl(url)),
        frequency_minutes: fc.constantFrom(...WATCH_FREQUENCIES),
        status: fc.constantFrom('active' as const, 'paused' as const),
        title: label,
        tags: fc.uniqueArray(
          label.filter((tag) => !tag.includes(',')),
          { minLength: 1, maxLength: 3 },
        ),
        options,
      },
      { requiredKeys: ['url', 'frequency_minutes', 'status', 'options'] },
    );
    const watches = fc.uniqueArray(watch, { selector: ({ url }) => URL.parse(url)?.href.split('#')[0], maxLength: 5 });
    fc.assert(
      fc.property(watches, (some) => {
        const written = fileOf({ watches: some.map((one) => writtenWatch({ ...PRICES, ...one })) });
        expect(
          readWatchFile(written, 'w').entries.map((entry) => ({
            url: entry.url,
            frequency_minutes: entry.minutes,
            status: entry.paused === true ? 'paused' : 'active',
            title: entry.title,
            tags: entry.tags?.length === 0 ? undefined : entry.tags,
            options: entry.options,
          })),
        ).toEqual(some);
      }),
    );
  });

  test.each([
    ['watches:\n  - url: https://a.example/\n    evry: 6h\n', 'w:3: there is no field `evry`'],
    [
      'watches:\n  - url: https://a.example/\n  - url: https://a.example/#x\n',
      'w:3: https://a.example/#x is already on line 2',
    ],
    ['watches:\n  - url: https://a.example/\n    every: 4h\n', 'w:3: `every: 4h`: The nearest is 3h'],
    ['watches:\n  - url: a.example\n', 'w:2: `url` is not an http or https URL'],
    ['watches:\n  - https://a.example/\n', 'w:2: expected an object of fields'],
    ['watches:\n  - url: https://a.example/\n    only: both\n', 'w:3: `only` is not one of added, removed'],
    ['watches:\n  - url: https://a.example/\n    select: [1]\n', 'w:3: `select` is a list of texts, in quotes'],
    ['watches:\n  - url: https://a.example/\n    status: off\n', 'w:3: `status` is not one of active, paused'],
    ['watches:\n  - url: https://a.example/\n    confirm: "yes"\n', 'w:3: `confirm` is not true or false'],
    ['watches: 3\n', 'w:1: `watches` is not a list'],
    ['watches: [\n', 'w:2:1: '],
  ])('with a mistake is refused with its place: %j', (text, message) => {
    expect(() => readWatchFile(text, 'w')).toThrow(message);
  });

  test('that has other sections says that they are not read', () => {
    const { entries, problems } = readWatchList(
      'taps:\n  - name: news\nwatches:\n  - url: https://a.example/\n',
      'list',
    );
    expect(entries.map(({ url }) => url)).toEqual(['https://a.example/']);
    expect(problems).toEqual(['list: left out: taps; `hydrant apply` reads all']);
  });
});
