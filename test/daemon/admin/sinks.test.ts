import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAdminServer } from '../../../src/daemon/admin/server.ts';
import type { SinkLogEntry, SinkReport, SinkTestReport } from '../../../src/shared/api/notify.ts';
import { SINKS } from '../../../src/shared/limits.ts';
import { RecordingLog } from '../http/api.ts';
import { documentOf, numbersOf, openSinkHouse, type SinkHouse } from '../notify/sink-house.ts';
import { uncalledServices } from './uncalled-services.ts';

let house: SinkHouse;
let server: FastifyInstance;
beforeEach(async () => {
  house = await openSinkHouse();
  server = createAdminServer({ ...house, ...uncalledServices, sinks: house.sinks, log: new RecordingLog() });
});
afterEach(() => server.close());

interface Answer<Data> {
  readonly status: number;
  readonly data: Data;
  readonly text: string;
}

async function call<Data = SinkReport>(method: string, url: string, payload?: object): Promise<Answer<Data>> {
  const answer = await server.inject({ method: method as 'GET', url, ...(payload && { payload }) });
  const { data } = answer.payload === '' ? { data: undefined } : (JSON.parse(answer.payload) as { data: unknown });
  return { status: answer.statusCode, data: data as Data, text: answer.payload };
}

const plain = { name: 'phone', kind: 'webhook', options: { url: 'http://phone.example/' } };
const add = (more: object = {}) => call('POST', '/admin/sinks', { ...plain, ...more });

