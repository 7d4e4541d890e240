import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tap } from '../../src/shared/api/tap.ts';
import { RealDaemon } from './real-daemon.ts';

let daemon: RealDaemon;
let token: string;
beforeAll(async () => {
  daemon = await RealDaemon.start(['--crawl-threads', '1']);
  ({ token } = await daemon.operator<{ token: string }>('POST', '/v1/taps', { name: 'first' }));
});
afterAll(() => daemon.dispose());

interface Refusal {
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

const SENTENCE = 'must have at least one visible character, and no control characters or broken surrogate pairs.';
/** As JSON writes them: not every one of them is a text that JSON.stringify would leave as it is. */
const REFUSED: readonly (readonly [string, string])[] = [
  ['a NUL', String.raw`a\u0000b`],
  ['an escape sequence', String.raw`\u001b[31mred`],
  ['a line end', String.raw`a\nb`],
  ['half of a surrogate pair', String.raw`a\ud83db`],
  ['an override of direction', String.raw`a\u202eb`],
  ['nothing but spaces', '   '],
  ['nothing but a zero-width space', String.raw`\u200b`],
  ['nothing but tag characters', String.raw`\udb40\udc41`],
];

describe('a name with', () => {
  test.each(REFUSED)('%s is refused, with the field', async (_, text) => {
    const written = JSON.parse(`"${text}"`) as string;
    const tap = await daemon.operator<Refusal>('POST', '/v1/taps', { name: written });
    expect(tap.errors).toEqual({ name: [`The name field ${SENTENCE}`] });
    const rule = await daemon.operator<Refusal>('POST', '/v1/rules', { value: 'title:a', tag: written }, token);
    expect(rule.errors).toMatchObject({ tag: [expect.stringContaining(SENTENCE)] });
    const organization = await daemon.operator<Refusal>('POST', '/admin/organizations', { name: written });
    expect(organization.errors).toEqual({ name: [`The name field ${SENTENCE}`] });
    const key = await daemon.operator<Refusal>('POST', '/admin/keys', { name: written });
    expect(key.errors).toEqual({ name: [`The name field ${SENTENCE}`] });
  });

  test.each(['Nachrichten – Åland', 'новости', '👩‍👩‍👧 family', '日本', 'e\u0301', 'x'])('%s is taken', async (name) => {
    const made = await daemon.operator<{ data: Tap }>('POST', '/v1/taps', { name });
    expect(made.data.name).toBe(name);
    await daemon.operator('DELETE', `/v1/taps/${made.data.id}`);
  });

  test('spaces around it is taken without them, at a change as well', async () => {
    const { data } = await daemon.operator<{ data: Tap }>('POST', '/v1/taps', { name: '  news \u3000' });
    expect(data.name).toBe('news');
    const changed = await daemon.operator<{ data: Tap }>('PUT', `/v1/taps/${data.id}`, { name: ' other ' });
    expect(changed.data.name).toBe('other');
    const rule = { value: 'title:a', tag: ' ferries ' };
    expect(await daemon.operator('POST', '/v1/rules', rule, token)).toMatchObject({ data: { tag: 'ferries' } });
    expect(await daemon.operator('POST', '/v1/rules', { ...rule, tag: '' }, token)).toMatchObject({
      data: expect.not.objectContaining({ tag: expect.anything() }),
    });
  });

  test('the command line is told the same', async () => {
    const { exitCode, stderr } = await daemon.run('hydrant', ['tap', 'create', '\u200b']);
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining(SENTENCE)]);
  });
});
