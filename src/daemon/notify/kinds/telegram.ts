import type { Answered, Message, SinkKind } from '../sink-kind.ts';
import { isObject, jsonOf, type Meaning, numberIn, outcomeOfReply, textIn } from './answers.ts';
import { aNumber, aServer, below, field, oneOf, secret } from './fields.ts';
import { chatHtml, htmlLine, htmlLink, textOfHtml } from './markup.ts';
import { characters, cut, fitted, linesOf, titleOf, webUrl, within } from '../message-lines.ts';

const SERVER = 'https://api.telegram.org';
/** Characters of a message, which Telegram counts without its mark-up and we with it; and of a title. */
const TEXT = 4_096;
const TITLE = 600;

/**
 * A message of a bot, in HTML; what it links to is not previewed.
 *
 * https://core.telegram.org/bots/api#sendmessage
 * https://core.telegram.org/bots/api#html-style
 * https://core.telegram.org/bots/api#responseparameters
 */
export const telegram: SinkKind = {
  name: 'telegram',
  fields: [
    secret('token', 'the token of the bot, as @BotFather gives it', { isRequired: true, check: aBotToken }),
    field('chat', 'the id of the chat, or @channel', { isRequired: true, check: aChat }),
    field('topic', 'the id of a topic of the chat', { check: aNumber(1, 999_999) }),
    field('silent', 'yes: without a sound', { check: oneOf('yes', 'no') }),
    field('url', 'the address of a Bot API server of one’s own', { check: aServer }),
  ],
  target: ({ chat = '' }) => `the chat ${chat} of Telegram`,
  escape: chatHtml,
  send: async (message, configured, transport) => {
    const { options, secrets } = configured;
    const reply = await transport.http({
      method: 'POST',
      url: below(options['url'] ?? SERVER, `/bot${secrets['token'] ?? ''}/sendMessage`),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        chat_id: options['chat'],
        text: textOf(message),
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        ...(options['topic'] !== undefined && { message_thread_id: Number(options['topic']) }),
        ...(options['silent'] === 'yes' && { disable_notification: true }),
      }),
    });
    return outcomeOfReply(reply, configured, meaningOf);
  },
};

function textOf(message: Message): string {
  const room = { most: TEXT, lengthOf: characters };
  if (message.text !== undefined) {
    if (message.text.length <= TEXT) return message.text;
    // A tag that is cut in two refuses the message.
    return cut(escapedWhole(textOfHtml(message.text)), room, (kept) => kept.replace(/&[#a-z0-9]{0,5}$/, ''));
  }
  const title = `<b>${htmlLink(within(titleOf(message), TITLE, chatHtml), webUrl(message.url))}</b>`;
  const lines = linesOf(message);
  return lines.length === 0
    ? title
    : `${title}\n${fitted(lines, htmlLine, { ...room, most: TEXT - title.length - 1 })}`;
}

/** Line by line, as its line ends are kept. */
function escapedWhole(text: string): string {
  return text.split('\n').map(chatHtml).join('\n');
}

/** `{ "ok": false, "error_code", "description", "parameters": { "retry_after", "migrate_to_chat_id" } }`. */
function meaningOf(answer: Answered): Meaning | undefined {
  const json = jsonOf(answer);
  const description = textIn(json, 'description');
  const parameters = isObject(json['parameters']) ? json['parameters'] : {};
  const seconds = numberIn(parameters, 'retry_after');
  if (answer.status === 429 && seconds !== undefined) {
    return { outcome: 'unavailable', detail: description, retryAfterMs: seconds * 1_000 };
  }
  const moved = numberIn(parameters, 'migrate_to_chat_id');
  if (moved !== undefined)
    return { outcome: 'refused', detail: `${description}; its id is ${moved} now: set chat to it` };
  if (answer.status === 403 && /blocked|kicked|deactivated|not a member/.test(description)) {
    return { outcome: 'gone', detail: description };
  }
  // With status 200 as well.
  return json['ok'] === false && answer.status < 300 ? { outcome: 'refused', detail: description } : undefined;
}

function aBotToken(value: string): string | undefined {
  return /^\d{1,20}:[-_A-Za-z0-9]{10,100}$/.test(value)
    ? undefined
    : 'must be as @BotFather gives it: digits, a colon, letters';
}

function aChat(value: string): string | undefined {
  return /^(?:-?\d{1,20}|@[A-Za-z0-9_]{1,64})$/.test(value)
    ? undefined
    : 'must be a number, or @ and the name of a channel';
}
