import type { Answered, Message, SinkKind } from '../sink-kind.ts';
import { jsonOf, type Meaning, outcomeOfReply } from './answers.ts';
import { aNumber, aServer, below, field, secret } from './fields.ts';
import { plain, plainText, type Room, titleOf, webUrl } from '../message-lines.ts';

const SERVER = 'https://api.pushover.net';
/** Characters of a message, of its title, of an address and of what is shown for that. */
const ROOM: Room = { most: 1_024, lengthOf: (text) => Array.from(text).length };
const TITLE = 250;
const URL_LENGTH = 512;
/** Characters that a text has to have beside an address. */
const LEAST_TEXT = 300;
/** Seconds: how often an emergency sounds, and for how long. */
const EMERGENCY = { retry: 60, expire: 3_600 };

/**
 * A message to a user or a group, as plain text.
 *
 * https://pushover.net/api#messages
 * https://pushover.net/api#limits
 * https://pushover.net/api#friendly
 */
export const pushover: SinkKind = {
  name: 'pushover',
  fields: [
    secret('token', 'the API token of the application', { isRequired: true, check: aKey }),
    secret('user', 'the key of the user or group', { isRequired: true, check: aKey }),
    field('device', 'names of devices, parted by commas; all unless given', { check: devices }),
    field('priority', 'from -2 (silent) to 2 (until it is acknowledged, for an hour)', { check: aNumber(-2, 2) }),
    field('sound', 'the name of a sound', { check: aSound }),
    field('url', 'the address of another server of the same API', { check: aServer }),
  ],
  target: ({ url }) => (url === undefined ? 'Pushover' : `Pushover at ${url}`),
  escape: plain,
  send: async (message, configured, transport) => {
    const { options, secrets } = configured;
    const priority = options['priority'] === undefined ? undefined : Number(options['priority']);
    const reply = await transport.http({
      method: 'POST',
      url: below(options['url'] ?? SERVER, '/1/messages.json'),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        token: secrets['token'],
        user: secrets['user'],
        ...textsOf(message),
        timestamp: Math.floor(Date.parse(message.at) / 1_000),
        ...(priority !== undefined && { priority }),
        ...(priority === 2 && EMERGENCY),
        ...(options['device'] !== undefined && { device: options['device'] }),
        ...(options['sound'] !== undefined && { sound: options['sound'] }),
      }),
    });
    return outcomeOfReply(reply, configured, meaningOf);
  },
};

function textsOf(message: Message): object {
  const url = webUrl(message.url);
  const title = titleOf(message, TITLE);
  // A long address has no field: it stands in the text, where there is room for a part of both.
  const isInText = url !== undefined && url.length > URL_LENGTH && url.length < ROOM.most - LEAST_TEXT;
  const text = plainText(message, isInText ? { ...ROOM, most: ROOM.most - url.length - 1 } : ROOM);
  return {
    title,
    // An empty one is refused.
    message: [...(text.trim() === '' ? [title] : [text]), ...(isInText ? [url] : [])].join('\n'),
    ...(url !== undefined && url.length <= URL_LENGTH && { url, url_title: 'open the page' }),
  };
}

/** `{ "status": 1, "request" }`; else 4xx with `errors`, and the same input is not to be sent again. */
function meaningOf(answer: Answered): Meaning | undefined {
  const json = jsonOf(answer);
  const { errors } = json;
  const detail = Array.isArray(errors) ? errors.filter((error) => typeof error === 'string').join('; ') : '';
  if (answer.status === 200 && json['status'] !== 1) return { outcome: 'refused', detail: detail || answer.body };
  if (answer.status === 429) return { outcome: 'unavailable', detail };
  return answer.status >= 400 && answer.status < 500 && detail !== '' ? { outcome: 'refused', detail } : undefined;
}

function aKey(value: string): string | undefined {
  return /^[A-Za-z0-9]{30}$/.test(value) ? undefined : 'must be 30 letters and digits';
}

function devices(value: string): string | undefined {
  return /^[-_A-Za-z0-9]{1,25}(?:,[-_A-Za-z0-9]{1,25}){0,9}$/.test(value)
    ? undefined
    : 'must be names of at most 25 letters, digits, _ or -, parted by commas';
}

function aSound(value: string): string | undefined {
  return /^[-_A-Za-z0-9]{1,40}$/.test(value) ? undefined : 'must be the name of a sound of Pushover';
}
