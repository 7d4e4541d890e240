import type { SinkKind } from '../sink-kind.ts';
import { outcomeOfReply } from './answers.ts';
import { aNumber, aServer, below, field, secret } from './fields.ts';
import { characters, plain, plainText, titleOf, webUrl } from '../message-lines.ts';

/** Characters: Gotify names no limit, and a phone shows less. */
const TEXT = 8_000;
const TITLE = 250;

/**
 * A message of an application. Plain text: in Markdown a page's image would be loaded by who reads it.
 *
 * https://gotify.net/docs/pushmsg
 * https://gotify.net/docs/msgextras
 */
export const gotify: SinkKind = {
  name: 'gotify',
  fields: [
    field('url', 'the address of the Gotify server', { isRequired: true, check: aServer }),
    secret('token', 'the token of the application', { isRequired: true }),
    field('priority', 'from 0 to 10; 5 unless given', { check: aNumber(0, 10) }),
  ],
  target: ({ url = '' }) => url,
  escape: plain,
  send: async (message, configured, transport) => {
    const { options, secrets } = configured;
    const url = webUrl(message.url);
    const title = titleOf(message, TITLE);
    const text = plainText(message, { most: TEXT, lengthOf: characters });
    const reply = await transport.http({
      method: 'POST',
      url: below(options['url'] ?? '', '/message'),
      headers: { 'content-type': 'application/json', 'x-gotify-key': secrets['token'] ?? '' },
      body: JSON.stringify({
        title,
        // An empty one is refused.
        message: text.trim() === '' ? title : text,
        priority: Number(options['priority'] ?? 5),
        extras: {
          'client::display': { contentType: 'text/plain' },
          ...(url !== undefined && { 'client::notification': { click: { url } } }),
        },
      }),
    });
    return outcomeOfReply(reply, configured);
  },
};
