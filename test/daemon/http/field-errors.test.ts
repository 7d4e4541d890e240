import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Api } from './api.ts';

let api: Api;
let token: string;
beforeAll(async () => {
  api = await Api.open();
  ({ token } = await api.newTap());
});
afterAll(() => api.close());

interface Answered {
  readonly data?: object;
  readonly message?: string;
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
}

const ignored = (sent: string, meant: string) => ({
  severity: 'warning',
  code: 'unknown_body_field',
  message: `The field "${sent}" is unknown and was ignored. Did you mean "${meant}"?`,
  field: sent,
  hint: { message: `Did you mean "${meant}"?`, replacement: meant },
});

describe('a field that a route does not know', () => {
  test.each([
    ['qualty', 'quality'],
    ['tags', 'tag'],
    ['Tag', 'tag'],
    ['nswf', 'nsfw'],
  ])('%s of a rule is taken for a misspelt %s: accepted, and warned of', async (sent, meant) => {
    const body = { value: 'ferry', [sent]: 'x' };
    const answer = await api.call<Answered>('POST', '/v1/rules', token, body);
    expect([answer.status, answer.body.warnings]).toEqual([201, [ignored(sent, meant)]]);
    expect(answer.body.data).toMatchObject({ value: 'ferry', quality: true, nsfw: false });
  });

  test('of a change is warned of beside the answer', async () => {
    const { id } = await api.newTap('other');
    const answer = await api.call<Answered>('PUT', `/v1/taps/${id}`, api.house.key, { nmae: 'x', stauts: 'paused' });
    expect(answer.status).toBe(200);
    expect(answer.body.warnings).toEqual([ignored('nmae', 'name'), ignored('stauts', 'status')]);
    expect(answer.body.data).toMatchObject({ name: 'other', status: 'active' });
  });

  test.each(['frequency', 'frequencyMinutes', 'frequency_minute'])(
    '%s of a watch is a 422 that names it',
    async (name) => {
      const body = { url: 'http://93.184.216.34/', [name]: 60 };
      const answer = await api.call('POST', '/v1/url-watch', api.house.key, body);
      const message = `The frequency_minutes field is required. The field "${name}" is unknown.`;
      expect([answer.status, answer.body]).toEqual([422, { message, errors: { frequency_minutes: [message] } }]);
    },
  );

  test('that resembles none is ignored without a word, as is all that an answer has', async () => {
    const created = await api.call<Answered>('POST', '/v1/rules', token, { value: 'ferry', comment: 'mine', v: 1 });
    expect([created.status, Object.keys(created.body)]).toEqual([201, ['data']]);
    const { id, ...rest } = created.body.data as { readonly id: string };
    const changed = await api.call<Answered>('PUT', `/v1/rules/${id}`, token, { id, ...rest, created_at: 'x' });
    expect([changed.status, Object.keys(changed.body)]).toEqual([200, ['data']]);
    const { body } = await api.call<{ data: { id: string }[] }>('GET', '/v1/taps', api.house.key);
    for (const tap of body.data) {
      const put = await api.call<Answered>('PUT', `/v1/taps/${tap.id}`, api.house.key, tap);
      expect([put.status, Object.keys(put.body)]).toEqual([200, ['data']]);
    }
  });

  test('stands beside what there is to say of the query', async () => {
    const body = { value: 'ferry OR language:xx', qualty: true };
    const answer = await api.call<Answered>('POST', '/v1/rules', token, body);
    expect(answer.body.warnings?.map(({ code }) => code)).toEqual(['unknown_body_field', 'unknown_enum_value']);
  });

  test('of a query that is checked is warned of, and the answer is what it was', async () => {
    const { body } = await api.call<Answered>('POST', '/v1/validate', token, { query: 'ferry', qualiti: false });
    expect(body).toMatchObject({ valid: true, warnings: [ignored('qualiti', 'quality')] });
  });

  test('costs little, however many there are and however long', async () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`valu${index}`, 1]));
    const long = { [`value${'x'.repeat(10_000)}`]: 1 };
    const answer = await api.call<Answered>('POST', '/v1/rules', token, { value: 'ferry', ...long, ...many });
    expect(answer.status).toBe(201);
    expect(answer.body.warnings?.length).toBeLessThanOrEqual(100);
    expect(Math.max(...(answer.body.warnings ?? []).map(({ message }) => message.length))).toBeLessThan(200);
  });
});
