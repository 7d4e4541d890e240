import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { run } from '../../harness.ts';

interface Vector {
  readonly id: string;
  readonly field: string;
  readonly text: string;
  readonly tokens: readonly (readonly [string, number, number, number, string])[];
}

interface Analyzed {
  readonly field: string;
  readonly text: string;
  readonly tokens: readonly { term: string; position: number; start: number; end: number }[];
}

const vectors = readFileSync(new URL('../../../vectors/lucene/e-tokens.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Vector);

function analyzed(stdout: string): Analyzed[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Analyzed);
}

describe('hydrant analyze', () => {
  test('is a table on a terminal', async () => {
    const { code, stdout, stderr } = await run(['analyze', '--no-color', 'The Wi-Fi'], { columns: 80 });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe('TOKEN  POSITION  START  END\nwi            1      4    6\nfi            2      7    9\n');
  });

  test('in a pipe is tab-separated, and has the line first when stdin is read', async () => {
    expect((await run(['analyze', '--field', 'title', 'The Who'])).stdout).toBe('the\t0\t0\t3\nwho\t1\t4\t7\n');
    const { stdout } = await run(['analyze', '-'], { input: 'a ferry\n\nthe tram\r\n' });
    expect(stdout).toBe('1\tferry\t1\t2\t7\n3\ttram\t1\t4\t8\n');
  });

  test('--json gives an object for each text, an empty one too', async () => {
    const { stdout } = await run(['analyze', '--json'], { input: 'a ferry\n\n' });
    expect(analyzed(stdout)).toEqual([
      { field: 'added', text: 'a ferry', tokens: [{ term: 'ferry', position: 1, start: 2, end: 7 }] },
      { field: 'added', text: '', tokens: [] },
    ]);
  });

  test('-q prints the tokens alone', async () => {
    expect((await run(['analyze', '-q', 'Wi-Fi'])).stdout).toBe('wi\nfi\n');
  });

  test('a keyword field is one token with its letter case', async () => {
    const { stdout } = await run(['analyze', '--json', '--field', 'url', 'https://a.example/B c']);
    expect(analyzed(stdout)[0]?.tokens).toEqual([{ term: 'https://a.example/B c', position: 0, start: 0, end: 21 }]);
  });

  test.each(['added', 'title'])('agrees with Lucene about all texts of %s', async (field) => {
    const rows = vectors.filter((row) => row.field === field && !/[\r\n]/.test(row.text));
    expect(rows.length).toBeGreaterThan(50);
    const input = `${rows.map((row) => row.text).join('\n')}\n`;
    const found = analyzed((await run(['analyze', '--json', '--field', field], { input })).stdout);
    expect(found.map(({ text, tokens }) => [text, tokens])).toEqual(
      rows.map(({ text, tokens }) => [
        text,
        tokens.map(([term, position, start, end]) => ({ term, position, start, end })),
      ]),
    );
  });

  test('of a field that is none names those there are', async () => {
    const { code, stderr } = await run(['analyze', '--field', 'titel', 'x']);
    expect(code).toBe(2);
    expect(stderr).toContain('added, removed');
  });

  test('stops at a line that is too long to keep, and names it', async () => {
    const { code, stdout, stderr } = await run(['analyze', '-q'], { input: `ferry\n${'x'.repeat(2_000_000)}` });
    expect([code, stdout]).toEqual([2, 'ferry\n']);
    expect(stderr).toBe('error: stdin:2: the line has more than 1048576 characters\n');
  });

  test('does not wait for a terminal', async () => {
    const { code, stderr } = await run(['analyze'], { columns: 80 });
    expect([code, stderr]).toEqual([2, expect.stringContaining('the text is missing')]);
  });

  test('says on a terminal when there is nothing', async () => {
    expect((await run(['analyze', 'of the'], { columns: 80 })).stdout).toBe('no tokens\n');
  });

  test('never sends a control character on', async () => {
    for (const form of [{}, { columns: 40 }]) {
      for (const flags of [[], ['--json'], ['-q']]) {
        const words = ['analyze', '--field', 'url', '--no-color', ...flags, '\u001b[31m\u202ex'];
        expect((await run(words, form)).stdout).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--[\t\n]]/v);
      }
    }
  });
});
