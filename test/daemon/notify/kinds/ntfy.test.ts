import { describe, expect, test } from 'vitest';
import { ntfy } from '../../../../src/daemon/notify/kinds/ntfy.ts';
import { sinkKindContract } from '../../../contract/sink-kind.ts';
import { checkFields, httpReceiver, jsonOf, laterHeader, type Service, textIn } from '../http-receiver.ts';

/**
 * A stand-in for the ntfy server, which is in no package of Debian: it asks of a message what
 * https://docs.ntfy.sh/publish/#publish-as-json and #limitations say.
 */
function server(
  authorization: string,
  sink: Pick<ReturnType<Service['configured']>, 'secrets'> & { readonly options: Record<string, string> },
): Service {
  return {
    configured: (origin) => ({
      options: { url: origin, topic: 'alerts', priority: '4', tags: 'copper,warning', ...sink.options },
      secrets: sink.secrets,
    }),
    read: (asked, fault) => {
      const json = jsonOf(asked, fault);
      if (asked.method !== 'POST' || asked.path !== '/') fault(`${asked.method} ${asked.path}`);
      if (asked.headers.authorization !== authorization) fault('authorization');
      // 41303: the JSON may be twice as long as a message.
      if (Buffer.byteLength(asked.body) > 8_192) fault('the body is too large');
      checkFields(
        json,
        { topic: 64, title: 1_000, message: 4_096, tags: null, priority: null, click: 2_048, sequence_id: 64 },
        fault,
      );
      if (Buffer.byteLength(textIn(json, 'message')) > 4_096) fault('the message becomes an attachment');
      if (json['topic'] !== 'alerts' || json['priority'] !== 4) fault('topic or priority');
      if (!/^[-_A-Za-z0-9]{1,64}$/.test(textIn(json, 'sequence_id'))) fault('sequence_id');
      if (!Array.isArray(json['tags']) || json['tags'].some((tag) => typeof tag !== 'string')) fault('tags');
      return {
        text: `${textIn(json, 'title')}\n${textIn(json, 'message')}`,
        links: json['click'] === undefined ? [] : [textIn(json, 'click')],
        alive: [],
      };
    },
    answers: {
      accept: { status: 200, body: '{"id":"sPs71M8A2T","event":"message"}' },
      refuse: { status: 403, body: '{"code":40301,"http":403,"error":"forbidden"}' },
      fail: { status: 507, body: '{"code":50701,"http":507,"error":"cannot publish to UnifiedPush topic"}' },
      later: {
        status: 429,
        headers: laterHeader,
        body: '{"code":42901,"http":429,"error":"limit reached: too many requests"}',
      },
    },
  };
}

sinkKindContract(
  'ntfy, with a token',
  () => Promise.resolve(ntfy),
  () =>
    httpReceiver(
      server('Bearer tk_agqbyh0dxyt3vn1hd8kh27ssoc', {
        options: {},
        secrets: { token: 'tk_agqbyh0dxyt3vn1hd8kh27ssoc' },
      }),
    ),
);

sinkKindContract(
  'ntfy, with a user and a password',
  () => Promise.resolve(ntfy),
  () =>
    httpReceiver(
      server(`Basic ${Buffer.from('phil:pässword').toString('base64')}`, {
        options: { user: 'phil' },
        secrets: { password: 'pässword' },
      }),
    ),
);

describe('a sink of ntfy', () => {
  const configured = (options: Record<string, string>, secrets: Record<string, string> = {}) => ({
    sinkId: 's',
    name: 'n',
    options,
    secrets,
  });

  test('leads to ntfy.sh unless it is said where to', () => {
    expect(ntfy.target({ topic: 'alerts' })).toBe('https://ntfy.sh/alerts');
    expect(ntfy.target({ url: 'http://ntfy.lan/', topic: 'alerts' })).toBe('http://ntfy.lan/alerts');
  });

  test('has either a token or a user with a password', () => {
    const fault = (options: Record<string, string>, secrets?: Record<string, string>) =>
      ntfy.fault?.(configured(options, secrets));
    expect(fault({})).toBeUndefined();
    expect(fault({ user: 'a' })).toBe('user and password belong together');
    expect(fault({}, { password: 'a' })).toBe('user and password belong together');
    expect(fault({ user: 'a' }, { password: 'a', token: 'b' })).toContain('a token takes the place');
  });

  test.each([
    ['topic', ['a/b', '', 'x'.repeat(65), 'ä']],
    ['priority', ['0', '6', 'high', '1.5']],
    ['url', ['ntfy.sh', 'ftp://a/', 'https://u:p@a/', 'https://a/?x']],
  ])('refuses a %s that is none', (name, values) => {
    const check = ntfy.fields.find((one) => one.name === name)?.check;
    for (const value of values) expect(check?.(value)).toContain('must');
  });
});
