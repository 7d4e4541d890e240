import type { Answered, Configured, MessageItem, SinkKind } from '../sink-kind.ts';
import { type Meaning, outcomeOfReply } from './answers.ts';
import { aServer, below, field, secret } from './fields.ts';
import { characters, plain, plainText, titleOf, webUrl } from '../message-lines.ts';

/** Characters: services behind it have limits of their own, which Apprise keeps to. */
const TEXT = 16_000;
const TITLE = 250;

/**
 * An Apprise API server, which passes a message on to some hundred services: under a key that it keeps their addresses by, or with the
 * addresses themselves.
 *
 * https://github.com/caronc/apprise-api#api-details
 */
export const apprise: SinkKind = {
  name: 'apprise',
  fields: [
    field('url', 'the address of the Apprise API server', { isRequired: true, check: aServer }),
    secret('key', 'the key of a configuration that the server keeps', { check: aKey }),
    secret('urls', 'addresses of Apprise in place of a key, parted by commas', { check: theAddresses }),
    field('tag', 'the tag of those that are meant; all unless given', { check: aTag }),
  ],
  target: ({ url = '' }) => url,
  escape: plain,
  fault: ({ options, secrets }) => {
    if ((secrets['key'] === undefined) === (secrets['urls'] === undefined)) return 'give either key or urls';
    return options['tag'] !== undefined && secrets['key'] === undefined ? 'a tag needs a key' : undefined;
  },
  send: async (message, configured, transport) => {
    const { options, secrets } = configured;
    const url = webUrl(message.url);
    const title = titleOf(message, TITLE);
    const text = plainText(message, { most: TEXT, lengthOf: characters });
    // There is no place for the address but the text.
    const body = [
      ...(text.trim() === '' ? [] : [text]),
      ...(url === undefined || message.text !== undefined ? [] : [url]),
    ];
    const reply = await transport.http({
      method: 'POST',
      url: addressOf(configured),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        title,
        body: body.length === 0 ? title : body.join('\n'),
        type: TYPES[message.type] ?? 'info',
        format: 'text',
        ...(options['tag'] !== undefined && { tag: options['tag'] }),
        ...(secrets['urls'] !== undefined && { urls: secrets['urls'] }),
      }),
    });
    return outcomeOfReply(reply, configured, meaningOf);
  },
};

function addressOf({ options, secrets }: Configured): string {
  const { key } = secrets;
  return below(options['url'] ?? '', key === undefined ? '/notify/' : `/notify/${key}`);
}

const TYPES: Readonly<Partial<Record<MessageItem['type'] | 'digest' | 'test', string>>> = {
  problem: 'warning',
  recovery: 'success',
};

/** 204 is no success: nothing was sent to anybody. 424: some of the services did not take it. */
function meaningOf({ status }: Answered): Meaning | undefined {
  if (status === 204)
    return { outcome: 'refused', detail: 'nothing is kept under the key, or nothing there has the tag' };
  return status === 424
    ? {
        outcome: 'unavailable',
        detail: 'at least one of the services did not take the message; see the log of Apprise',
      }
    : undefined;
}

function aKey(value: string): string | undefined {
  return /^[-_A-Za-z0-9]{1,128}$/.test(value) ? undefined : 'must be letters, digits, _ or -';
}

function theAddresses(value: string): string | undefined {
  return /^[\x20-\x7e]{1,8192}$/.test(value) && value.includes('://')
    ? undefined
    : 'must be addresses as Apprise has them: ntfy://…';
}

function aTag(value: string): string | undefined {
  return /^[-_A-Za-z0-9, ]{1,200}$/.test(value) ? undefined : 'must be names of tags';
}
