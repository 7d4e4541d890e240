import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validate } from '../../../../src/shared/query/validate.ts';
import { type Ran, run, type RunOptions } from '../../harness.ts';

/** Without HOME, without a data directory, without a daemon. */
async function hydrant(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(['validate', ...words], options);
}

function objects(stdout: string): unknown[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

function replyTo(query: string, settings = {}): unknown {
  const { core_version, valid, diagnostics, compiled, info } = validate(query, settings);
  return { core_version, valid, diagnostics, compiled, info };
}

describe('hydrant validate', () => {
  test('of a valid query shows how it is read and what is evaluated', async () => {
    const { code, stdout, stderr } = await hydrant(['title:Ferry AND language:en']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'valid',
      '  title:Ferry AND language:en',
      'read as:   +title:ferry +language:en',
      'and:       the quality filter, without adult pages (--effective prints it)',
      '',
    ]);
    const bare = await hydrant(['title:Ferry AND language:en', '--no-quality', '--nsfw']);
    expect(bare.stdout).toMatch(/read as: {3}\+title:ferry \+language:en\n$/);
    const [, , , effective] = (await hydrant(['title:Ferry AND language:en', '--effective'])).stdout.split('\n');
    expect(effective).toMatch(/^effective: \+\(\+title:ferry \+language:en\) \+age:\[0 TO 604800\] -url:/);
  });

  test('of an invalid one shows each mistake with carets below it, the hint, and the query as it could be', async () => {
    const { code, stdout, stderr } = await hydrant(['titel:ferry and tram']);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^invalid\nerror: .*titel.*\n {2}titel:ferry and tram\n {2}\^{5}\n {2}\S/);
    expect(stdout).toMatch(/\nwarning: .*\n {2}titel:ferry and tram\n {14}\^{3}\n {2}\S/);
    expect(stdout).toMatch(/\nfixed: title:ferry AND tram\n$/);
  });

  test('a query with warnings is valid', async () => {
    const { code, stdout } = await hydrant(['ferry and tram']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^valid\nwarning: /);
  });

  test.each([
    [[], {}],
    [['--no-quality'], { quality: false }],
    [['--nsfw'], { nsfw: true }],
    [['--no-quality', '--nsfw'], { quality: false, nsfw: true }],
  ])('--json %j is exactly what the API answers', async (flags, settings) => {
    for (const query of ['ferry', 'titel:ferry', 'ferry and tram', '']) {
      const { code, stdout } = await hydrant([query, '--json', ...flags]);
      expect(objects(stdout)).toEqual([replyTo(query, settings)]);
      expect(code).toBe(validate(query).valid ? 0 : 1);
    }
  });

  test('reads a query from each line of stdin, with or without its being named', async () => {
    const input = 'ferry\r\ntitel:x\n\n  tram  \nlast';
    const expected = ['ferry', 'titel:x', '', '  tram  ', 'last'].map((query) => replyTo(query));
    for (const words of [['-', '--json'], ['--json']]) {
      const { code, stdout, stderr } = await hydrant(words, { input });
      expect([code, stderr]).toEqual([1, '']);
      expect(objects(stdout)).toEqual(expected);
    }
  });

  test('names the line of each query that was read', async () => {
    const { code, stdout, stderr } = await hydrant(['-'], { input: 'ferry\ntitel:x\n' });
    expect([code, stderr]).toEqual([1, '1 of 2 valid\n']);
    expect(stdout).toMatch(/^line 1: valid\n(.+\n)+\nline 2: invalid\n(.+\n)+$/);
  });

  test('answers the lines before one that is too long to keep, and names it', async () => {
    const { code, stdout, stderr } = await hydrant(['--fix'], { input: `ferry\n${'x'.repeat(2_000_000)}\ntram\n` });
    expect([code, stdout]).toEqual([2, 'ferry\n']);
    expect(stderr).toBe('error: stdin:2: the line has more than 1048576 characters\n');
  });

  test('of nothing at all finds nothing wrong', async () => {
    expect(await hydrant(['-', '--json'], { input: '' })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('does not wait for a terminal', async () => {
    const { code, stdout, stderr } = await hydrant(['-'], { columns: 80 });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('stdin is a terminal');
    const none = await hydrant([], { columns: 80 });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('the query is missing')]);
  });

  test('answers with its exit code alone when it is to be quiet', async () => {
    expect(await hydrant(['-q', 'ferry'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await hydrant(['-q', '-'], { input: 'titel:x\nferry' })).toEqual({ code: 1, stdout: '', stderr: '' });
  });

  test('takes a query that begins with a dash behind two of them, and says so', async () => {
    expect(await hydrant(['--json', '--', '-spam +ham'])).toMatchObject({ code: 0 });
    const { code, stderr } = await hydrant(['-spam +ham']);
    expect(code).toBe(2);
    expect(stderr).toContain('goes after --');
  });

  test('without quotes around a query of several words says what is missing', async () => {
    const { code, stderr } = await hydrant(['ferry', 'AND', 'tram']);
    expect(code).toBe(2);
    expect(stderr).toContain('a value with spaces in it stands in quotes');
  });

  test('never sends a control character on', async () => {
    const query = 'titel:\u001b[2Jx \u202e AND';
    for (const flags of [[], ['--json'], ['--json', '--fix']]) {
      const { stdout, stderr } = await hydrant([query, ...flags]);
      expect(stdout + stderr).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--[\n]]/v);
    }
    const { stdout, stderr } = await hydrant([query, '--fix', '--no-color'], { columns: 80 });
    expect(stdout + stderr).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--[\n]]/v);
  });
});

