import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isUrl } from '../../../../src/cli/commands/watch/watch-entry.ts';
import { fileOf } from '../../../../src/cli/commands/apply/apply-run.ts';
import { readWatchFile, writtenWatch } from '../../../../src/cli/commands/watch/watch-file.ts';
import { readWatchList } from '../../../../src/cli/commands/watch/watch-lists.ts';
import { WATCH_FREQUENCIES } from '../../../../src/shared/limits.ts';
import { PRICES } from '../../changes/watch-sample.ts';

const read = (text: string): ReturnType<typeof readWatchList> => readWatchList(text, 'list');
const urls = (text: string): string[] => read(text).entries.map(({ url }) => url);
const notes = (text: string): readonly string[] => read(text).entries.flatMap((entry) => entry.notes);

describe('a list of lines', () => {
  test('is URLs, without comments and empty lines, each with its line', () => {
    const { kind, entries, problems } = read('# mine\r\nhttps://a.example/\r\n\r\n  https://b.example/x,y \r\n');
    expect(kind).toBeUndefined();
    expect(entries.map(({ url, place }) => [url, place])).toEqual([
      ['https://a.example/', 'list line 2'],
      ['https://b.example/x,y', 'list line 4'],
    ]);
    expect(problems).toEqual([]);
  });

  test('says which line is no URL', () => {
    const { entries, problems } = read('https://a.example/\nftp://b.example/\nhello\n');
    expect(entries).toHaveLength(1);
    expect(problems).toEqual([
      'list line 2: "ftp://b.example/" is not an http or https URL',
      'list line 3: "hello" is not an http or https URL',
    ]);
  });

  test('may have tags after the URL, which are not a part of it', () => {
    expect(urls('https://a.example/ news,linux\nhttps://b.example/\n')).toEqual([
      'https://a.example/',
      'https://b.example/',
    ]);
    expect(notes('https://a.example/ news,linux')).toEqual(['tags are not kept']);
  });

  test('with commas in its URLs is no table', () => {
    expect(urls('https://a.example/1,2\nhttps://a.example/3,4\n')).toEqual([
      'https://a.example/1,2',
      'https://a.example/3,4',
    ]);
  });
});

