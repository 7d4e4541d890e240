import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRegex } from '../../../src/shared/automaton/regex.ts';
import { matcherOf, texts, trees } from './regex-tree.ts';

describe('the pieces that all matches of a regex contain', () => {
  it.each([
    ['.*\\/blog\\/.*', ['/blog/'], '', ''],
    ['https?:\\/\\/.*', ['http', '://'], 'http', ''],
    ['https:\\/\\/[a-z.]*coalic\\.blog\\/.*events.*', ['coalic.blog/', 'https://', 'events'], 'https://', ''],
    ['https:\\/\\/([a-z0-9-]+\\.)*example\\.(com|org)(\\/.*)?', ['https://', 'example.'], 'https://', ''],
    ['.*(cat|dog).*', [], '', ''],
    ['(.*cat|dog.*)', [], '', ''],
    ['.*(red cat|red cow)s', ['red c', 's'], '', 's'],
    ['.*(big cat|cat|.*cat and dog).*', ['cat'], '', ''],
    ['.*[x]y[z].*', ['xyz'], '', ''],
    ['.*[xX]yz.*', ['yz'], '', ''],
    ['a{3}b+c{2,}', ['aaab', 'bcc'], 'aaab', 'cc'],
    ['(ab){2}', ['abab'], 'abab', 'abab'],
    ['(a.b){2,}', ['ba'], 'a', 'b'],
    ['(ab)?', [], '', ''],
    ['.*item.*&https.*', ['https', 'item'], 'https', ''],
    ['~(abc)', [], '', ''],
    ['"a.b"#|"x.y"', ['x.y'], 'x.y', 'x.y'],
    ['(😀|😁)a', ['a'], '', 'a'],
    ['.*\\/<2020-2029>\\/.*', ['/202'], '', ''],
    ['Äé', ['Äé'], 'Äé', 'Äé'],
  ])('%s', (pattern, required, prefix, suffix) => {
    expect(compileRegex(pattern)).toMatchObject({ required, prefix, suffix });
  });

  it('are in every match', () => {
    fc.assert(
      fc.property(trees, fc.array(texts, { minLength: 1, maxLength: 20 }), (tree, texts) => {
        const matcher = matcherOf(tree);
        const { required, prefix, suffix } = matcher;
        // The matcher looks for the longest piece itself, so a wrong one shows against the definition (regex.test.ts).
        for (const text of texts.map((characters) => characters.join(''))) {
          if (!matcher.matches(text)) continue;
          expect(required.filter((piece) => !text.includes(piece))).toEqual([]);
          expect([text.slice(0, prefix.length), text.slice(text.length - suffix.length)]).toEqual([prefix, suffix]);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it('stay short when a regex repeats them often', () => {
    const matcher = compileRegex('(abc){1000}x*(abcd){1000}');
    const { required, prefix, suffix } = matcher;
    const text = 'abc'.repeat(1_000) + 'abcd'.repeat(1_000);
    expect(matcher.matches(text) && text.startsWith(prefix) && text.endsWith(suffix)).toBe(true);
    expect(required.filter((piece) => piece.length > 512 || !text.includes(piece))).toEqual([]);
    expect([prefix.length, suffix.length]).toEqual([256, 256]);
  });
});
