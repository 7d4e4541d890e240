import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerTo, problems } from '../../../src/daemon/http/problems.ts';
import { Problem } from '../../../src/daemon/problem.ts';
import { STREAM_ERRORS } from '../../../src/daemon/stream/format.ts';
import type { Diagnostic } from '../../../src/shared/api/diagnostic.ts';

const document = readFileSync(join(import.meta.dirname, '../../../docs/problems.md'), 'utf8');
const sections = new Map(
  document
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0] ?? '', section] as const),
);

describe('docs/problems.md', () => {
  test('explains every code, and no code that there is not', () => {
    expect([...sections.keys()].sort()).toEqual(Object.keys(problems).sort());
  });

  test.each(Object.entries(problems))('gives the status of %s, and says how to solve it', (code, { status }) => {
    expect(sections.get(code)).toContain(`\n\n\`${status}\``);
    expect(sections.get(code)).toContain('How to solve: ');
  });
});

describe('the part about streams', () => {
  test('has every code that an error event may carry, with its sentence', () => {
    for (const [code, sentence] of Object.entries(STREAM_ERRORS)) {
      expect(document).toContain(`\n### ${code}\n\n"${sentence}"`);
    }
  });
});

describe('a problem', () => {
  test('names a field exactly when it is a 422', () => {
    for (const { status, field } of Object.values(problems)) expect(field !== undefined).toBe(status === 422);
  });

  const error = (message: string, hint?: string): Diagnostic => ({
    severity: 'error',
    code: 'unknown_field',
    message,
    field: 'titel',
    span: { start: 2, end: 7 },
    ...(hint !== undefined && { hint: { message: hint, replacement: 'title' } }),
  });

  test('of a query says the first error, its hint, the clause and its place, and carries all findings', () => {
    const warning: Diagnostic = { severity: 'warning', code: 'boost', message: 'A boost.', field: null };
    const diagnostics = [warning, error('There is no field titel.', 'The closest is title.'), error('Another.')];
    const query = '- titel:"a b" OR x';
    const message = 'There is no field titel. The closest is title. (at position 2: titel:"a b")';
    expect(answerTo(new Problem('invalid_query', { query, diagnostics }))).toEqual({
      status: 422,
      headers: {},
      body: {
        message,
        errors: { value: [message] },
        diagnostics,
      },
    });
  });

  test.each([
    ['title:ferr*', 6, 11, 'position 0: title:ferr*'],
    ['ferry AND (dr:[1 TO x])', 14, 22, 'position 11: dr:[1 TO x]'],
    ['a AND titel:(x y)', 6, 11, 'position 6: titel:'],
    ['a AND titel:x\\ y', 6, 11, 'position 6: titel:x\\ y'],
    ['', 0, 0, 'position 0'],
    [`added:"${'x'.repeat(200)}"`, 6, 208, `position 0: added:"${'x'.repeat(73)}…`],
  ])('of the query %j names the clause', (query, start, end, place) => {
    const diagnostics = [{ ...error('No.'), span: { start, end } }];
    expect(answerTo(new Problem('invalid_query', { query, diagnostics })).body.message).toBe(`No. (at ${place})`);
  });

  test('of a limit says the number, in the singular where it is one, and how to raise it', () => {
    const sentence = (limit: number, isOwn = false, organization = 'press'): string =>
      answerTo(new Problem('tap_limit_reached', { organization, plan: 'Free', isOwn, limit })).body.message;
    const raise = 'The operator can raise this limit with: hydrant org plan press --taps <count>';
    expect(sentence(1)).toBe(`Tap limit reached. The Free plan allows up to 1 tap. ${raise}`);
    expect(sentence(10)).toBe(`Tap limit reached. The Free plan allows up to 10 taps. ${raise}`);
    expect(sentence(2, true)).toBe(
      `Tap limit reached. This organization has its own limit, which allows up to 2 taps. ${raise}`,
    );
    expect(sentence(1, false, "Anna's press")).toContain(String.raw`hydrant org plan 'Anna'\''s press' --taps <count>`);
  });

  test('of each limit of a plan names the flag that raises it', () => {
    const facts = { organization: 'press', plan: 'Free', isOwn: true, limit: 7, allowed: [10], until: '2026-03-01' };
    const flags = {
      rule_limit_reached: '--rules <count>',
      tap_limit_reached: '--taps <count>',
      watches_not_in_plan: '--urls <count> --checks <count>',
      watch_limit_reached: '--urls <count>',
      watch_too_frequent: '--cadence <minutes>',
      check_quota_used_up: '--checks <count>',
    } as const;
    for (const [code, flag] of Object.entries(flags) as [keyof typeof flags, string][]) {
      const { message } = answerTo(new Problem(code, facts)).body;
      expect(message).toContain(`hydrant org plan press ${flag}`);
      expect(message).toContain('This organization');
      expect(message.includes('7')).toBe(code !== 'watches_not_in_plan');
    }
  });

  test('of a source names the URL field', () => {
    const facts = { url: 'http://10.0.0.1/', detail: '10.0.0.1 is a private address.' };
    expect(answerTo(new Problem('private_address', facts)).body.errors).toEqual({ url: [facts.detail] });
    const { body } = answerTo(new Problem('source_exists', { url: 'http://a.example/' }));
    expect(body.message).toContain('http://a.example/');
  });
});
