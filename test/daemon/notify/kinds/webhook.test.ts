import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { HttpRequest, Transport } from '../../../../src/daemon/notify/sink-kind.ts';
import { webhook } from '../../../../src/daemon/notify/kinds/webhook.ts';
import { sinkKindContract } from '../../../contract/sink-kind.ts';
import { httpReceiver, jsonOf, laterHeader } from '../http-receiver.ts';
import { itemOf, messageOf } from '../messages.ts';

const SECRET = `whsec_${Buffer.from('k'.repeat(32)).toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.from('o'.repeat(24)).toString('base64')}`;

/** A receiver that verifies each message with the library of Standard Webhooks, by either secret. */
const receiver = () =>
  httpReceiver({
    isProgram: true,
    configured: (origin) => ({
      options: { url: `${origin}/hooks` },
      secrets: {
        path: '/in/8f3kq0?key=hidden-key',
        secret: `${SECRET} ${OLD_SECRET}`,
        authorization: 'Bearer receivers-word',
      },
    }),
    read: (asked, fault) => {
      const json = jsonOf(asked, fault);
      if (asked.method !== 'POST' || asked.path !== '/hooks/in/8f3kq0?key=hidden-key')
        fault(`${asked.method} ${asked.path}`);
      if (asked.headers.authorization !== 'Bearer receivers-word') fault('authorization');
      if (asked.headers['webhook-id'] !== (json['data'] as { id: string }).id) fault('webhook-id');
      const headers = Object.fromEntries(
        ['id', 'timestamp', 'signature'].map((name) => [`webhook-${name}`, String(asked.headers[`webhook-${name}`])]),
      );
      for (const secret of [SECRET, OLD_SECRET]) new Webhook(secret).verify(asked.body, headers);
      return {
        text: `${readable(json)}${asked.body.includes('"is_cut":true') ? ' is_cut' : ''}`,
        links: [],
        alive: [],
      };
    },
    answers: {
      accept: { status: 204 },
      refuse: { status: 422, body: 'unknown type' },
      fail: { status: 503, body: 'down' },
      gone: { status: 410, body: 'no more' },
      later: { status: 429, headers: laterHeader },
    },
  });

/** A program reads JSON, in which control characters are escaped; a reader is shown what it makes of it. */
function readable(json: Record<string, unknown>): string {
  const data = json['data'] as {
    title: string;
    url?: string;
    text?: string;
    more?: number;
    items: { title: string; url?: string; lines: { typ: string; text: string }[]; labels: object }[];
  };
  const lines = data.items.flatMap((item) => [
    item.title,
    item.url ?? '',
    ...item.lines.map(({ text }) => text),
    JSON.stringify(item.labels),
  ]);
  const text = [data.title, data.url ?? '', data.text ?? '', `and ${data.more ?? 0} more`, ...lines].join('\n');
  if (/[\u{e0000}-\u{e007f}]/u.test(text)) throw new Error('tag characters');
  return text.replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu, (found) => (found === '\n' ? found : '?'));
}

sinkKindContract('webhook', () => Promise.resolve(webhook), receiver);

describe('a webhook', () => {
  const asked: HttpRequest[] = [];
  const transport = {
    signal: new AbortController().signal,
    now: () => 1_674_087_231_999,
    http: (request: HttpRequest) => (asked.push(request), Promise.resolve({ status: 200, body: '' })),
    connect: () => Promise.reject(new Error('no connection is wanted')),
    run: () => Promise.reject(new Error('no command is wanted')),
  } satisfies Transport;

  test('is signed for each attempt, by the time of that attempt; its id and its body stay', async () => {
    const configured = { sinkId: 's', name: 'n', options: { url: 'http://a.test/' }, secrets: { secret: SECRET } };
    await webhook.send(messageOf(), configured, transport);
    await webhook.send(messageOf(), configured, { ...transport, now: () => 1_674_087_300_000 });
    const [first, second] = asked.splice(0);
    expect(first?.headers).toMatchObject({ 'webhook-id': 'msg_snk1-0-42', 'webhook-timestamp': '1674087231' });
    expect(second?.headers).toMatchObject({ 'webhook-id': 'msg_snk1-0-42', 'webhook-timestamp': '1674087300' });
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
  });

  test('without a secret has no signature', async () => {
    await webhook.send(
      messageOf(),
      { sinkId: 's', name: 'n', options: { url: 'http://a.test/' }, secrets: {} },
      transport,
    );
    expect(Object.keys(asked.splice(0)[0]?.headers ?? {})).toEqual(['content-type', 'webhook-id', 'webhook-timestamp']);
  });

  test('has the news as the API has it, and leaves that out first when it is too long', async () => {
    const configured = { sinkId: 's', name: 'n', options: { url: 'http://a.test/' }, secrets: {} };
    const bodyOf = async (payload: unknown): Promise<unknown> => {
      await webhook.send(messageOf({ items: [itemOf({ payload })] }), configured, transport);
      return JSON.parse(asked.splice(0)[0]?.body ?? '');
    };
    expect(await bodyOf({ tap_id: 't' })).toMatchObject({
      type: 'match',
      timestamp: '2026-11-23T10:00:00.000Z',
      data: { id: 'msg_snk1-0-42', items: [{ title: 'Prices of copper', payload: { tap_id: 't' } }] },
    });
    const cut = (await bodyOf({ text: 'x'.repeat(300_000) })) as { data: { is_cut: boolean; items: object[] } };
    expect(cut.data.is_cut).toBe(true);
    expect(cut.data.items[0]).not.toHaveProperty('payload');
    expect(cut.data.items[0]).toHaveProperty('lines');
  });

  test.each([
    ['nothing to sign with', 'whsec_'],
    ['too short', `whsec_${Buffer.from('short').toString('base64')}`],
    ['too long', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['no base64', `whsec_${'ä'.repeat(40)}`],
    ['without its name', Buffer.alloc(32).toString('base64')],
    ['three of them', `${SECRET} ${SECRET} ${SECRET}`],
  ])('a secret that is %s is refused', (_, secret) => {
    expect(webhook.fields.find(({ name }) => name === 'secret')?.check?.(secret)).toContain('must be whsec_');
  });

  test('a path that leads elsewhere is refused', () => {
    const check = webhook.fields.find(({ name }) => name === 'path')?.check;
    for (const path of ['x', '/a b', '/a#b', '/\\evil', '/a\r\nx: y']) expect(check?.(path)).toContain('must begin');
    const fault = webhook.fault?.({
      sinkId: 's',
      name: 'n',
      options: { url: 'http://a.test:8' },
      secrets: { path: '/p' },
    });
    expect(fault).toBeUndefined();
  });
});
