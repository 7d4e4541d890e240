import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { FilteredOutput, filterOf } from '../../../src/cli/runtime/json-filter.ts';
import { pacedWrite } from '../../../src/cli/runtime/output.ts';

interface Passed {
  readonly stdout: string;
  readonly stderr: string;
  readonly error?: unknown;
}

/** What comes of the texts, each of which is one write. */
async function passed(
  flags: { readonly jq?: string; readonly template?: string },
  texts: readonly string[],
  isTerminal = false,
): Promise<Passed> {
  const filter = await filterOf(flags, isTerminal);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = new FilteredOutput(filter, { stdout, stderr });
  for (const text of texts) output.write(text);
  const error = await output.finish().catch((thrown: unknown) => thrown);
  const read = (stream: PassThrough): string => String(stream.read() ?? '');
  return { stdout: read(stdout), stderr: read(stderr), ...(error !== undefined && { error }) };
}

const LIST = '[{"id":"a","n":1},{"id":"b","n":2}]\n';

describe('--jq', () => {
  test.each([
    ['strings as they are', '.[].id', LIST, 'a\nb\n'],
    ['other values on a line each', '.[]', LIST, '{"id":"a","n":1}\n{"id":"b","n":2}\n'],
    ['tables', '.[] | [.id, .n] | @tsv', LIST, 'a\t1\nb\t2\n'],
    ['nothing', '.[] | select(.n > 9)', LIST, ''],
    ['a value that a page wrote', '.t', '{"t":"\\u001b[31mred"}\n', '\u001b[31mred\n'],
  ])('%s', async (_, jq, text, stdout) => {
    expect(await passed({ jq }, [text])).toEqual({ stdout, stderr: '' });
  });

  test('a line may come in pieces, and without an end', async () => {
    expect((await passed({ jq: '.a' }, ['{"a"', ':1}\n{"a', '":2}'])).stdout).toBe('1\n2\n');
  });

  test('on a terminal what a page wrote cannot act', async () => {
    expect((await passed({ jq: '.t' }, ['{"t":"\\u001b[31mred\\u202e"}\n'], true)).stdout).toBe(
      '\u{fffd}[31mred\u{fffd}\n',
    );
  });

  test('a value it does not fit is named, the next ones are read, and the command ends with 1', async () => {
    const { stdout, stderr, error } = await passed({ jq: '.a.b' }, ['{"a":1}\n{"a":{"b":2}}\n']);
    expect(stdout).toBe('2\n');
    expect(stderr).toBe('error: --jq: Cannot index number with string ("b")\n');
    expect(error).toMatchObject({ exitCode: 1, message: 'the filter failed at 1 value' });
  });

  test.each([
    ['.[] | {name', /^--jq: syntax error, unexpected end of file/, 7],
    ['.a | foo', /^--jq: foo\/0 is not defined$/, 5],
    ['.a\n| foo', /^--jq: foo\/0 is not defined$/, 5],
  ])('%j is refused before anything is asked, with its place', async (jq, message, start) => {
    const refused = filterOf({ jq }, false);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toMatchObject({ exitCode: 2, details: { source: jq, span: { start } } });
  });

  test('no limit to the values of one run: its memory is given back', async () => {
    const filter = await filterOf({ jq: '.a' }, false);
    const line = JSON.stringify({ a: 'x'.repeat(20_000) });
    for (let times = 0; times < 600; times += 1) expect(filter.apply(line).text.length).toBe(20_001);
  }, 30_000);
});

describe('--template', () => {
  test.each([
    ['a line an element', '{id}\\t{n}', LIST, 'a\t1\nb\t2\n'],
    ['deeper fields', '{a.b.0.c} {{x}}', '{"a":{"b":[{"c":"d"}]}}\n', 'd {x}\n'],
    ['what an object lacks is empty', '{id}:{n}', '[{"id":"a"},{"id":"b","n":2}]\n', 'a:\nb:2\n'],
    ['nothing but plain values', '{id}', '["x"]\n', '"x"\n'],
  ])('%s', async (_, template, text, stdout) => {
    expect(await passed({ template }, [text])).toEqual({ stdout, stderr: '' });
  });

  test('a field that no object has is named in the end, with those that there are', async () => {
    const { stdout, stderr } = await passed({ template: '{id} {nmae}' }, [LIST]);
    expect(stdout).toBe('a \nb \n');
    expect(stderr).toBe('warning: --template: nothing has `nmae`; there is id, n\n');
  });

  test('a brace alone is refused', async () => {
    await expect(filterOf({ template: '{id' }, false)).rejects.toThrow('--template: `{` stands alone');
  });
});

test('both at once are refused, and neither is a fault of the caller', async () => {
  await expect(filterOf({ jq: '.', template: '{id}' }, false)).rejects.toThrow('--jq and --template');
  await expect(filterOf({}, false)).rejects.toThrow('a filter of neither flag');
});

test('a write is done when what came of it has left', async () => {
  const filter = await filterOf({ jq: '.a' }, false);
  const stdout = new PassThrough({ highWaterMark: 1 });
  const output = new FilteredOutput(filter, { stdout, stderr: new PassThrough() });
  let hasLeft = false;
  await pacedWrite(output, '{"a":"first"}\n', undefined, () => {});
  void pacedWrite(output, '{"a":"second"}\n', undefined, () => (hasLeft = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasLeft).toBe(false);
  stdout.resume();
  await output.finish();
  expect(hasLeft).toBe(true);
});
