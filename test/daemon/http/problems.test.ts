import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerTo, problems } from '../../../src/daemon/http/problems.ts';
import { Problem } from '../../../src/daemon/problem.ts';
import { STREAM_ERRORS } from '../../../src/daemon/stream/frames.ts';
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
    ...(hint !== undefined && { hint: { message: hint, replacement: 'title' } }),
  });

  test('of a query says the first error and its hint, and carries all findings', () => {
    const warning: Diagnostic = { severity: 'warning', code: 'boost', message: 'A boost.', field: null };
    const diagnostics = [warning, error('There is no field titel.', 'The closest is title.'), error('Another.')];
    expect(answerTo(new Problem('invalid_query', { diagnostics }))).toEqual({
      status: 422,
      headers: {},
      body: {
        message: 'There is no field titel. The closest is title.',
        errors: { value: ['There is no field titel. The closest is title.'] },
        diagnostics,
      },
    });
  });

  test('of a limit says the number, in the singular where it is one', () => {
    const sentence = (limit: number): string =>
      answerTo(new Problem('tap_limit_reached', { plan: 'Free', limit })).body.message;
    expect(sentence(1)).toBe('Tap limit reached. The Free plan allows up to 1 tap.');
    expect(sentence(10)).toBe('Tap limit reached. The Free plan allows up to 10 taps.');
  });

  test('of a source names the URL field', () => {
    const facts = { url: 'http://10.0.0.1/', detail: '10.0.0.1 is a private address.' };
    expect(answerTo(new Problem('private_address', facts)).body.errors).toEqual({ url: [facts.detail] });
    const { body } = answerTo(new Problem('source_exists', { url: 'http://a.example/' }));
    expect(body.message).toContain('http://a.example/');
  });
});