describe('/admin/sinks', () => {
  test('a sink is made with what is usual, and shown by name and by id, without its secrets', async () => {
    const { status, data, text } = await add({ secrets: { token: 'very-secret' } });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      ...plain,
      secrets: ['token'],
      target: 'http://phone.example/',
      taps: 'all',
      watches: 'all',
      problems: { after: 3 },
      query: null,
      digest: null,
      quiet: null,
      zone: 'Europe/Berlin',
      at_most: null,
      template: null,
      state: 'active',
      waiting: null,
      counts: { sent: 0, behind: 0, parked: 0, dropped: 0 },
      last_error: null,
    });
    expect((await call('GET', '/admin/sinks/phone')).data).toEqual(data);
    expect((await call('GET', `/admin/sinks/${data.id}`)).data).toEqual(data);
    expect((await call<SinkReport[]>('GET', '/admin/sinks')).data).toEqual([data]);
    expect(text + JSON.stringify(house.catalog.data)).not.toContain('very-secret');
  });

  test('the secret is what the kind is given', async () => {
    await add({ secrets: { token: 'very-secret' } });
    const { data } = await call<SinkTestReport>('POST', '/admin/sinks/phone/test');
    expect(data).toMatchObject({ outcome: 'delivered', status: 200, detail: '' });
    expect(house.receiver.configured[0]?.secrets).toEqual({ token: 'very-secret' });
    expect(house.receiver.messages[0]).toMatchObject({ id: data.message_id, type: 'test', items: [] });
    const { data: log } = await call<SinkLogEntry[]>('GET', '/admin/sinks/phone/log');
    expect(log).toMatchObject([{ message_id: data.message_id, type: 'test', outcome: 'delivered', attempt: 1 }]);
    expect((await call('GET', '/admin/sinks/phone')).data.counts.sent).toBe(0);
  });

  test('what came back of a test is told, whatever it is', async () => {
    await add();
    house.receiver.answers.push({ outcome: 'refused', status: 401, detail: 'who are you?' });
    const { status, data } = await call<SinkTestReport>('POST', '/admin/sinks/phone/test');
    expect([status, data.outcome, data.status, data.detail]).toEqual([200, 'refused', 401, 'who are you?']);
  });

  test.each([
    ['no URL', { options: {} }, 'options.url'],
    ['a wrong one', { options: { url: 'ftp://x' } }, 'options.url'],
    ['a line break in it', { options: { url: 'http://x\r\ny: z' } }, 'options.url'],
    ['an option that there is none', { options: { url: 'http://x', colour: 'red' } }, 'options.colour'],
    ['a secret among the options', { options: { url: 'http://x', token: 't' } }, 'options.token'],
    ['an option among the secrets', { secrets: { url: 'http://x' } }, 'secrets.url'],
    ['a tap that is not there', { taps: ['nope'] }, 'tap'],
    ['a query that is none', { query: 'title:(' }, 'query'],
    ['a query with a filter that is not there', { query: '$nope' }, 'query'],
    ['a digest too often', { digest: '1m' }, 'digest'],
    ['quiet hours without an end', { quiet: '07:00-07:00' }, 'quiet'],
    ['a zone that is none', { zone: 'Europe/Atlantis' }, 'zone'],
    ['a rate that is none', { at_most: '0/h' }, 'at_most'],
    ['a field that there is none', { template: '{titel}' }, 'template'],
    ['a tag with a comma', { watches: { tags: ['a,b'] } }, 'watches'],
    ['a kind that there is none', { kind: 'pigeon' }, 'kind'],
    ['problems after no failure', { problems: { after: 0 } }, 'problems'],
  ])('%s is refused, and nothing is left of it', async (_, more, what) => {
    const { status, text } = await add(more);
    expect([404, 422]).toContain(status);
    expect(text).toContain(what);
    expect(house.catalog.data.sinks).toEqual([]);
  });

  test('a name is one sink’s, and there is a limit', async () => {
    await add();
    expect(await add()).toMatchObject({ status: 422, text: expect.stringContaining('already') });
    for (let index = 1; index < SINKS; index += 1) await add({ name: `sink ${index}` });
    expect(await add({ name: 'one more' })).toMatchObject({
      status: 422,
      text: expect.stringContaining(String(SINKS)),
    });
  });

  test('an edit changes what it names; a secret is kept, replaced, or forgotten', async () => {
    await add({ secrets: { token: 'one' }, quiet: '22:00-07:00' });
    const { data } = await call('PATCH', '/admin/sinks/phone', { name: 'desk', digest: '08:00', quiet: null });
    expect(data).toMatchObject({
      name: 'desk',
      digest: '08:00',
      quiet: null,
      secrets: ['token'],
      options: plain.options,
    });
    await call('POST', '/admin/sinks/desk/test');
    await call('PATCH', '/admin/sinks/desk', { secrets: { token: 'two' } });
    await call('POST', '/admin/sinks/desk/test');
    expect(house.receiver.configured.map(({ secrets }) => secrets['token'])).toEqual(['one', 'two']);
    expect((await call('PATCH', '/admin/sinks/desk', { secrets: { token: null } })).data.secrets).toEqual([]);
    expect((await call('PATCH', '/admin/sinks/desk', { options: {} })).status).toBe(422);
  });

  test('a secret that was sealed with another secret of the instance is to be set again', async () => {
    await add({ secrets: { token: 'one' } });
    await house.catalog.update((draft) => {
      for (const sink of draft.sinks) sink.secretsSealed = { token: 'v1.AAAA' };
    });
    expect(await call('PATCH', '/admin/sinks/phone', { name: 'desk' })).toMatchObject({
      status: 422,
      text: expect.stringContaining('set it again'),
    });
    expect((await call('PATCH', '/admin/sinks/phone', { secrets: { token: 'two' } })).status).toBe(200);
  });

  test('a tap that is added to it begins now, and one that comes back does, too', async () => {
    const [news, other] = [await house.tap('news'), await house.tap('other')];
    const { data: sink } = await add({ taps: ['news'], problems: null });
    await house.match(other, documentOf(1));
    await call('PATCH', '/admin/sinks/phone', { taps: ['news', 'other'] });
    await house.match(other, documentOf(2));
    await house.match(news, documentOf(3));
    await call('PATCH', '/admin/sinks/phone', { taps: ['other'] });
    await house.match(news, documentOf(4));
    await call('PATCH', '/admin/sinks/phone', { taps: 'all' });
    await house.match(news, documentOf(5));
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages).toSorted()).toEqual([2, 5]);
  });

  test('a sink is another organization’s, and to this one it is not there', async () => {
    await add();
    await call('POST', '/admin/organizations', { name: 'neighbour' });
    const headers = { 'hydrant-organization': 'neighbour' };
    const answer = await server.inject({ method: 'GET', url: '/admin/sinks/phone', headers });
    expect([answer.statusCode, answer.payload.includes('phone.example')]).toEqual([404, false]);
  });

  test('a removed sink leaves nothing', async () => {
    const { data } = await add();
    expect((await call('DELETE', '/admin/sinks/phone')).status).toBe(204);
    expect((await call('GET', '/admin/sinks/phone')).status).toBe(404);
    expect(await house.storage.deliveries.sinkState(data.id)).toBeUndefined();
  });

  test('kinds say what they are told', async () => {
    const { data } = await call<unknown>('GET', '/admin/sink-kinds');
    const url = { name: 'url', is_secret: false, is_required: true, description: 'where to' };
    expect(data).toEqual([
      {
        kind: 'webhook',
        fields: [url, { name: 'token', is_secret: true, is_required: false, description: 'who it is' }],
      },
    ]);
  });

  test('lists are read in pages, and a page that is none is refused', async () => {
    await add();
    for (let index = 0; index < 3; index += 1) await call('POST', '/admin/sinks/phone/test');
    const { data } = await call<SinkLogEntry[]>('GET', '/admin/sinks/phone/log?limit=2&before=3');
    expect(data.map(({ n }) => n)).toEqual([2, 1]);
    for (const query of ['limit=0', 'limit=501', 'before=x']) {
      expect((await call('GET', `/admin/sinks/phone/log?${query}`)).status).toBe(422);
    }
    expect((await call('POST', '/admin/sinks/phone/replay', { since: 'yesterday' })).status).toBe(422);
    expect((await call('POST', '/admin/sinks/phone/replay', {})).status).toBe(422);
  });
});
