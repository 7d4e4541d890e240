import type { Configured, Message, SinkKind, Texts } from '../sink-kind.ts';
import { basicAuthorization, outcomeOfReply } from './answers.ts';
import { aNumber, aServer, below, field, secret, words } from './fields.ts';
import { bytes, plain, plainText, titleOf, webUrl } from '../message-lines.ts';

const NTFY_SH = 'https://ntfy.sh';
/** A longer text becomes a file that the phone does not show; a longer body than twice that is refused. */
const MESSAGE_BYTES = 4_096;
const BODY_BYTES = 2 * MESSAGE_BYTES;
/** Characters of a title. */
const TITLE = 250;

/**
 * Publishes as JSON, at the root of an ntfy server. The text is plain: phones show no Markdown. `sequence_id` is the id of the
 * message, so that a server from 2.16 on shows one that comes a second time in place of the first.
 *
 * https://docs.ntfy.sh/publish/#publish-as-json
 */
export const ntfy: SinkKind = {
  name: 'ntfy',
  fields: [
    field('url', 'the address of the ntfy server; https://ntfy.sh unless given', { check: aServer }),
    field('topic', 'the topic that is subscribed to on the phone', { isRequired: true, check: aTopic }),
    field('priority', 'from 1 (no sound) to 5 (long and loud); 3 unless given', { check: aNumber(1, 5) }),
    field('tags', 'tags or names of emoji, parted by commas', { check: tagNames }),
    field('user', 'the user, where the server asks for one and a password'),
    secret('password', 'the password of the user', { check: aPassword }),
    secret('token', 'an access token in place of both: tk_…'),
  ],
  target: ({ url = NTFY_SH, topic = '' }) => below(url, `/${topic}`),
  escape: plain,
  fault: ({ options, secrets }) => {
    if (secrets['token'] !== undefined && options['user'] !== undefined)
      return 'a token takes the place of user and password';
    return (options['user'] === undefined) === (secrets['password'] === undefined)
      ? undefined
      : 'user and password belong together';
  },
  send: async (message, configured, transport) => {
    const { options } = configured;
    const authorization = authorizationOf(configured);
    const reply = await transport.http({
      method: 'POST',
      url: below(options['url'] ?? NTFY_SH, '/'),
      headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
      body: bodyOf(message, options),
    });
    return outcomeOfReply(reply, configured);
  },
};

function authorizationOf({ options, secrets }: Configured): string | undefined {
  if (secrets['token'] !== undefined) return `Bearer ${secrets['token']}`;
  return options['user'] === undefined ? undefined : basicAuthorization(options['user'], secrets['password'] ?? '');
}

/** In JSON a character may take several bytes more: the text is shortened until all of it fits. */
function bodyOf(message: Message, options: Texts): string {
  const url = webUrl(message.url);
  const given = words(options['tags']);
  const tags = [...(TAGS[message.type] ?? []), ...given];
  const about = {
    topic: options['topic'],
    title: titleOf(message, TITLE),
    ...(options['priority'] !== undefined && { priority: Number(options['priority']) }),
    ...(tags.length > 0 && { tags }),
    ...(url !== undefined && { click: url }),
    ...(message.id.length <= 64 && { sequence_id: message.id }),
  };
  for (let most = MESSAGE_BYTES; ; most = Math.floor(most / 2)) {
    const text = plainText(message, { most, lengthOf: bytes });
    // An empty message is shown as "triggered".
    const body = JSON.stringify({ ...about, message: text.trim() === '' ? about.title : text });
    if (bytes(body) <= BODY_BYTES || most < 100) return body;
  }
}

const TAGS: Readonly<Record<string, readonly string[]>> = { problem: ['warning'], recovery: ['white_check_mark'] };

function aTopic(value: string): string | undefined {
  return /^[-_A-Za-z0-9]{1,64}$/.test(value) ? undefined : 'must be at most 64 letters, digits, _ or -';
}

function tagNames(value: string): string | undefined {
  const tags = words(value);
  const areWell = tags.length <= 10 && tags.every((tag) => /^[-_+\p{L}\p{N}]{1,64}$/u.test(tag));
  return areWell ? undefined : 'must be at most 10 words parted by commas';
}

function aPassword(value: string): string | undefined {
  return /^\P{Cc}{1,1000}$/u.test(value) ? undefined : 'must be one line of at most 1,000 characters';
}
