import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { discord } from '../../../../src/daemon/notify/kinds/discord.ts';
import { LATER_MS, type Received, sinkKindContract } from '../../../contract/sink-kind.ts';
import { checkFields, httpReceiver, jsonOf, type Reply, textIn } from '../http-receiver.ts';
import { answerTo } from './one-answer.ts';

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });

/**
 * A stand-in for the webhooks of Discord: what https://discord.com/developers/docs/resources/webhook#execute-webhook and
 * https://discord.com/developers/docs/resources/message#embed-object-embed-limits ask of a message.
 */
const receiver = () =>
  httpReceiver({
    configured: (origin) => ({
      options: { thread: '1234567890123456789' },
      secrets: {
        url: `${origin}/api/webhooks/223704706495545344/3d89bb7572e0fb30d8128367b3b1b44fecd1726de135cbe28a41f8b2f777c372ba2939`,
      },
    }),
    read: (asked, fault) => {
      const json = jsonOf(asked, fault);
      const { pathname, searchParams } = new URL(asked.path, 'http://a.test');
      if (asked.method !== 'POST' || !pathname.startsWith('/api/webhooks/223704706495545344/')) fault(pathname);
      if (searchParams.get('wait') !== 'true' || searchParams.get('thread_id') !== '1234567890123456789')
        fault('query');
      checkFields(json, { content: 2_000, embeds: null, flags: null, allowed_mentions: null }, fault);
      // What the text says of mentions does not matter then.
      expect(json['allowed_mentions']).toEqual({ parse: [] });
      if (json['content'] !== undefined) {
        if (json['flags'] !== 4) fault('previews');
        return read(textIn(json, 'content'));
      }
      const embeds = json['embeds'] as readonly Record<string, unknown>[];
      const [embed = {}] = embeds;
      if (embeds.length !== 1) fault(`${embeds.length} embeds`);
      checkFields(embed, { title: 256, description: 4_096, url: 2_048, timestamp: 40 }, fault);
      const title = read(textIn(embed, 'title'));
      const description = read(textIn(embed, 'description'));
      const links = embed['url'] === undefined ? [] : [textIn(embed, 'url')];
      if (links.some((link) => !/^https?:/.test(link))) fault('url');
      return {
        text: `${title.text}\n${description.text}`,
        links: [...links, ...title.links, ...description.links],
        alive: [...title.alive, ...description.alive],
      };
    },
    answers: {
      accept: { status: 200, body: '{"id":"1"}' },
      refuse: { status: 400, body: '{"code":50035,"message":"Invalid Form Body"}' },
      fail: { status: 502, body: 'bad gateway' },
      gone: { status: 404, body: '{"message":"Unknown Webhook","code":10015}' },
      later: {
        status: 429,
        body: JSON.stringify({ message: 'You are being rate limited.', retry_after: LATER_MS / 1_000, global: false }),
      },
    },
  });

/** By CommonMark, which Discord’s reading comes from; and what only Discord knows, where no backslash stands before it. */
function read(text: string): Received {
  const inline = markdown
    .parse(text, {})
    .flatMap((token) => (token.type === 'inline' ? (token.children ?? []) : [token]));
  const links = inline.filter(({ type }) => type === 'link_open').map((token) => String(token.attrGet('href') ?? ''));
  const known = [
    'text',
    'softbreak',
    'hardbreak',
    'link_open',
    'link_close',
    'paragraph_open',
    'paragraph_close',
    'em_open',
    'em_close',
    's_open',
    's_close',
    'text_special',
  ];
  const strangers = inline.filter(({ type }) => !known.includes(type)).map(({ type }) => type);
  const bare = text.replaceAll(/\\[^\p{L}\p{N}\s]/gu, '').replaceAll(/\]\(<https?:[^\s<>()\\]*>\)/g, ']');
  const calls = [...bare.matchAll(/<[@#:!/t][^>]*>|@(?:everyone|here)|https?:\/\/\S|:\w+:|\|\||`/g)].map(
    ([call]) => call,
  );
  return {
    text: inline.map(({ content, type }) => (type === 'softbreak' || type === 'hardbreak' ? '\n' : content)).join(''),
    links,
    alive: [...strangers, ...calls],
  };
}

sinkKindContract('discord', () => Promise.resolve(discord), receiver);

describe('an answer of Discord', () => {
  test.each<[Reply, object]>([
    [{ status: 404, body: '{"code":10015}' }, { outcome: 'gone' }],
    [{ status: 401, body: '{"code":50027}' }, { outcome: 'gone' }],
    [{ status: 404, body: '{"code":10003}' }, { outcome: 'refused' }],
    [
      { status: 429, body: '{"retry_after":64.57}' },
      { outcome: 'unavailable', retryAfterMs: 64_570 },
    ],
    [
      { status: 429, body: 'blocked', headers: { 'retry-after': '9' } },
      { outcome: 'unavailable', retryAfterMs: 9_000 },
    ],
    [
      { status: 429, body: '{"retry_after":1e300}' },
      { outcome: 'unavailable', retryAfterMs: 86_400_000 },
    ],
  ])('%j is %j', async (reply, outcome) => {
    expect(await answerTo(discord, { secrets: { url: 'https://discord.com/api/webhooks/1/x' } }, reply)).toMatchObject(
      outcome,
    );
  });
});
