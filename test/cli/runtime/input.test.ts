import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eachLine, INPUT_BYTES, type Line, openFile, readAll } from '../../../src/cli/runtime/input.ts';

async function linesOf(chunks: readonly (string | Uint8Array)[], longest?: number): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of eachLine(Readable.from(chunks, { objectMode: true }), 'the test', longest)) lines.push(line);
  return lines;
}

describe('the lines of an input', () => {
  test.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\nb\n', ['a', '', 'b']],
    ['\n', ['']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['\u{feff}a\n', ['a']],
    ['a\u2028b\rc\n', ['a\u2028b\rc']],
  ])('of %j are %j', async (text, expected) => {
    expect((await linesOf([Buffer.from(text)])).map((line) => line.text)).toEqual(expected);
  });

  test('are the same however the bytes arrive', async () => {
    const text = fc.array(fc.constantFrom('a', 'é', '𝐀', '\n', '\r\n', ' ')).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 5 }), async (text, size) => {
        const bytes = Buffer.from(text);
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        const lines = await linesOf(chunks);
        const expected = text.split(/\r?\n/);
        if (expected.at(-1) === '') expected.pop();
        expect(lines).toEqual(expected.map((text, index) => ({ number: index + 1, text })));
      }),
    );
  });

  test('that are too long are reported and skipped, and the next one is whole', async () => {
    const chunks = ['ab', 'cdefg', 'h\nabc\nabcd', '\n', 'abcde'];
    expect(
      await linesOf(
        chunks.map((chunk) => Buffer.from(chunk)),
        4,
      ),
    ).toEqual([
      { number: 1, text: undefined },
      { number: 2, text: 'abc' },
      { number: 3, text: 'abcd' },
      { number: 4, text: undefined },
    ]);
  });
});

describe('an input as a whole', () => {
  test('loses the byte order mark that some editors begin it with', async () => {
    const from = Readable.from([Buffer.from('\u{feff}{"a":1}')], { objectMode: true });
    expect(await readAll(from, 'page.json')).toBe('{"a":1}');
  });

  test('that cannot be opened is told to who reads it later, and ends no process before', async () => {
    const file = openFile('nothing/of/this/name');
    await new Promise((resolve) => file.once('close', resolve));
    await expect(readAll(file, 'the list')).rejects.toThrow('cannot read the list: no such file or directory (ENOENT)');
  });

  test('is refused when it is too long', async () => {
    const chunk = Buffer.alloc(INPUT_BYTES / 4);
    const from = Readable.from([chunk, chunk, chunk, chunk, Buffer.from('x')], { objectMode: true });
    await expect(readAll(from, 'big.json')).rejects.toThrow(`big.json: more than ${INPUT_BYTES} bytes`);
  });

  test.each([
    ['/nowhere/doc.json', 'no such file or directory (ENOENT)'],
    ['/tmp', 'illegal operation on a directory (EISDIR)'],
  ])('that cannot be read is named: %s, %s', async (file, code) => {
    await expect(readAll(openFile(file), file)).rejects.toThrow(`cannot read ${file}: ${code}`);
  });
});
