import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { view, wrap } from '../../../src/cli/screens/tail-view.ts';
import { printable } from '../../../src/shared/text/printable.ts';
import { initialModel, type TailModel } from '../../../src/cli/screens/tail-model.ts';
import { reduce, type TailAction, type TailKey } from '../../../src/cli/screens/tail-store.ts';
import { arrived, connected, connectedWith, matches, model, textOf } from './sample.ts';

const key = (name: TailKey): TailAction => ({ type: 'key', key: name });
const screen = (of: TailModel, columns = 80, rows = 24) =>
  textOf(view(of, columns, rows)).map((line) => line.trimEnd());
const waiting = (reason: string): TailAction & { readonly type: 'stream' } => ({
  type: 'stream',
  tap: 'news',
  event: { type: 'waiting', delayMs: 3_000, reason },
  rules: [],
  known: 1,
  now: 0,
});

describe('the head line', () => {
  const cases: readonly [string, TailModel, string][] = [
    ['connecting', model(), 'connecting'],
    ['live', model(connected), 'live'],
    ['how long it waits', model(waiting('the connection broke off')), 'reconnecting in 3 s'],
    ['what came during a pause', model(connected, key('pause'), ...matches(38)), 'paused view (+38 new)'],
    ['that nothing can match', model(connectedWith(0)), 'no rules'],
  ];
  it.each(cases)('says %s', (_, of, expected) => {
    const [head = ''] = screen(of);
    expect(head).toMatch(/^ hydrant tail · news · local /);
    expect(head.endsWith(expected)).toBe(true);
  });

  it('leaves why it waits to the line below', () => {
    const lines = screen(model(connected, waiting('the connection broke off')), 40);
    expect(lines[0]).toMatch(/^ hydrant tail · \S+.* reconnecting in 3 s$/);
    expect(lines[1]).toBe(' the connection broke off');
  });
});

it('with one of several taps away, still has the figures, and says which and why', () => {
  const two = initialModel({ taps: ['news', 'jobs'], label: 'local', rules: 1, open: false, now: 0, canAct: true });
  const lines = screen([connected, { ...waiting('no rules'), tap: 'jobs' }, ...matches(2)].reduce(reduce, two), 100);
  expect(lines[0]).toMatch(/1 of 2 live$/);
  expect(lines[1]).toMatch(/^ rules 1 · matches 2 · .* · jobs: no rules$/);
});

describe('the line of keys', () => {
  const keysOf = (of: TailModel, columns = 80): string => screen(of, columns).at(-1) ?? '';
  const acting: TailModel = { ...model(connected), canAct: true };

  it('shows whole ones only, the way to the others among them', () => {
    expect(keysOf(acting, 120)).toMatch(/u undo {2}G newest$/);
    expect(keysOf(acting)).toMatch(/\? help .* s save$/);
    expect(keysOf(acting, 50)).toMatch(/q quit {2}\? help$/);
  });

  it('has the filter that is kept before all else, however long it is', () => {
    const filtered = { ...acting, filter: 'x'.repeat(80) };
    expect(keysOf(filtered, 60)).toMatch(/^ \/x{22}… \(esc clear\) {2}↑↓ move/);
  });
});

describe('the help', () => {
  const helped = (change: Partial<TailModel>): string =>
    screen({ ...model(connected), ...change, help: true }).join('\n');

  it('has the keys that do something on this screen, and no others', () => {
    const few = helped({});
    expect(few).toContain(' space            pause or resume the view');
    expect(few).not.toMatch(/^ tab|^ x /m);
    const all = helped({ taps: ['news', 'jobs'], canAct: true });
    expect(all).toMatch(/^ tab .*\n o .*\n s .*\n x .*\n u .*\n q /m);
  });

  it('is closed by its key, and by esc before anything else is', () => {
    const open = model(connected, arrived(), key('details'), key('help'));
    expect([open.help, open.open]).toEqual([true, true]);
    expect(reduce(open, key('back'))).toMatchObject({ help: false, open: true });
    expect(reduce(open, key('help')).help).toBe(false);
  });
});

