import { describe, expect, test } from 'vitest';
import { apprise } from '../../../../src/daemon/notify/kinds/apprise.ts';
import { sinkKindContract } from '../../../contract/sink-kind.ts';
import { checkFields, httpReceiver, jsonOf, laterHeader, type Reply, type Service, textIn } from '../http-receiver.ts';
import { answerTo } from './one-answer.ts';

/** A stand-in for the Apprise API server: what https://github.com/caronc/apprise-api#api-details asks of a message. */
function server(sink: ReturnType<Service['configured']>, path: string): Service {
  return {
    configured: (origin) => ({ options: { url: origin, ...sink.options }, secrets: sink.secrets }),
    read: (asked, fault) => {
      const json = jsonOf(asked, fault);
      if (asked.method !== 'POST' || asked.path !== path) fault(`${asked.method} ${asked.path}`);
      checkFields(json, { title: 250, body: 32_768, type: 8, format: 8, tag: 200, urls: 8_192 }, fault);
      if (!['info', 'success', 'warning', 'failure'].includes(textIn(json, 'type'))) fault('type');
      // What it makes of it for a service with mark-up it escapes itself.
      if (json['format'] !== 'text') fault('format');
      if (json['tag'] !== sink.options['tag'] || json['urls'] !== sink.secrets['urls']) fault('tag or urls');
      return { text: `${textIn(json, 'title')}\n${textIn(json, 'body')}`, links: [], alive: [] };
    },
    answers: {
      accept: { status: 200, body: 'ok' },
      refuse: { status: 400, body: 'bad request' },
      fail: { status: 424, body: 'failed dependency' },
      later: { status: 429, headers: laterHeader },
    },
  };
}

const kept = { options: { tag: 'family' }, secrets: { key: 'kEy_9-0a' } };
const stateless = { options: {}, secrets: { urls: 'mailto://user:pass99@gmail.example,ntfy://topic77' } };

sinkKindContract(
  'apprise, with a key',
  () => Promise.resolve(apprise),
  () => httpReceiver(server(kept, '/notify/kEy_9-0a')),
);
sinkKindContract(
  'apprise, with addresses',
  () => Promise.resolve(apprise),
  () => httpReceiver(server(stateless, '/notify/')),
);

describe('a sink of Apprise', () => {
  const sink = { options: { url: 'http://a.test' }, secrets: { key: 'k' } };

  test.each<[Reply, object]>([
    [
      { status: 204 },
      { outcome: 'refused', status: 204, detail: expect.stringContaining('nothing is kept') as unknown },
    ],
    [
      { status: 424, body: 'one failed' },
      { outcome: 'unavailable', status: 424 },
    ],
    [{ status: 404 }, { outcome: 'refused', detail: '404 Not Found' }],
  ])('makes of %j %j', async (reply, outcome) => {
    expect(await answerTo(apprise, sink, reply)).toMatchObject(outcome);
  });

  test('has a key or addresses, and a tag with a key alone', () => {
    const fault = (options: Record<string, string>, secrets: Record<string, string>) =>
      apprise.fault?.({ sinkId: 's', name: 'n', options, secrets });
    expect(fault({}, {})).toBe('give either key or urls');
    expect(fault({}, { key: 'a', urls: 'b://' })).toBe('give either key or urls');
    expect(fault({ tag: 'a' }, { urls: 'b://' })).toBe('a tag needs a key');
    expect(fault({ tag: 'a' }, { key: 'a' })).toBeUndefined();
  });
});
