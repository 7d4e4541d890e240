import { describe, expect, test } from 'vitest';
import { readWatchList } from '../../../../src/cli/commands/watch/watch-lists.ts';

const read = (text: string): ReturnType<typeof readWatchList> => readWatchList(text, 'list');
const urls = (text: string): string[] => read(text).entries.map(({ url }) => url);
const refused = (text: string): readonly string[] => read(text).refused.map(({ reason }) => reason);
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
  });

  test.each([
    ['https://a.example/ news, big linux', ['news', 'big linux'], undefined],
    ['https://a.example/ news "big linux" "~The A" !', ['news', 'big linux'], 'The A'],
    ['https://a.example/', undefined, undefined],
  ])('has what stands behind a URL as tags and a title: %s', (line, tags, title) => {
    const [entry] = read(line).entries;
    expect([entry?.tags, entry?.title, entry?.notes]).toEqual([tags, title, []]);
  });

  test('has no commands run, and takes no login from an address', () => {
    expect(read('exec:~/feed.sh\n"filter:x.pl:https://a.example/" a\nhttps://me:secret@a.example/\n')).toMatchObject({
      entries: [],
      refused: [
        { place: 'list line 1', reason: 'it runs a command, and hydrant reads pages alone' },
        { place: 'list line 2' },
        {
          place: 'list line 3',
          url: 'https://a.example/',
          reason: 'its address has a user name or a password, which addresses are shown with',
        },
      ],
      problems: [],
    });
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
      '<opml version="2.0"><body><outline text="News"><outline text="A" xmlUrl="https://a.example/feed"/></outline></body></opml>',
      'https://a.example/feed',
    ],
    ['a sitemap', '<urlset><url><loc>https://a.example/</loc></url></urlset>', 'https://a.example/'],
    ['a feed', '<rss><channel><item><link>https://a.example/1</link></item></channel></rss>', 'https://a.example/1'],
  ])('that is %s is read as that', (kind, text, url) => {
    expect(read(text)).toMatchObject({ kind, entries: [{ url }] });
  });

  test('has the titles of feeds, and their folders as tags', () => {
    const text =
      '<opml><body><outline text="News"><outline text="A" xmlUrl="https://a.example/"/></outline></body></opml>';
    expect(read(text).entries).toEqual([
      { url: 'https://a.example/', place: 'list', title: 'A', tags: ['News'], notes: [] },
    ]);
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
      include_filters: ['main', 'xpath://div[@id="x"]', '//p|//li'],
      subtractive_selectors: ['.ad', '//nav', '//p[. = "x"]'],
      ignore_text: ['Views (today)', '/\\d+ users/i', '/^Page/'],
      filter_text_removed: false,
      paused: true,
    });
    expect(read(text).entries[0]).toMatchObject({
      options: {
        select: ['main', 'div[id="x"]', 'p', 'li'],
        ignore: ['.ad', 'nav', String.raw`/Views \(today\)/i`, String.raw`/\d+ users/i`, '/^Page/'],
        only: 'added',
      },
      paused: true,
      notes: [
        'what it leaves out is compared, too: the XPath "//p[. = "x"]" is not possible in CSS: it selects by the text of the page',
      ],
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

  test('has its title, and the titles of its groups with what they say of all their pages', () => {
    const group = '7e8d1111-2222-4333-8444-555566667777';
    const backup = {
      watching: { a: { ...watch, title: ' Prices ', tags: [group, 'gone'] }, b: { ...watch, tag: 'x, y z' } },
      settings: {
        application: {
          tags: { [group]: { title: 'Shops', include_filters: ['#main'], ignore_text: ['views'] } },
          global_subtractive_selectors: ['.cookie'],
          global_ignore_text: ['/^Now/'],
          fetch_backend: 'html_webdriver',
        },
      },
    };
    expect(read(JSON.stringify(backup)).entries).toMatchObject([
      {
        title: 'Prices',
        tags: ['Shops', 'gone'],
        options: { select: ['#main'], ignore: ['.cookie', '/views/i', '/^Now/'] },
        notes: ['it is not rendered in a browser'],
      },
      { tags: ['x', 'y z'], options: { ignore: ['.cookie', '/^Now/'] } },
    ]);
    const [alone] = read(JSON.stringify({ a: { ...watch, tags: [group] } })).entries;
    expect([alone?.tags, alone?.notes]).toEqual([undefined, ['the names of its tags are not in the list']]);
  });

  test('tells what there is no place for', () => {
    const text = exported({
      trigger_text: ['in stock'],
      headers: { 'Accept-Language': 'de', Host: 'b.example' },
      method: 'GET',
      fetch_backend: 'system',
      processor: 'restock_diff',
      notification_urls: ['mailto://x'],
      time_schedule_limit: { enabled: true },
      browser_steps: [{ operation: 'Choose one', selector: '' }],
      proxy: null,
    });
    expect(notes(text)).toEqual([
      'its header host is not sent',
      'trigger_text reads the page, and --trigger the change: write a query',
      'notifications are not sent: see `hydrant watch follow` and `feed`',
      'it is checked at all hours',
      'prices and stock are watched as text',
    ]);
  });

  test.each(['html_webdriver', 'extra_browser_x'])('of a page that a browser shows (%s) is rendered', (backend) => {
    const { entries } = read(exported({ title: 'Prices', fetch_backend: backend }));
    expect(entries).toMatchObject([{ title: 'Prices', options: { render: {} } }]);
  });

  const TRY = 'hydrant watch try https://a.example/';
  test.each([
    [{ include_filters: ['json:$.a..b..c'] }, /selects in JSON, and cannot be carried over: .*more than once/, TRY],
    [{ include_filters: ['jq:.x | map(.y)'] }, /cannot be carried over: it is a program of jq/, TRY],
    [{ include_filters: ['main', '//p[contains(., "x")]'] }, /not possible in CSS: it selects by the text/, TRY],
    [{ include_filters: ['//a/@href'] }, /it selects the attribute href/, '--select a'],
    [{ include_filters: ['p:contains('] }, /is no CSS selector: /, TRY],
    [{ headers: { Cookie: '{{ token }}' } }, /^its header cookie is a template$/, '--headers-from'],
    [{ method: 'DELETE' }, /^it asks with DELETE/, TRY],
    [{ method: 'GET', body: 'a=b' }, /^it sends a body with GET$/, '--data @FILE'],
    [{ browser_steps: [{ operation: 'Goto site' }, { operation: 'Click element' }] }, /^it goes through steps/, TRY],
    [{ webdriver_js_execute_code: 'x()' }, /^it runs a script in a browser/, TRY],
    [{ processor: 'image_ssim_diff' }, /^it is watched by image_ssim_diff/, TRY],
    [{ extract_text: ['/x/'] }, /extract_text/, TRY],
    [{ url: 'https://a.example/{% now %}' }, /^its address is a template$/, 'the address that it stands for'],
    [{ url: 'source:https://a.example/' }, /^it watches the source of a page$/, TRY],
    [{ url: 'https://me:x@a.example/' }, /user name or a password/, '--user NAME'],
  ])('does not add %j', (fields, reason, next) => {
    const { entries, refused: all, problems } = read(exported({ title: 'Prices', ...fields }));
    expect([entries, problems, all.length]).toEqual([[], [], 1]);
    expect(all[0]).toMatchObject({ place: 'list, 0f1e2d3c', title: 'Prices', reason: expect.stringMatching(reason) });
    expect(all[0]?.next).toContain(next);
  });

  test.each([
    [{ headers: { Cookie: 'a=b', 'X-Api-Key': 'k' } }, { headers: { cookie: 'a=b', 'x-api-key': 'k' } }],
    [
      { method: 'POST', body: 'a=b' },
      { method: 'POST', body: 'a=b' },
    ],
    [{ method: 'GET', headers: {} }, undefined],
  ])('has the request %j', (fields, request) => {
    expect(read(exported(fields)).entries[0]?.request).toEqual(request);
  });

  test.each([
    ['json:$.items[*].price', '$.items[*].price'],
    ['jq:.items[].price', '$.items[*].price'],
    ['jqraw:.[0].name', '$[0].name'],
    ['jq:.', '$'],
    ['$.a', '$.a'],
  ])('has %s as JSONPath', (filter, path) => {
    expect(read(exported({ include_filters: [filter] })).entries[0]?.options).toEqual({ select: [path] });
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
  test('has a job a document, with its name and its tags', () => {
    const list = read('name: A\nurl: https://a.example/\ntags: [x, "y, z"]\n---\nurl: https://b.example/\n---\n');
    expect(list.kind).toBe('a list of jobs of urlwatch');
    expect(list.entries).toEqual([
      { url: 'https://a.example/', place: 'list, job 1', title: 'A', tags: ['x', 'y', 'z'], notes: [] },
      { url: 'https://b.example/', place: 'list, job 2', notes: [] },
    ]);
  });

  test('has its filters carried over as far as there are such', () => {
    const text = `url: https://a.example/
filter:
  - xpath: {path: '//main | //div[@id="top"]', exclude: '//p[@class="ad"]'}
  - grepi: '^Updated'
  - delete_lines_containing: {text: Views (today)}
  - html2text
  - strip
  - sort
additions_only: true
enabled: false
`;
    expect(read(text).entries[0]).toMatchObject({
      options: {
        select: ['main', 'div[id="top"]'],
        ignore: ['p[class="ad"]', '/^Updated/', String.raw`/Views \(today\)/i`],
        only: 'added',
      },
      paused: true,
      notes: [],
    });
  });

  test.each([
    ['css: {selector: main, exclude: .ad}', { select: ['main'], ignore: ['.ad'] }],
    ['css: main', { select: ['main'] }],
    ["xpath: '//div[2]/p'", { select: ['div:nth-of-type(2) > p'] }],
    ['element-by-id: a.b', { select: ['[id="a.b"]'] }],
    ['element-by-class: x', { select: ['[class~="x"]'] }],
    ['element-by-style: "color: red"', { select: ['[style="color: red"]'] }],
    ['element-by-tag: article', { select: ['article'] }],
    ["jq: '.items[].price'", { select: ['$.items[*].price'] }],
    ["jsonpath: '$.items[*]'", { select: ['$.items[*]'] }],
  ])('has the filter %s as options', (filter, options) => {
    const { entries, refused: none } = read(`url: https://a.example/\nfilter:\n  - ${filter}\n`);
    expect([entries[0]?.options, entries[0]?.notes, none]).toEqual([options, [], []]);
  });

  test.each([
    ['grep: price', /^there is no filter grep$/, 'hydrant watch try https://a.example/'],
    ['re.sub: x', /^there is no filter re\.sub$/, 'hydrant watch try'],
    ['shellpipe: sort', /^the filter shellpipe runs a command$/, 'hydrant watch follow --exec'],
    ["jq: '.x | length'", /selects in JSON, and cannot be carried over/, 'hydrant watch try'],
    ['css: {selector: main, skip: 1}', /^it takes only some of the elements.*skip/, 'hydrant watch try'],
    ["xpath: '(//p)[1]'", /not possible in CSS: what follows the parentheses/, 'hydrant watch try'],
    ["xpath: '//a/text()'", /it selects texts, and not elements$/, 'hydrant watch add https://a.example/ --select a'],
    ["css: main\n  - xpath: '//p'", /^each of its filters selects in what/, "--select 'main p'"],
  ])('does not add a job with the filter %s', (filter, reason, next) => {
    const { entries, refused: all } = read(`name: A\nurl: https://a.example/\nfilter:\n  - ${filter}\n`);
    expect([entries, all]).toEqual([
      [],
      [
        {
          place: 'list, job 1',
          title: 'A',
          url: 'https://a.example/',
          reason: expect.stringMatching(reason),
          next: expect.stringContaining(next),
        },
      ],
    ]);
  });

  test.each(['navigate: https://a.example/', 'url: https://a.example/\nuse_browser: true'])(
    'has a job of a browser rendered: %j',
    (job) => {
      expect(read(`${job}\n`).entries).toMatchObject([{ url: 'https://a.example/', options: { render: {} } }]);
    },
  );

  test.each([
    ['command: date', /^it runs a command, and hydrant reads pages alone$/],
    ['url: https://a.example/\nmethod: PUT', /^it asks with PUT/],
  ])('does not add %j', (job, reason) => {
    expect(refused(`${job}\n`)).toEqual([expect.stringMatching(reason)]);
    expect(urls(`${job}\n`)).toEqual([]);
  });

  test.each([
    ['data: {a: b c, d: 1}', { body: 'a=b+c&d=1' }],
    ['data: text', { body: 'text' }],
    ['json: {a: [1]}', { body: '{"a":[1]}', headers: { 'content-type': 'application/json' } }],
    ['method: POST', { method: 'POST' }],
    ['cookies: {a: b, c: 1}', { headers: { cookie: 'a=b; c=1' } }],
    ['headers: {Authorization: b}', { headers: { authorization: 'b' } }],
    ['timeout: 900', { timeout_seconds: 75 }],
    ['https_proxy: http://proxy.example:3128', { proxy: 'http://proxy.example:3128' }],
    ['http_proxy: http://proxy.example:3128', undefined],
  ])('has the request of %s', (job, request) => {
    const { entries, refused: none } = read(`url: https://a.example/\n${job}\n`);
    expect([entries[0]?.request, entries[0]?.notes, none]).toEqual([request, [], []]);
  });

  test('may have filters in one line, as older files do', () => {
    expect(read('url: https://a.example/\nfilter: css:main,html2text\n').entries[0]?.options).toEqual({
      select: ['main'],
    });
  });

  test('tells other settings', () => {
    expect(notes('url: https://a.example/\nencoding: utf-8\nheaders: {Host: b}\nmax_tries: null\n')).toEqual([
      'its header host is not sent',
      '"encoding" is not known',
    ]);
  });

  test('with a mistake in one job has the others', () => {
    const list = read('url: [https://a.example/\n---\nurl: https://b.example/\n');
    expect(list.entries.map(({ url }) => url)).toEqual(['https://b.example/']);
    expect(list.problems[0]).toMatch(/^list, job 1: /);
  });
});
