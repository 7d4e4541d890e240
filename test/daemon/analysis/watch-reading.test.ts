import { describe, expect, test } from 'vitest';
import { page } from './page-inputs.ts';
import { harbour, hunksOf, series, textOf, Watch, words } from './watch-series.ts';

describe('--select', () => {
  const html = (price: string, rest = ''): string =>
    `<title>Lamp</title><nav>Shop</nav><main><h1>Lamp</h1><p class="price">${price}</p><p>${rest}</p></main>`;

  test('watches what is selected, and nothing else', async () => {
    const watch = new Watch({ select: ['.price'] });
    expect(await series(watch, html('10 EUR', 'a'), html('10 EUR', 'b'))).toEqual(['baseline', 'unchanged same_text']);
    const found = await watch.find(html('12 EUR', 'b'));
    expect(hunksOf(found)).toEqual([{ before: 1, after: 1, blocks: [{ del: ['10 EUR'] }, { ins: ['12 EUR'] }] }]);
    expect(found.findings?.selected).toEqual([{ selector: '.price', found: 1 }]);
    expect(found.title).toBe('Lamp');
  });

  test('17: a selector that is missing fails, and recovers without a false change', async () => {
    const watch = new Watch({ select: ['.price'] });
    const without = '<main><h1>Lamp</h1><p>Back soon, as ever.</p></main>';
    expect(await series(watch, html('10 EUR'), without, without, html('10 EUR'), html('12 EUR'))).toEqual([
      'baseline',
      'failed selector',
      'failed selector',
      'unchanged same_text',
      'changed',
    ]);
  });

  test('17: a change while the selector was missing is told when it is back', async () => {
    expect(await series(new Watch({ select: ['.price'] }), html('10 EUR'), '<p>Hm.</p>', html('9 EUR'))).toEqual([
      'baseline',
      'failed selector',
      'changed',
    ]);
  });

  test('a challenge is told as one, though nothing of it is selected', async () => {
    const asked = '<title>Just a moment...</title><p>Verify you are human.</p>';
    expect(await series(new Watch({ select: ['.price'] }), html('10 EUR'), asked)).toEqual([
      'baseline',
      'failed challenge',
    ]);
  });

  test('a part that says "Please wait" is no challenge when the page is none', async () => {
    const wait = `<title>Queue</title><h1 id=state>Please wait</h1><main><p>${words(400)}</p></main>`;
    expect(await series(new Watch({ select: ['#state'] }), wait)).toEqual(['baseline']);
  });

  test('an element that is empty is watched until something stands in it', async () => {
    const alert = (text: string): string => `<main><p>${harbour}</p><div id=alert>${text}</div></main>`;
    expect(await series(new Watch({ select: ['#alert'] }), alert(''), alert(''), alert('Storm!'))).toEqual([
      'baseline',
      'unchanged same_text',
      'changed',
    ]);
  });

  test('of JSON, or of a page that became JSON, fails', async () => {
    const watch = new Watch({ select: ['.price'] });
    await watch.find(html('10 EUR'));
    watch.contentType = 'application/json';
    expect(await series(watch, '{"price": 10}')).toEqual(['failed selector']);
  });
});

describe('--ignore', () => {
  test('22: text that is ignored is not a change, on either side', async () => {
    const watch = new Watch({ ignore: ['/^Visitor \\d+/', '.ad'] });
    const html = (visitor: number, ad: string, text = harbour): string =>
      `<main><p>${text}</p><p>Visitor ${visitor} is here.</p><div class=ad>${ad}</div></main>`;
    expect(await series(watch, html(1, 'Buy!'), html(2, 'Sell!'))).toEqual(['baseline', 'unchanged same_text']);
    const found = await watch.find(html(3, 'Rent!', 'The harbour is closed.'));
    expect(hunksOf(found)[0]?.blocks).toEqual([{ del: [harbour] }, { ins: ['The harbour is closed.'] }]);
    expect(found.findings).toMatchObject({
      selected: [{ selector: '.ad', found: 1 }],
      ignored: [{ pattern: '/^Visitor \\d+/', found: 1 }],
      lines: 1,
    });
  });

  test('23: what is ignored is taken out before anything is selected', async () => {
    const html = (text: string): string => `<div class=a>${harbour} <span class=x>${text}</span></div>`;
    expect(await series(new Watch({ select: ['.a'], ignore: ['.x'] }), html('1'), html('2'))).toEqual([
      'baseline',
      'unchanged same_text',
    ]);
  });

  test('a page of which every line is ignored is not empty: nothing of it counts', async () => {
    expect(await series(new Watch({ ignore: ['/./'] }), page('One.'), page('Two.'))).toEqual([
      'baseline',
      'unchanged same_text',
    ]);
  });
});

