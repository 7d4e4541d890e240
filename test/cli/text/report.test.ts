import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import stringWidth from 'string-width';
import { exitCode } from '../../../src/cli/runtime/exit-code.ts';
import { Failure, UsageError } from '../../../src/cli/runtime/failure.ts';
import { excerptAround, report, type ReportForm } from '../../../src/cli/text/report.ts';

const plain: ReportForm = { json: false, stack: false, width: 80, paint: (_, text) => text };
const query = 'titel:"annual report" AND language:en';
const refused = new Failure('unknown_field', exitCode.no, 'unknown field `titel`', {
  source: query,
  span: { start: 0, end: 5 },
  field: 'titel',
  hint: 'did you mean `title`?',
  try: `hydrant rule add '${query.replace('titel', 'title')}'`,
});

describe('an error', () => {
  test('is one line, with its fix below', () => {
    expect(report(new UsageError('no such thing', { hint: 'try another' }), plain)).toBe(
      'error: no such thing\n  try another\n',
    );
  });

  test('is not what a question that was declined is', () => {
    expect(report(new Failure('declined', exitCode.no, 'nothing was changed'), plain)).toBe('nothing was changed\n');
  });

  test('about a query shows the place, the hint and a command that works', () => {
    expect(report(refused, plain)).toBe(`error: unknown field \`titel\`
  titel:"annual report" AND language:en
  ^^^^^
  did you mean \`title\`?
  try:  hydrant rule add 'title:"annual report" AND language:en'
`);
  });

  test('is broken between words on a terminal, and nowhere in a pipe', () => {
    const long = new UsageError('a field 東京 that there is none of', { hint: 'fields are title, url, domain' });
    expect(report(long, { ...plain, width: 22, wraps: true })).toBe(
      'error: a field 東京\n       that there is\n       none of\n  fields are title,\n  url, domain\n',
    );
    expect(report(long, { ...plain, width: 22 })).toBe(
      'error: a field 東京 that there is none of\n  fields are title, url, domain\n',
    );
  });

  test('is one JSON object with --json', () => {
    const [line = '', ...rest] = report(refused, { ...plain, json: true }).split('\n');
    expect(rest).toEqual(['']);
    expect(JSON.parse(line)).toEqual({
      code: 'unknown_field',
      message: 'unknown field `titel`',
      field: 'titel',
      span: { start: 0, end: 5 },
      hint: 'did you mean `title`?',
      try: `hydrant rule add 'title:"annual report" AND language:en'`,
      source: query,
    });
  });

  test('about an empty query points at nothing', () => {
    const empty = new Failure('empty_query', exitCode.no, 'The query is empty.', {
      source: '',
      span: { start: 0, end: 0 },
    });
    expect(report(empty, plain)).toBe('error: The query is empty.\n');
  });

  test('tells all findings about a query', () => {
    const diagnostics = [
      { severity: 'error', code: 'a', message: 'first', field: null, span: { start: 0, end: 1 } },
      { severity: 'warning', code: 'b', message: 'second', field: null, span: { start: 4, end: 5 } },
    ] as const;
    const failure = new Failure('a', exitCode.no, 'first', {
      source: 'x or y',
      span: { start: 0, end: 1 },
      diagnostics,
    });
    expect(report(failure, plain)).toBe('error: first\n  x or y\n  ^\nwarning: second\n  x or y\n      ^\n');
  });

  test('puts the carets below wide characters', () => {
    const failure = new Failure('x', exitCode.no, 'm', { source: '日本 x', span: { start: 3, end: 4 } });
    expect(report(failure, plain)).toBe('error: m\n  日本 x\n       ^\n');
  });

  test('keeps the faulty part of a long query in sight', () => {
    const source = `${'a OR '.repeat(100)}titel:x${' OR b'.repeat(100)}`;
    const [, shown = '', carets = ''] = report(
      new Failure('x', exitCode.no, 'm', { source, span: { start: 500, end: 505 } }),
      plain,
    ).split('\n');
    expect(shown.length).toBeLessThanOrEqual(80);
    expect(shown.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('titel');
  });

  test('never lets a control character of the other side through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(40), fc.nat(40), (text, start, end) => {
        const failure = new Failure('x', exitCode.no, text, {
          source: text,
          span: { start, end },
          hint: text,
          try: text,
        });
        expect(report(failure, plain).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  test('of our own shows its stack only when asked to', () => {
    const bug = new TypeError('x is undefined');
    expect(report(bug, plain)).toContain('this is a bug');
    expect(report(bug, plain)).not.toContain('report.test.ts');
    expect(report(bug, { ...plain, stack: true })).toContain('report.test.ts');
  });
});

/** What the carets would stand below. */
function marked(source: string, word: string, room = 76): { text: string; above: string } {
  const start = source.indexOf(word);
  const { text, from, columns } = excerptAround(source, { start, end: start + word.length }, room);
  const cells: string[] = [];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    cells.push(segment);
    while (cells.length < stringWidth(cells.join(''))) cells.push('');
  }
  return { text, above: cells.slice(from, from + columns).join('') };
}

describe('an excerpt', () => {
  test.each(['日本 titel:x', 'cafe\u0301 titel', '👨‍👩‍👧 titel', 'a\tb titel', '\u0000\u001b titel', 'titel'])(
    'of %j marks its word',
    (source) => {
      expect(marked(source, 'titel').above).toBe('titel');
    },
  );

  test('of a long text in wide characters fits, and marks its word', () => {
    const { text, above } = marked(`${'東京の新聞'.repeat(40)} titel ${'大阪'.repeat(40)}`, 'titel');
    expect(above).toBe('titel');
    expect(stringWidth(text)).toBeLessThanOrEqual(76);
    expect(text).toMatch(/^….*新聞 titel 大阪.*…$/);
  });

  test('begins and ends with an ellipsis only where something is missing', () => {
    expect(marked(`titel ${'a '.repeat(99)}`, 'titel').text).toMatch(/^titel .*…$/);
    expect(marked(`${'a '.repeat(99)}titel`, 'titel').text).toMatch(/^….* titel$/);
    expect(marked('a titel b', 'titel').text).toBe('a titel b');
  });

  test('of a span that is longer than the line marks what is seen of it', () => {
    const { text, from, columns } = excerptAround('x'.repeat(200), { start: 100, end: 200 }, 40);
    expect([text.length, from + columns]).toEqual([40, 39]);
  });

  test('never is wider than its room, nor its mark outside of it', () => {
    const part = fc.constantFrom('a', ' ', '東', '👨‍👩‍👧', 'e\u0301', '\u0000', '\t', '\ud83d', '\u200d', '🇩🇪');
    const source = fc.array(part, { maxLength: 300 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(source, fc.nat(), fc.nat(), fc.integer({ min: 20, max: 90 }), (text, one, other, room) => {
        const [start = 0, end = 0] = [one, other].map((at) => at % (text.length + 1)).toSorted((a, b) => a - b);
        const shown = excerptAround(text, { start, end }, room);
        expect(stringWidth(shown.text)).toBeLessThanOrEqual(room);
        expect(shown.from + shown.columns).toBeLessThanOrEqual(room + 1);
      }),
    );
  });
});
