import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { validate } from '../../../../src/shared/query/validate.ts';
import { type Ran, run, type RunOptions } from '../../harness.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-match-'));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, content: unknown): string {
  const target = path.join(directory, name);
  writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content));
  return target;
}

const page = file('page.json', {
  title: 'New ferry line',
  added: ['It sails from May.', 'A tram and a ferry.'],
  removed: null,
  language: 'en',
  page_category: ['/News', '/Adult'],
  publish_time: '2026-02-13T08:00:00',
  dr: 14,
});
const NOW = ['--now', '2026-02-13T10:00:00Z'];

async function match(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(['match', ...words], options);
}

describe('hydrant match', () => {
  test('says yes, and which clauses matched where', async () => {
    const { code, stdout, stderr } = await match(['+title:ferry tram -language:de', page]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`match
  yes +title:ferry
        title 4-9: New [ferry] line
  yes added:tram
        added[1] 2-6: A [tram] and a ferry.
  no  -language:de  language is "en"
`);
  });

  test('shows hits near each other on one line, and counts those it leaves out', async () => {
    const far = ' x'.repeat(30);
    const many = file('many.json', { title: `A ferry line: ferry ferry ferry ferry${far} ferry${far} ferry ferry` });
    const { stdout } = await match(['title:"ferry line" OR title:ferry', many]);
    expect(stdout).toBe(`match
  yes title:"ferry line"
        title 2-7, 8-12: A [ferry] [line]: ferry ferry ferry ferry x x …
  yes title:ferry
        title 2-7, 14-19, 20-25, 26-31: A [ferry] line: [ferry] [ferry] [ferry] ferry${far.slice(0, 24)}…
        title 32-37: …ferry line: ferry ferry ferry [ferry]${far.slice(0, 30)}…
        title 98-103: …${far.slice(-29)} [ferry]${far.slice(0, 30)}…
        … and 2 more
`);
  });

  test('says of a clause that matches and must not that it is to blame', async () => {
    const { code, stdout } = await match(['ferry -tram', page], { columns: 80 });
    expect(code).toBe(1);
    expect(stdout).toContain('\u001b[31myes\u001b[39m -added:tram  \u001b[2mthis clause must not match\u001b[22m\n');
    const without = await match(['ferry -zebra', page], { columns: 80 });
    expect([without.code, without.stdout]).toEqual([
      0,
      expect.stringContaining('\u001b[32mno \u001b[39m -added:zebra'),
    ]);
  });

  test('says no, and why', async () => {
    const { code, stdout } = await match(['title:tunnel AND recent:1h', page, ...NOW]);
    expect(code).toBe(1);
    expect(stdout).toBe(`no match: a required clause does not match
  no  +title:tunnel  no "tunnel" in title
  no  +recent:1h  published 2 hours ago
`);
  });

  test.each([
    ['recent:1h', 1],
    ['recent:3h', 0],
    ['dr:14', 0],
    ['dr:[15 TO *]', 1],
    ['removed:x', 1],
  ])('%s at a given time: %i', async (query, code) => {
    expect((await match([query, page, ...NOW])).code).toBe(code);
  });

  test('asks what a rule asks besides its query only when told to', async () => {
    const words = ['ferry', page];
    expect((await match(words)).code).toBe(0);
    expect((await match([...words, '--quality', ...NOW])).code).toBe(0);
    const late = await match([...words, '--quality', '--now', '2026-03-01']);
    expect([late.code, late.stdout]).toEqual([1, expect.stringContaining('  no  quality: published 15 days ago')]);
    const adult = await match([...words, '--no-nsfw']);
    expect([adult.code, adult.stdout]).toEqual([1, expect.stringContaining('  no  nsfw: ')]);
  });

  test('--json tells all of it in one object', async () => {
    const { stdout } = await match(['title:ferry OR and', page, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      match: true,
      explanation: {
        clause: 'title:ferry',
        span: { start: 6, end: 11 },
        matches: true,
        places: [{ field: 'title', value: 0, start: 4, end: 9 }],
        refusals: [],
      },
    });
  });

  test('shows what is wrong with an invalid query, and a command that works', async () => {
    const { code, stdout, stderr } = await match(['titel:ferry', page]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: .*titel.*\n {2}titel:ferry\n {2}\^{5}\n/);
    expect(stderr).toContain(`try:  hydrant match title:ferry ${page}\n`);
    const json = await match(['titel:ferry', page, '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ ok: false, diagnostics: validate('titel:ferry').diagnostics });
    expect([json.code, json.stderr]).toEqual([1, '']);
  });

  test('reads the document or the query from stdin, and not both', async () => {
    expect((await match(['title:a', '-'], { input: '{"title":"A"}' })).code).toBe(0);
    expect((await match(['-', page], { input: 'title:ferry\n' })).code).toBe(0);
    const both = await match(['-', '-'], { input: 'x' });
    expect([both.code, both.stderr]).toEqual([2, 'error: stdin gives the query and cannot give the document too\n']);
  });

  test('is quiet when it is to be', async () => {
    expect(await match(['-q', 'tunnel', page])).toEqual({ code: 1, stdout: '', stderr: '' });
    expect(await match(['-q', 'ferry', page])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test.each([
    [{ titel: 'x' }, 'a field `titel`, which no query can name'],
    [{ title: 7 }, '`title` is neither a text nor a list of texts'],
    [{ added: ['x', 7] }, '`added` is neither'],
    [{ dr: '7' }, '`dr` is not a number'],
    [['x'], 'bad.json: the document is not an object of fields'],
    ['{"title":', 'bad.json:1:10: not JSON: a value is expected\n  {"title":\n           ^\n'],
    ['{\n  "title": "x",\n}\n', 'bad.json:3:1: not JSON: a name in double quotes is expected\n  }\n  ^\n'],
    ['{"__proto__":"x"}', 'a field `__proto__`'],
  ])('refuses the document %j', async (document, message) => {
    const { code, stdout, stderr } = await match(['x', file('bad.json', document)]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  test.each([
    [[], 'the query is missing'],
    [['x'], 'the document is missing'],
    [['x', '/nowhere/page.json'], 'cannot read /nowhere/page.json: no such file or directory (ENOENT)'],
    [['x', '--cases', page], 'come from its file'],
    [['x', page, '--check'], 'give --cases'],
    [['x', page, '--now', 'noon'], 'It must be a time such as'],
  ])('%j is a usage error', async (words, message) => {
    const { code, stderr } = await match(words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('never sends a control character on, from query or page', async () => {
    const bad = '\u001b]0;owned\u0007 \u202eferry 𝐀'.repeat(9);
    const document = file('bad.json', { title: bad, url: bad, added: [bad, bad] });
    for (const query of ['ferry', 'title:ferry url:*ferry* \u001b', 'added:"\u0007 x" url:"\u202e"', 'titel:\u001b']) {
      for (const flags of [['--no-color'], ['--json']]) {
        const { stdout, stderr } = await match([query, document, ...flags], { columns: 80 });
        expect(stdout + stderr).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--[\n]]/v);
      }
    }
  });
});

describe('hydrant match --cases', () => {
  const cases = [
    { id: 'a', query: 'title:ferry', doc: { title: 'Ferry' }, ok: true, match: true },
    { id: 'b', query: 'titel:ferry', doc: { title: 'Ferry' }, ok: true, match: true },
    { id: 7, query: 'tram', doc: { title: 'Ferry' }, note: 'what else it carries is ignored' },
    { query: 'NOT (', doc: {}, ok: false },
  ];
  const input = `${cases.map((one) => JSON.stringify(one)).join('\n\n')}\n`;
  const rows = (stdout: string): unknown[] =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown);

  test.each([
    ['stdin', '-', input],
    ['a file', file('cases.jsonl', input), ''],
  ])('from %s answers each in its turn', async (_, from, stdin) => {
    const { code, stdout, stderr } = await match(['--cases', from], { input: stdin });
    expect([code, stderr]).toEqual([0, '4 cases\n']);
    expect(rows(stdout)).toEqual([
      { id: 'a', ok: true, match: true, diagnostics: [] },
      { id: 'b', ok: false, diagnostics: validate('titel:ferry').diagnostics },
      { id: 7, ok: true, match: false, diagnostics: [] },
      { id: 7, ok: false, diagnostics: validate('NOT (').diagnostics },
    ]);
  });

  test('--check shows those that differ from what they expect, and ends with 1', async () => {
    const { code, stdout, stderr } = await match(['--cases', '-', '--check'], { input });
    expect([code, stderr]).toEqual([1, '1 of 3 cases differ\n']);
    expect(rows(stdout)).toMatchObject([{ id: 'b', expected: { ok: true, match: true }, ok: false }]);
    const first = `${JSON.stringify(cases[0])}\n`;
    expect(await match(['--cases', '-', '--check'], { input: first })).toEqual({
      code: 0,
      stdout: '',
      stderr: '0 of 1 case differ\n',
    });
  });

  test('--check of cases that expect nothing is a mistake', async () => {
    const { code, stderr } = await match(['--cases', '-', '--check'], { input: JSON.stringify(cases[2]) });
    expect(code).toBe(2);
    expect(stderr).toContain('no case has an `ok` or a `match`');
  });

  test('names the lines that are no cases, and goes on with the others', async () => {
    const bad = ['{"query":', '[]', '{"query":7,"doc":{}}', '{"query":"x"}', '{"query":"x","doc":{"titel":"x"}}'];
    const lines = [...bad, '{"query":"x","doc":{},"ok":"yes"}', '{"id":1,"query":"x","doc":{"added":"x"}}'];
    const { code, stdout, stderr } = await match(['--cases', '-'], { input: lines.join('\n') });
    expect(code).toBe(2);
    expect(rows(stdout)).toEqual([{ id: 1, ok: true, match: true, diagnostics: [] }]);
    const told = stderr.split('\n').filter((line) => line.startsWith('error: '));
    expect(told.map((line) => /^error: stdin:(\d):/.exec(line)?.[1])).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(told[0]).toBe('error: stdin:1:10: not JSON: a value is expected');
    expect(stderr).toContain('1 case, 6 lines skipped\n');
    const json = await match(['--cases', '-', '--json'], { input: lines.join('\n') });
    expect(rows(json.stderr)[4]).toMatchObject({ code: 'usage', line: 5 });
  });

  test('goes on after a phrase that would never end', async () => {
    // Runs of one word that are always a little too short for the phrase.
    const words = `${'a1 '.repeat(999)}b1 `.repeat(100);
    const heavy = { id: 1, query: `"${'a1 '.repeat(5_000)}"`, doc: { title: 'x', added: [words] } };
    const light = { id: 2, query: 'x', doc: { added: 'x' } };
    const { code, stdout, stderr } = await match(['--cases', '-'], {
      input: `${JSON.stringify(heavy)}\n${JSON.stringify(light)}\n`,
    });
    expect(code).toBe(2);
    expect(stderr).toContain('error: stdin:1: a phrase needs more than');
    expect(rows(stdout)).toEqual([{ id: 2, ok: true, match: true, diagnostics: [] }]);
  });
});
