import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ran, run } from '../../harness.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'hydrant-cases-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = path.join(directory, name);
  writeFileSync(file, text);
  return file;
}

const check = (text: string, ...words: string[]): Promise<Ran> =>
  run(['rule', 'test', write('rules.test.yaml', text), ...words]);

describe('hydrant rule test', () => {
  test('is content with cases that come out as they say, and needs no daemon', async () => {
    const { code, stdout, stderr } = await check(`
- query: ferry AND language:en
  doc: { added: The ferry leaves., language: en }
  match: true
- query: ferry
  doc: { added: A tram. }
  match: false
`);
    expect([code, stdout, stderr]).toEqual([0, '', '2 cases, all as expected\n']);
  });

  test('tells a case that differs, where it stands, and why; ends with 1', async () => {
    const { code, stdout, stderr } = await check(`query: ferry
cases:
  - { doc: { added: A ferry. }, match: true }
  - name: trams are none
    doc: { added: "A \\u001b[0m ferry." }
    match: false
`);
    expect([code, stderr]).toEqual([1, '1 of 2 cases differ\n']);
    expect(stdout).toContain('rules.test.yaml:4: trams are none: no match was expected\n  match\n');
    expect(stdout).not.toContain('\u001b');
  });

  test('reads pages, and two versions of one, beside the file', async () => {
    const html = (text: string): string => `<title>News</title><main><p>Good morning.</p><p>${text}</p></main>`;
    write('old.html', html('A tram.'));
    write('new.html', html('A ferry.'));
    const cases = (query: string, match: boolean): string =>
      `- { query: '${query}', page: new.html, was: old.html, url: 'https://example.org/a', match: ${match} }\n`;
    const right = cases('ferry', true) + cases('morning', false) + cases('domain:example.org', true);
    expect((await check(right)).stderr).toBe('3 cases, all as expected\n');
    const same = `- { query: 'title:news', page: new.html, was: new.html, match: true }\n`;
    expect((await check(same)).stdout).toContain('no relevant change');
  });

  test('asks quality and age where a case says so', async () => {
    const doc = 'doc: { added: ferry, publish_time: "2026-03-01T10:00:00" }';
    const cases = `
- { query: ferry, ${doc}, quality: true, now: 2026-03-02T10:00:00Z, match: true }
- { query: ferry, ${doc}, quality: true, now: 2026-03-09T10:00:00Z, match: false }
`;
    expect((await check(cases)).stderr).toBe('2 cases, all as expected\n');
  });

  test('takes JSON, from stdin too, and answers in it', async () => {
    const cases = [{ name: 'a', query: 'titel:x', doc: { added: 'x' }, match: true }];
    const { code, stdout } = await run(['rule', 'test', '-', '--json'], { input: JSON.stringify(cases) });
    expect([code, JSON.parse(stdout)]).toEqual([1, [{ name: 'a', line: 1, ok: false, expected: true }]]);
  });

  test.each([
    ['- query: a\n  doc: {}\n', 'rules.test.yaml:1: `match` is missing'],
    ['- query: a\n  match: true\n', 'rules.test.yaml:1: a case has a `doc`'],
    ['- query: a\n  doc: {}\n  page: x\n  match: true\n', 'rules.test.yaml:2: a case has a `doc`'],
    ['- query: a\n  doc: { titel: x }\n  match: true\n', 'line 1: the document has a field `titel`'],
    ['- query: a\n  dco: {}\n  match: true\n', 'rules.test.yaml:2: there is no field `dco`'],
    ['- doc: {}\n  match: true\n', 'rules.test.yaml:1: `query` is missing'],
    ['- query: a\n  doc: {}\n  match: perhaps\n', 'rules.test.yaml:3: `match` is not true or false'],
    ['- query: a\n  doc: {}\n  now: soon\n  match: true\n', 'rules.test.yaml:3: `now` is not a time'],
    ['query: [\n', 'rules.test.yaml:2:1: '],
    ['[]', 'rules.test.yaml: it has no test cases'],
    ['cases: 3', 'rules.test.yaml:1: `cases` is not a list'],
  ])('says of %j where it is wrong', async (text, message) => {
    const { code, stderr } = await check(text);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