describe('24: what lines are', () => {
  test.each([
    ['white space and tabs', page('One  two.'), page('One\n\t two.')],
    ['the order of lines', page('One.', 'Two.', 'Three.'), page('Three.', 'One.', 'Two.')],
    ['links', page('<a href=/1.0.zip>Download</a>'), page('<a href=/1.1.zip>Download</a>')],
    ['markup', page('One <b>two</b>.'), page('One <i class=x>two</i>.')],
    ['a sentence that became a heading', '<main><p>One</p><p>Two</p></main>', '<main><h2>One</h2><p>Two</p></main>'],
    ['hidden text', page('One.', '<span hidden>1</span>Two.'), page('One.', '<span hidden>2</span>Two.')],
  ])('%s is no change', async (_, one, other) => {
    expect(await series(new Watch(), one, other)).toEqual(['baseline', 'unchanged same_text']);
  });

  test('a link that leads elsewhere is named, though it is no change', async () => {
    const watch = new Watch();
    await watch.find(page('<a href=/1.0.zip>Download</a> the ferry timetable.'));
    const { outcome, findings } = await watch.find(page('<a href=/1.1.zip>Download</a> the ferry timetable.'));
    expect(outcome).toBe('unchanged');
    expect(findings?.differs?.[0]?.where).toBe('links');
    expect(findings?.differs?.[0]?.detail).toMatch(/^1 link leads elsewhere .*"Download" to https:.*\/1\.1\.zip$/);
  });

  test.each([
    ['a line in another case', page('Price'), page('price')],
    ['a copy of a line', page('One.', 'Two.'), page('One.', 'Two.', 'Two.')],
    ['a line that went', page('One.', 'Two.'), page('Two.')],
  ])('%s is one', async (_, one, other) => {
    expect(await series(new Watch(), one, other)).toEqual(['baseline', 'changed']);
  });
});

describe('18: encodings', () => {
  const utf8 = '<!doctype html><main><p>Größe: 10 m, naïve café.</p></main>';
  const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

  test('the same text in UTF-8 without a header, in windows-1252, in UTF-16 with its mark, is no change', async () => {
    const watch = new Watch();
    watch.contentType = 'text/html';
    const utf16 = Uint8Array.from(Buffer.from(`\uFEFF${utf8}`, 'utf16le'));
    const declared = latin1(`<meta charset="iso-8859-1">${utf8}`);
    const outcomes = await series(watch, utf8, latin1(utf8), utf16, declared, `\uFEFF${utf8}`);
    watch.contentType = '';
    expect([...outcomes, ...(await series(watch, utf8))]).toEqual([
      'baseline',
      ...Array(5).fill('unchanged same_text'),
    ]);
  });

  test('Shift_JIS, as the page declares it, and as UTF-8, is the same text', async () => {
    const watch = new Watch();
    watch.contentType = 'text/html';
    const sjis = Uint8Array.of(0x8d, 0x60, 0x82, 0xcc, 0x93, 0x56, 0x8b, 0x43);
    const wrapped = (text: Uint8Array): Uint8Array =>
      Buffer.concat([Buffer.from('<meta charset=shift_jis><main><p>'), text, Buffer.from('</p></main>')]);
    expect(await series(watch, wrapped(sjis), '<meta charset=utf-8><main><p>港の天気</p></main>')).toEqual([
      'baseline',
      'unchanged same_text',
    ]);
  });

  test('half a surrogate pair can be kept and compared', async () => {
    const watch = new Watch();
    watch.contentType = 'application/json';
    expect(await series(watch, '{"a": "\\ud83d"}', '{"a" : "\\ud83d"}', '{"a": "b"}')).toEqual([
      'baseline',
      'unchanged same_text',
      'changed',
    ]);
  });
});

describe('19: JSON', () => {
  test('with a byte order mark, or with its keys in another order, has not changed', async () => {
    const watch = new Watch();
    watch.contentType = 'application/json';
    expect(
      await series(watch, '{"a": 1, "b": [2]}', '\uFEFF{"a": 1, "b": [2]}', '{"b":[2],"a":1}', '{"a": 1, "b": [3]}'),
    ).toEqual(['baseline', 'unchanged same_text', 'unchanged same_text', 'changed']);
  });

  test('that is broken is a failure', async () => {
    const watch = new Watch();
    watch.contentType = 'application/json';
    expect(await series(watch, '{"a": 1}', '{"a": ')).toEqual(['baseline', 'failed malformed']);
  });
});

test('20: plain text that looks like XML or HTML is text, tags and all', async () => {
  const watch = new Watch();
  watch.contentType = 'text/plain';
  const found = await watch.find('<item>One</item>\n<script>two</script>');
  expect(textOf(found)).toBe('<item>One</item>\n<script>two</script>');
  const next = await watch.find('<item>One</item>\n<script>three</script>');
  expect(hunksOf(next)[0]?.blocks.slice(1)).toEqual([
    { del: ['<script>two</script>'] },
    { ins: ['<script>three</script>'] },
  ]);
});
