import { describe, expect, it } from 'vitest';
import { matchesValues } from '../../../../src/shared/match/evaluate.ts';
import { apply } from '../../../../src/shared/query/suggest/suggestions.ts';
import { validate } from '../../../../src/shared/query/validate.ts';

/** The query with its first hint followed. */
function followed(text: string): string {
  const [found] = validate(text).diagnostics;
  return found ? apply(text, found) : text;
}

function matches(text: string, added: string): boolean {
  const { query } = validate(text);
  return query !== undefined && matchesValues(query, { texts: { added: [added] }, numbers: {} });
}

/** What is written, and words that whoever writes it means. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['vulnerab', 'vulnerable vulnerability vulnerabilities'],
  ['vulnerabl', 'vulnerable vulnerability'],
  ['vulnerable', 'vulnerable vulnerability vulnerabilities'],
  ['vulnerabil', 'vulnerability vulnerabilities'],
  ['vulnerabilit', 'vulnerability vulnerabilities'],
  ['vulnerability', 'vulnerability vulnerabilities'],
  ['vulnerabiliti', 'vulnerability vulnerabilities'],
  ['releas', 'release releases released releasing'],
  ['release', 'release releases released releasing'],
  ['ferr', 'ferry ferries'],
  ['price', 'price prices priced pricing'],
  ['pric', 'price prices priced pricing'],
  ['polic', 'policy policies police'],
  ['secur', 'secure secured'],
  ['securit', 'security'],
  ['commit', 'commit commits committed committing'],
  ['limit', 'limit limits limited'],
  ['cancel', 'cancels canceled cancelled'],
  ['log', 'log logs logged logging'],
  ['patch', 'patch patches patched'],
  ['kernel', 'kernel kernels'],
  ['updat', 'update updates updated updating'],
  ['announc', 'announce announced announces announcing'],
  ['agenc', 'agency agencies'],
  ['compan', 'company companies'],
  ['appl', 'apply applies applied apple'],
  ['subscrib', 'subscribe subscriber subscribed'],
  ['news', 'news'],
  ['covid', 'covid'],
  ['Docker', 'docker'],
];

describe('what is offered instead of a wildcard in text', () => {
  it.each(BEGINNINGS)('%s*: the forms of the word, each of which matches', (beginning, forms) => {
    const query = followed(`${beginning}*`);
    expect(validate(query)).toMatchObject({ valid: true, diagnostics: [] });
    const missed = forms.split(' ').filter((form) => !matches(query, `three ${form} today`));
    expect({ query, missed }).toEqual({ query, missed: [] });
    expect(matches(query, 'something else')).toBe(false);
  });

  it('the range beside the forms has every word that begins so, and no other', () => {
    const [found] = validate('releas*').diagnostics;
    const range = /\[.*\}/.exec(found?.hint?.message ?? '')?.[0] ?? '';
    expect(validate(range)).toMatchObject({ valid: true, diagnostics: [] });
    for (const word of ['releas', 'release', 'Releases', 'releaseable', 'releasß'])
      expect([word, matches(range, word)]).toEqual([word, true]);
    for (const word of ['releat', 'relea', 'prerelease']) expect([word, matches(range, word)]).toEqual([word, false]);
  });

  it.each([
    ['Sicherheitslück', 'Sicherheitslücken', 'Sicherheit'],
    ['обновлен', 'обновления', 'обнова'],
    ['v2', 'v21', 'v3'],
  ])('%s*, which is no English word: the range', (beginning, meant, other) => {
    const query = followed(`${beginning}*`);
    expect(query).toMatch(/^\[.* TO .*\}$/);
    expect([matches(query, `eine ${meant}`), matches(query, other)]).toEqual([true, false]);
  });

  it.each([
    ['CVE-2026*', '"CVE-2026"'],
    ['CVE-2026-*', '"CVE-2026"'],
    ['kernel-*', 'kernel'],
  ])('%s: a hyphen separates words, so these are words in a row', (written, phrase) => {
    expect(followed(written)).toBe(phrase);
    expect(matches(phrase, 'fixes CVE-2026-1234 in kernel-core')).toBe(true);
  });

  it.each([
    'title:releas*',
    'NOT releas* AND kernel',
    'kernel -releas*',
    'title:(releas* OR kernel)',
    'added:/releas.*/',
  ])('in its place the query stays valid: %s', (text) => {
    expect(validate(followed(text))).toMatchObject({ valid: true, diagnostics: [] });
  });

  it.each(['rel*se', '*ware', 'releas?', 'a*', `${'x'.repeat(60)}*`, 'kernel-pat*'])(
    '%s: nothing is offered where nothing does the same',
    (text) => {
      const [found] = validate(text).diagnostics;
      expect([found?.code, found?.hint]).toEqual(['wildcard_not_allowed', undefined]);
      expect(found?.message).toMatch(/matched by whole words/);
    },
  );
});