describe('hydrant validate --fix', () => {
  test.each([
    ['ferry', 'ferry'],
    ['titel:ferry and tram', 'title:ferry AND tram'],
  ])('makes of %j %j', async (query, fixed) => {
    expect(await hydrant(['--fix', query])).toEqual({ code: 0, stdout: `${fixed}\n`, stderr: '' });
  });

  test('fixes what shows only once something else is fixed', async () => {
    // The slash stops the reading: the field and the operator are seen once it is escaped.
    const { code, stdout } = await hydrant(['--fix', 'titel:a/b and c']);
    expect([code, stdout]).toEqual([0, 'title:a\\/b AND c\n']);
  });

  test('prints what it could not mend as it is, and says why on stderr', async () => {
    const { code, stdout, stderr } = await hydrant(['--fix', '-'], { input: 'titel:x\nNOT a0x\n"open' });
    expect(code).toBe(1);
    expect(stdout.split('\n').slice(0, 2)).toEqual(['title:x', 'NOT a0x']);
    expect(stderr).toMatch(/^line 2: error: /);
  });

  test('is done once it was done, whatever the query, and makes no valid query invalid', async () => {
    const word = fc.constantFrom(
      'titel:',
      'a',
      'and',
      '/',
      '"',
      '(',
      ')',
      '^2',
      '~1',
      '$x',
      'AND',
      'recent:',
      '*',
      '\\',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 8 }), async (words) => {
        const query = words.join(' ');
        const once = await hydrant(['--fix', '-'], { input: `${query}\n` });
        const twice = await hydrant(['--fix', '-'], { input: once.stdout });
        expect(twice.stdout).toBe(once.stdout);
        expect(validate(query).valid && once.code !== 0).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  test('with --json answers for the fixed query and shows it', async () => {
    const { stdout } = await hydrant(['--fix', '--json', 'titel:x']);
    expect(objects(stdout)).toEqual([{ query: 'title:x', ...(replyTo('title:x') as object) }]);
  });
});

describe('hydrant validate --filter', () => {
  const boats = ['--filter', 'boats=ferry OR tram'];

  test('writes saved filters out, as the daemon does', async () => {
    const { code, stdout } = await run(['validate', 'title:x AND $boats', ...boats, '--json']);
    const { compiled } = JSON.parse(stdout) as { compiled: { lucene: string } };
    expect([code, compiled.lucene]).toEqual([0, '+title:x +(added:ferry added:tram)']);
  });

  test('points into the query with its filters written out', async () => {
    const { code, stdout } = await run(['validate', '$boats AND titel:x', ...boats]);
    expect([code, stdout]).toEqual([1, expect.stringContaining('(ferry OR tram) AND titel:x')]);
    expect((await run(['validate', '--fix', '$boats AND titel:x', ...boats])).stdout).toBe(
      '(ferry OR tram) AND title:x\n',
    );
  });

  test('says which name stands for nothing, and which it may be', async () => {
    const { stdout } = await run(['validate', '$boat', ...boats]);
    expect(stdout).toContain('There is no saved filter named boat. The closest filter is $boats.');
    expect((await run(['validate', 'x', '--filter', 'no spaces'])).code).toBe(2);
  });
});