describe('a table', () => {
  test.each([
    ['a heading', 'title,url\n"A, first",https://a.example/\nB,https://b.example/\n'],
    ['semicolons', 'Name;URL\nA;https://a.example/\nB;https://b.example/\n'],
    ['tabs, without a heading', 'A\thttps://a.example/\nB\thttps://b.example/\n'],
    ['the URL behind, without a heading', 'A,https://a.example/\nB,https://b.example/'],
    ['titles in quotes, without a heading', 'https://a.example/,"A, first"\nhttps://b.example/,"B"\n'],
    ['one column', 'url\nhttps://a.example/\nhttps://b.example/\n'],
  ])('with %s is read', (_, text) => {
    const list = read(text);
    expect(list.kind).toBe('a table');
    expect(list.entries.map(({ url }) => url)).toEqual(['https://a.example/', 'https://b.example/']);
  });

  test('tells columns that say nothing to hydrant', () => {
    const { entries, problems } = read('url,title,owner\nhttps://a.example/,A,me\n');
    expect(problems).toEqual(['list: columns that are not used: owner']);
    expect(entries).toMatchObject([{ title: 'A' }]);
  });

  test.each([
    ['Name,URL,Folder\n"A, first",https://a.example/,"news, eu"\n', 'A, first', ['news', 'eu']],
    ['url;label;tags\nhttps://a.example/;"A\nsecond line";"x\ny,y"\n', 'A second line', ['x', 'y']],
    ['url,tags\nhttps://a.example/,"\u202e,x"\n', undefined, ['x']],
  ])('has titles and tags: %j', (text, title, tags) => {
    expect(read(text).entries).toMatchObject([{ tags, notes: [], ...(title !== undefined && { title }) }]);
    expect(read(text).entries[0]?.title).toBe(title);
  });

  test('says what of titles and tags there is no room for', () => {
    const tags = Array.from({ length: 25 }, (_, n) => `t${n}`).join();
    const [entry] = read(`url,title,tags\nhttps://a.example/,${'x'.repeat(300)},"${tags}"\n`).entries;
    expect([entry?.title?.length, entry?.tags?.length]).toEqual([255, 20]);
    expect(entry?.notes).toEqual(['its title is cut at 255 characters', 'of its 25 tags, 20 are kept']);
  });

  test('may have the cadence, the options and the status of each', () => {
    const text =
      'url,every,select,ignore,only,trigger,confirm,status\nhttps://a.example/,daily,main,".ad\n/x/",added,"a, b",yes,paused\n';
    expect(read(text).entries[0]).toMatchObject({
      minutes: 1_440,
      options: { select: ['main'], ignore: ['.ad', '/x/'], only: 'added', trigger: 'a, b', confirm: true },
      paused: true,
    });
  });

  test('has cadences as people write them', () => {
    const cadences = ['2 hours', '30 minutes', '1 day', '1 Week', '6h'];
    const { entries } = read(`url,every\n${cadences.map((every, n) => `https://a.example/${n},${every}`).join('\n')}`);
    expect(entries.map(({ minutes }) => minutes)).toEqual([180, 30, 1_440, 10_080, 360]);
  });

  test('with a cadence that there is not takes the nearest, and says so', () => {
    expect(read('url,every\nhttps://a.example/,4h\nhttps://b.example/,soon\n').entries).toMatchObject([
      { minutes: 180, notes: ['every 4h is rounded to every 3h'] },
      { notes: ['"soon" is not a known interval'] },
    ]);
  });

  test('counts lines through cells of several lines', () => {
    const { entries } = read('title,url\n"A\nfirst",https://a.example/\nB,https://b.example/\n');
    expect(entries.map(({ place }) => place)).toEqual(['list line 2', 'list line 4']);
  });
});

describe('XML', () => {
  test.each([
    [
      'OPML',
      '<opml version="2.0"><body><outline xmlUrl="https://a.example/feed"/></body></opml>',
      'https://a.example/feed',
    ],
    ['a sitemap', '<urlset><url><loc>https://a.example/</loc></url></urlset>', 'https://a.example/'],
    ['a feed', '<rss><channel><item><link>https://a.example/1</link></item></channel></rss>', 'https://a.example/1'],
  ])('that is %s is read as that', (kind, text, url) => {
    expect(read(text)).toMatchObject({ kind, entries: [{ url }] });
  });
});

describe('an export of changedetection.io', () => {
  const watch = {
    url: 'https://a.example/',
    time_between_check: { weeks: null, days: null, hours: 6, minutes: 0, seconds: 0 },
  };
  const exported = (fields: object): string =>
    JSON.stringify({ watching: { '0f1e2d3c-4b5a': { ...watch, ...fields } } });

  test.each([
    ['a backup', JSON.stringify({ note: 'x', watching: { '0f1e2d3c-4b5a': watch }, settings: {} })],
    ['the answer of its API', JSON.stringify({ '0f1e2d3c-4b5a': watch })],
    ['one watch', JSON.stringify({ uuid: '0f1e2d3c-4b5a', ...watch })],
    ['a list of watches', JSON.stringify([watch])],
  ])('is read as %s', (_, text) => {
    expect(read(text)).toMatchObject({
      kind: 'an export of changedetection.io',
      entries: [{ url: 'https://a.example/', minutes: 360, notes: [] }],
      problems: [],
    });
  });

  test('has its selectors, what it ignores, and what counts', () => {
    const text = exported({
      include_filters: ['main', 'xpath://div', '//p', 'json:$.x'],
      subtractive_selectors: ['.ad'],
      ignore_text: ['Views (today)', '/\\d+ users/i', '/^Page/'],
      filter_text_removed: false,
      paused: true,
    });
    expect(read(text).entries[0]).toMatchObject({
      options: {
        select: ['main'],
        ignore: ['.ad', String.raw`/Views \(today\)/i`, String.raw`/\d+ users/i`, '/^Page/'],
        only: 'added',
      },
      paused: true,
      notes: ['"xpath://div" is no CSS selector', '"//p" is no CSS selector', '"json:$.x" is no CSS selector'],
    });
  });

  test('has an expression that RE2 does not know left out, and says so', () => {
    const { entries } = read(exported({ ignore_text: ['/(?=x)y/', 'kept'] }));
    expect(entries[0]?.options).toEqual({ ignore: ['/kept/i'] });
    expect(entries[0]?.notes[0]).toMatch(/^"\/\(\?=x\)y\/" is left out: /);
  });

  test('has the cadence of its settings where it has none of its own', () => {
    const settings = { requests: { time_between_check: { hours: 3 } } };
    const text = JSON.stringify({
      watching: { '0f1e2d3c': { ...watch, time_between_check_use_default: true } },
      settings,
    });
    expect(read(text).entries[0]?.minutes).toBe(180);
  });

  test('tells what there is no place for', () => {
    const text = exported({
      title: 'Prices',
      tags: ['7e8d'],
      trigger_text: ['in stock'],
      headers: { Cookie: 'x' },
      method: 'POST',
      fetch_backend: 'html_webdriver',
      notification_urls: ['mailto://x'],
      time_schedule_limit: { enabled: true },
      browser_steps: [],
      proxy: null,
    });
    expect(notes(text)).toEqual([
      'its title is not kept',
      'tags are not kept',
      'trigger_text reads the page, and --trigger the change: write a query',
      'its own request headers are not sent',
      'notifications are not sent: see `hydrant watch follow` and `feed`',
      'it is fetched with GET, not POST',
      'it is checked at all hours',
      'it is not rendered in a browser',
    ]);
  });

  test('tells that the page of an error is no version, and that all watches keep as many checks', () => {
    expect(notes(exported({ ignore_status_codes: true, history_snapshot_max_length: 10 }))).toEqual([
      'an error with a page in it is a failed check, and no version',
      'as many checks are kept of it as of all others (--watch-history of the daemon)',
    ]);
    expect(notes(exported({ ignore_status_codes: null, history_snapshot_max_length: null }))).toEqual([]);
  });

  test('that is damaged, or something else, is told', () => {
    expect(read('{"watching": ').problems[0]).toMatch(/^list: it is no JSON: /);
    expect(read('{"a": 1}').problems).toEqual(['list: it is JSON, and no list of watches that is known']);
    expect(read('[{"url": "ftp://a.example/"}, 7]').problems).toHaveLength(2);
  });
});

describe('urls.yaml of urlwatch', () => {
  test('has a job a document', () => {
    const list = read('name: A\nurl: https://a.example/\n---\nurl: https://b.example/\n---\n');
    expect(list.kind).toBe('a list of jobs of urlwatch');
    expect(list.entries).toMatchObject([
      { url: 'https://a.example/', place: 'list, job 1', notes: ['its name is not kept'] },
      { url: 'https://b.example/', place: 'list, job 2', notes: [] },
    ]);
  });

  test('has its filters carried over as far as there are such', () => {
    const text = `url: https://a.example/
filter:
  - css: {selector: main, exclude: .ad, skip: 1}
  - element-by-id: top
  - grepi: '^Updated'
  - xpath: //p
  - html2text
  - strip
  - grep: price
additions_only: true
enabled: false
`;
    expect(read(text).entries[0]).toMatchObject({
      options: { select: ['main', '[id="top"]'], ignore: ['.ad', '/^Updated/'], only: 'added' },
      paused: true,
      notes: [
        '"skip" of the filter css is not known',
        'the XPath "//p" is not supported: write it as a CSS selector, with --select',
        'the filter grep is not known',
      ],
    });
  });

  test('may have filters in one line, as older files do', () => {
    expect(read('url: https://a.example/\nfilter: css:main,html2text\n').entries[0]?.options).toEqual({
      select: ['main'],
    });
  });

  test('has commands left out, and tells other settings', () => {
    const list = read(
      'command: date\n---\nnavigate: https://a.example/\ntimeout: 9\nheaders: {A: b}\nmax_tries: null\n',
    );
    expect(list.problems).toEqual(['list, job 1: commands are not run; only URLs are watched']);
    expect(list.entries[0]?.notes).toEqual([
      'it is not rendered in a browser',
      '"timeout" is not known',
      '"headers" is not known',
    ]);
  });

  test('with a mistake in one job has the others', () => {
    const list = read('url: [https://a.example/\n---\nurl: https://b.example/\n');
    expect(list.entries.map(({ url }) => url)).toEqual(['https://b.example/']);
    expect(list.problems[0]).toMatch(/^list, job 1: /);
  });
});

describe('a file of watches', () => {
  test('is read as it was written, whatever the watches', () => {
    const words = fc.array(
      fc.string({ minLength: 1 }).filter((one) => one.trim() !== ''),
      { maxLength: 3 },
    );
    const options = fc.record({
      select: words,
      ignore: words,
      only: fc.constantFrom('added' as const, 'removed' as const, null),
      trigger: fc.option(fc.string({ minLength: 1 })),
      confirm: fc.boolean(),
    });
    const watch = fc.record({
      url: fc.webUrl({ withQueryParameters: true }).filter((url) => isUrl(url)),
      frequency_minutes: fc.constantFrom(...WATCH_FREQUENCIES),
      status: fc.constantFrom('active' as const, 'paused' as const),
      options,
    });
    const watches = fc.uniqueArray(watch, { selector: ({ url }) => URL.parse(url)?.href.split('#')[0], maxLength: 5 });
    fc.assert(
      fc.property(watches, (some) => {
        const written = fileOf({ watches: some.map((one) => writtenWatch({ ...PRICES, ...one })) });
        expect(
          readWatchFile(written, 'w').entries.map((entry) => ({
            url: entry.url,
            frequency_minutes: entry.minutes,
            status: entry.paused === true ? 'paused' : 'active',
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
    const { entries, problems } = read('taps:\n  - name: news\nwatches:\n  - url: https://a.example/\n');
    expect(entries.map(({ url }) => url)).toEqual(['https://a.example/']);
    expect(problems).toEqual(['list: left out: taps; `hydrant apply` reads all']);
  });
});
