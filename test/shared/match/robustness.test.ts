import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RuleIndex } from '../../../src/shared/match/rule-index.ts';
import { validate } from '../../../src/shared/query/validate.ts';
import { changedPage, del, ins, NOW } from './changed-page.ts';

const piece = fc.oneof(
  fc.constantFrom(...Array.from('+-!():^[]{}~*?\\/"&| \t')),
  fc.constantFrom('AND', 'OR', 'NOT', 'TO', 'ferry', 'the', 'title:', 'url:', 'domain:', '\\u0041', '\\u', '~2', '^3'),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(' ')),
);

describe('whatever is written as a query', () => {
  it('is judged without a crash, with places inside the text, and an error exactly when it is refused', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { valid, diagnostics, query } = validate(text);
        expect(valid).toBe(diagnostics.every((found) => found.severity === 'warning'));
        expect(query !== undefined).toBe(valid);
        for (const { span } of diagnostics) {
          expect(span?.start).toBeGreaterThanOrEqual(0);
          expect(span?.end).toBeGreaterThanOrEqual(span?.start ?? 0);
          expect(span?.end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('can be evaluated when it is valid', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (text, added, removed) => {
        const { query } = validate(text);
        if (!query) return;
        const index = new RuleIndex();
        index.register({ id: 'rule', tapId: 'tap', query, quality: false, nsfw: false });
        const page = changedPage({ chunks: [ins(added), del(removed), ins(text)], title: added });
        expect(index.match(page, NOW).failures.size).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });
});
