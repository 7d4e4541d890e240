import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { namesWhatItLoads } from './loaded-modules.ts';
import { afterAll, describe, expect, test } from 'vitest';

/** The real program with nothing but itself: no HOME, no data directory, no daemon, an empty working directory. */
const bin = path.resolve('bin/hydrant');
const vectors = path.resolve('test/vectors/lucene');
const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-offline-'));
afterAll(() => rmSync(directory, { recursive: true }));

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const options = { cwd: directory, encoding: 'utf8', maxBuffer: 1 << 30 } as const;

function hydrant(words: readonly string[], input = '', nodeFlags: readonly string[] = []): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeFlags, bin, ...words], {
    ...options,
    env: {},
    input,
  });
  return { code: status, stdout, stderr };
}

function bash(script: string): Ran {
  const env = { PATH: process.env['PATH'] ?? '', NODE: process.execPath, HYDRANT: bin };
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { ...options, env });
  return { code: status, stdout, stderr };
}

function rowsOf<Row>(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

interface Case {
  readonly id: string;
  readonly ok: boolean;
  readonly match?: boolean;
}

describe('without a daemon', () => {
  test('a query is validated, fixed, and found valid', () => {
    const first = hydrant(['validate', 'titel:"annual report" and languages:en']);
    expect([first.code, first.stderr]).toEqual([1, '']);
    expect(first.stdout).toMatch(/^invalid\nerror: (.+\n)+/);
    const { code, stdout } = hydrant(['validate', '--fix', 'titel:"annual report" and languages:en']);
    expect([code, stdout]).toEqual([0, 'title:"annual report" AND language:en\n']);
    expect(hydrant(['validate', '-'], stdout)).toMatchObject({ code: 0, stderr: '1 of 1 valid\n' });
  });

  test('a value that is none is answered by the closest in meaning, and is not replaced by a guess', () => {
    const { stdout } = hydrant(['validate', 'ferry OR page_category:"/Technology"']);
    expect(stdout).toContain('The closest value is /News/Technology_News.');
    expect(hydrant(['validate', '--fix', 'ferry OR page_category:"/Technology"']).stdout).toContain('"/Technology"');
    const { code, stdout: fixed } = hydrant(['validate', '--fix', 'page_category:"/Business"']);
    expect([code, fixed]).toEqual([0, 'page_category:"/Business_and_Industrial"\n']);
    expect(hydrant(['validate', 'foo:ferry']).stdout).not.toMatch(/did you mean|fixed:/i);
    expect(hydrant(['list']).stderr).toContain('did you mean watch list, crawl list, tap list or rule list?');
  });

  test('a document matches, and the reason is told', () => {
    writeFileSync(path.join(directory, 'page.json'), '{"title":"The ferry","dr":14}');
    expect(hydrant(['match', 'title:ferry', 'page.json'])).toEqual({
      code: 0,
      stdout: 'match\n  yes title:ferry\n        title 4-9: The [ferry]\n',
      stderr: '',
    });
    expect(hydrant(['match', 'dr:[20 TO *]', '-'], '{"dr":14}').stdout).toBe(
      'no match\n  no  dr:[20 TO *]  dr is 14\n',
    );
  });

  test('a text is split into its tokens', () => {
    expect(hydrant(['analyze', '--field', 'title', 'The Wi-Fi'])).toEqual({
      code: 0,
      stdout: 'the\t0\t0\t3\nwi\t1\t4\t6\nfi\t2\t7\t9\n',
      stderr: '',
    });
  });

  test.each([
    [['validate', '--nsfv', 'x'], 'did you mean --nsfw?'],
    [['match', 'x', 'nowhere.json'], 'cannot read nowhere.json: no such file or directory (ENOENT)'],
    [['analyze', '--field', 'titel', 'x'], 'Allowed choices are added'],
  ])('%j is a usage error', (words, message) => {
    const { code, stdout, stderr } = hydrant(words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

test.each(['validate', 'analyze', 'match --cases -', 'match x -'])('a directory is nothing %s could read', (words) => {
  const { code, stdout, stderr } = bash(`"$NODE" "$HYDRANT" ${words} < .`);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: the \w+: stdin is a directory, not a file or a pipe\n$/);
});

describe("Lucene's own answers", () => {
  const files = readdirSync(vectors).filter((name) => /^[a-e]-.*\.jsonl$/.test(name) && name !== 'e-tokens.jsonl');

  test.each(files)('hold for every case of %s, but for queries that could never match and are refused', (name) => {
    const file = path.join(vectors, name);
    const expected = new Map(rowsOf<Case>(readFileSync(file, 'utf8')).map((row) => [row.id, row]));
    const { stdout, stderr } = hydrant(['match', '--cases', file]);
    const found = rowsOf<Case>(stdout);
    expect([found.length, stderr]).toEqual([expected.size, `${expected.size.toLocaleString('en')} cases\n`]);
    const differing = found.filter(({ id, ok, match }) => {
      const wanted = expected.get(id);
      const isRefused = !ok && wanted?.match === false;
      return !isRefused && (ok !== wanted?.ok || match !== wanted.match);
    });
    expect(differing).toEqual([]);
  });
});

describe('a hundred thousand lines', () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `title:"word${index} of" AND ferry${index % 50}~1`);
  const text = `${lines.join('\n')}\n`;
  writeFileSync(path.join(directory, 'lines.txt'), text);
  const cases = lines.map((query, id) => JSON.stringify({ id, query, doc: { title: `word${id} of` } }));
  writeFileSync(path.join(directory, 'cases.jsonl'), cases.join('\n'));
  /** Far less than all lines, or all answers, would take. */
  const heap = '--max-old-space-size=48';

  test.each([
    ['validate --json', 'lines.txt'],
    ['validate --fix', 'lines.txt'],
    ['analyze --json', 'lines.txt'],
    ['match --cases -', 'cases.jsonl'],
  ])('go through %s in little memory, however slow the reader', (words, file) => {
    const { stdout } = bash(`"$NODE" ${heap} "$HYDRANT" ${words} < ${file} | (sleep 1; wc -l)
      echo "codes \${PIPESTATUS[0]}"`);
    expect(stdout.trim().split('\n')).toEqual(['100000', 'codes 0']);
  });

  test.each([
    ['validate', 'lines.txt'],
    ['validate --json', 'lines.txt'],
    ['validate --fix', 'lines.txt'],
    ['analyze', 'lines.txt'],
    ['match --cases -', 'cases.jsonl'],
  ])('end quietly when the reader of %s has seen enough', (words, file) => {
    const script = `"$NODE" "$HYDRANT" ${words} < ${file} | head -1 > first; echo "codes \${PIPESTATUS[@]}"`;
    expect(bash(script)).toEqual({ code: 0, stdout: 'codes 0 0\n', stderr: '' });
  });
});

test('nothing is loaded that is not needed', () => {
  const heavy =
    /node_modules\/(ink|react|eventsource|undici|fastify|typebox|pino|parse5|tldts|diff)\/| src\/daemon|:sqlite/;
  for (const words of [
    ['validate', 'ferry'],
    ['match', 'ferry', '-'],
    ['analyze', 'ferry'],
  ]) {
    const { stderr } = hydrant(words, '{}', namesWhatItLoads);
    expect(stderr).toMatch(/ src\/shared\/(query|analysis)\//);
    expect(stderr).not.toMatch(heavy);
  }
  expect(hydrant(['--help'], '', namesWhatItLoads).stderr).not.toMatch(/ src\/shared\/(analysis|match|automaton)\//);
});
