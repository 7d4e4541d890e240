import { describe, expect, onTestFinished, test } from 'vitest';
import { pushover } from '../../../../src/daemon/notify/kinds/pushover.ts';
import { Transports } from '../../../../src/daemon/notify/transport.ts';
import { sinkKindContract } from '../../../contract/sink-kind.ts';
import { checkFields, httpReceiver, jsonOf, laterHeader, type Reply, textIn } from '../http-receiver.ts';
import { itemOf, messageOf } from '../messages.ts';
import { answerTo } from './one-answer.ts';

const SECRETS = { token: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi', user: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG' };

/** A stand-in for Pushover: what https://pushover.net/api asks of a message. */
const receiver = () =>
  httpReceiver({
    configured: (origin) => ({
      options: { url: origin, priority: '2', device: 'droid2', sound: 'bike' },
      secrets: SECRETS,
    }),
    read: (asked, fault) => {
      const json = jsonOf(asked, fault);
      if (asked.method !== 'POST' || asked.path !== '/1/messages.json') fault(`${asked.method} ${asked.path}`);
      const limits = { token: 30, user: 30, title: 250, url: 512, url_title: 100, device: 25, sound: 40 };
      checkFields(
        json,
        { ...limits, message: 2_048, timestamp: null, priority: null, retry: null, expire: null },
        fault,
      );
      if (Array.from(textIn(json, 'message')).length > 1_024) fault('message');
      expect(json).toMatchObject({
        ...SECRETS,
        priority: 2,
        retry: 60,
        expire: 3_600,
        device: 'droid2',
        sound: 'bike',
        timestamp: 1_795_428_000,
      });
      // Neither HTML nor monospace: the text is what it is.
      return {
        text: `${textIn(json, 'title')}\n${textIn(json, 'message')}`,
        links: json['url'] === undefined ? [] : [textIn(json, 'url')],
        alive: [],
      };
    },
    answers: {
      accept: { status: 200, body: '{"status":1,"request":"647d2300-702c-4b38-8b2f-d56326ae460b"}' },
      refuse: {
        status: 400,
        body: '{"user":"invalid","errors":["user identifier is invalid"],"status":0,"request":"5042853c"}',
      },
      fail: { status: 500, body: 'down' },
      later: { status: 429, headers: laterHeader, body: '{"errors":["application is over its quota"],"status":0}' },
    },
  });

sinkKindContract('pushover', () => Promise.resolve(pushover), receiver);

describe('an answer of Pushover', () => {
  test.each<[Reply, object]>([
    [
      { status: 400, body: '{"errors":["a","b"],"status":0}' },
      { outcome: 'refused', detail: 'a; b' },
    ],
    [
      { status: 200, body: '{"errors":["not so"],"status":0}' },
      { outcome: 'refused', detail: 'not so' },
    ],
    [{ status: 200, body: 'a login page' }, { outcome: 'refused' }],
    [{ status: 429, body: '{}' }, { outcome: 'unavailable' }],
  ])('%j is %j', async (reply, outcome) => {
    expect(await answerTo(pushover, { secrets: SECRETS }, reply)).toMatchObject(outcome);
  });

  test('an address that is too long for its field stands in the text', async () => {
    const box = await receiver();
    onTestFinished(() => box.close());
    const url = `https://page.example/${'x'.repeat(560)}`;
    const transports = new Transports({ outside: { now: () => 0 }, userAgent: 'x', environment: {} });
    const lines = Array.from({ length: 40 }, () => ({ typ: 'ins' as const, text: 'Copper rises to 9,400' }));
    const message = messageOf({ items: [itemOf({ url, lines })] });
    expect(await pushover.send(message, box.configured, transports.open(new AbortController().signal))).toMatchObject({
      outcome: 'delivered',
    });
    expect(box.faults).toEqual([]);
    expect(box.received[0]?.text).toContain(url);
    expect(box.received[0]?.text).toMatch(/… \d+ more lines/);
  });
});