describe('a row', () => {
  const titled = arrived({ title: 'Kernel prepatch 6.19-rc4' });

  it('has the time, the rules, the domain and the title', () => {
    expect(screen(model(connected, titled))[3]).toBe(
      ' 14:02:11  linux       lwn.net               Kernel prepatch 6.19-rc4',
    );
  });

  it('leaves the domain out where the terminal is narrow', () => {
    expect(screen(model(connected, titled), 59)[3]).toBe(' 14:02:11  linux       Kernel prepatch 6.19-rc4');
  });

  it('also has what is new where the terminal is wide', () => {
    const changed = arrived({ title: 'News', chunks: [{ typ: 'ins', text: 'A seal was found.' }] });
    expect(screen(model(connected, changed), 120)[3]).toContain(
      'News                              + A seal was found.',
    );
  });

  it('has it on a line of its own on 80 columns, without a key', () => {
    const [first, second] = [
      arrived({ title: 'News', chunks: [{ typ: 'ins', text: 'A kernel was found.' }] }),
      arrived({ offset: 1, title: 'Prices', chunks: [{ typ: 'del', text: 'The kernel is sold out.' }] }),
    ];
    expect(screen(model(connected, first, second)).slice(3, 7)).toEqual([
      ' 14:02:11  linux       lwn.net               News',
      '           + A kernel was found.',
      ' 14:02:11  linux       lwn.net               Prices',
      '           - The kernel is sold out.',
    ]);
  });

  it('has one line where the terminal is low, so that more of them are seen', () => {
    const lines = screen(model(connected, arrived({ chunks: [{ typ: 'ins', text: 'News.' }] })), 80, 14);
    expect(lines.join('\n')).not.toContain('+ News.');
  });

  it('cannot act on the terminal', () => {
    const evil = arrived({
      title: '\u001b]0;owned\u0007 \u009b31m \u202egpj.exe',
      url: 'https://evil.example/\u001b[2J',
      chunks: [{ typ: 'ins', text: 'a\u001b[1Ab' }],
    });
    const text = screen(model(connected, evil, key('details')), 120).join('');
    expect(printable(text)).toBe(text);
    expect(text).toContain('gpj.exe');
  });
});

describe('the details', () => {
  const changed = arrived({
    title: 'Acme opens a lab',
    chunks: [
      { typ: 'ins', text: 'Acme will open a lab in Porto.' },
      { typ: 'del', text: 'Acme has offices in Osaka.' },
    ],
  });

  it('stand below the list, with the id, the rules, and what came and went', () => {
    const lines = screen(model(connected, changed, key('details')));
    expect(lines.find((line) => line.includes('0-0 ──'))).toBeDefined();
    expect(lines).toContain(' Acme opens a lab');
    expect(lines).toContain(' rule  linux  kernel');
    expect(lines).toContain(' + Acme will open a lab in Porto.');
    expect(lines).toContain(' - Acme has offices in Osaka.');
  });

  it('are a page of their own where the terminal is low', () => {
    const lines = screen(model(connected, changed, key('details')), 80, 15);
    expect(lines).toContain(' Acme opens a lab');
    expect(lines.some((line) => /^.14:02:11 /.test(line))).toBe(false);
  });

  it('begin with what changed where little of them can be seen', () => {
    const lines = screen(model(connected, changed, key('details')), 40, 10);
    expect(lines).toContain(' + Acme will open a lab in Porto.');
    expect(lines).toContain(' - Acme has offices in Osaka.');
  });
});

describe('the frame', () => {
  it('never reaches the last row or beyond the last column, with any text in any terminal', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 120 });
    const property = fc.property(
      fc.record({ title: text, url: text, chunk: text, reason: text }),
      fc.integer({ min: 20, max: 200 }),
      fc.integer({ min: 5, max: 60 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 40 }),
      ({ title, url, chunk, reason }, columns, rows, open, count) => {
        const changed = arrived({ title, url, chunks: [{ typ: 'ins', text: chunk }] });
        const of = model(connected, ...matches(count), changed, ...(open ? [key('details')] : []), waiting(reason));
        const lines = textOf(view(of, columns, rows));
        expect(lines.length).toBeLessThan(rows);
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
      },
    );
    fc.assert(property, { numRuns: 60 });
  });

  it('shows the marked row wherever it is in a long list', () => {
    const of = model(connected, ...matches(500), key('first'));
    expect(screen(of).some((line) => line.startsWith('▸') && line.endsWith('Page 0'))).toBe(true);
  });
});

describe('wrapping', () => {
  it.each([
    ['breaks at spaces', 'one two three', 8, ['one two', 'three']],
    ['breaks a word that is too long', 'abcdefgh ij', 3, ['abc', 'def', 'gh', 'ij']],
    ['counts two columns for a wide character', '日本語 です', 4, ['日本', '語', 'です']],
    ['makes nothing of nothing', '  ', 4, []],
  ])('%s', (_, text, width, expected) => {
    expect(wrap(text, width)).toEqual(expected);
  });
});

describe('the words that matched', () => {
  const hits = (of: TailModel) =>
    view(of, 120, 24)
      .flat()
      .filter(({ style }) => style === 'hit')
      .map(({ text }) => text);

  it('stand out in titles and in what came and went, and no others', () => {
    const changed = arrived({
      title: 'Kernel, and kernels',
      chunks: [
        { typ: 'ins', text: 'The KERNEL is out.' },
        { typ: 'del', text: 'No kernel yet.' },
      ],
    });
    expect(hits(model(connected, changed))).toEqual(['Kernel', 'KERNEL']);
    const opened = hits(model(connected, changed, key('details')));
    expect(opened).toEqual(['Kernel', 'KERNEL', 'Kernel', 'KERNEL', 'kernel']);
  });
});

it('a question takes the place of the rows, and none of it is cut', () => {
  const long = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ');
  const lines = screen(model(connected, ...matches(3), { type: 'ask', lines: ['Leave it out?', long] }), 60);
  expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain(`Leave it out? ${long}`);
  expect(lines.at(-1)).toBe(' y yes n no'.replace('yes n', 'yes  n'));
});
