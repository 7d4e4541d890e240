import type { Answered, Message, SinkKind } from '../sink-kind.ts';
import { jsonOf, type Meaning, numberIn, outcomeOfReply, textIn } from './answers.ts';
import { aServer, below, field, oneOf, secret } from './fields.ts';
import { chatHtml, htmlLine, htmlLink, textOfHtml, withoutMentions } from './markup.ts';
import { bytes, cut, fitted, linesOf, plainText, titleOf, webUrl, within } from '../message-lines.ts';

/** An event may have 65,536 bytes, with what servers add and with all that JSON escapes. */
const TEXT_BYTES = 8 * 1_024;
const HTML_BYTES = 16 * 1_024;
const TITLE = 500;

/**
 * An event of a room, put there under the id of the message: one that is sent again is none to the server. Without mentions of
 * anybody: an empty `m.mentions` says so to clients that look for names in the text.
 *
 * https://spec.matrix.org/v1.11/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
 * https://spec.matrix.org/v1.11/client-server-api/#mroommessage-msgtypes
 * https://spec.matrix.org/v1.11/client-server-api/#user-and-room-mentions
 * https://spec.matrix.org/v1.11/client-server-api/#rate-limiting
 */
export const matrix: SinkKind = {
  name: 'matrix',
  fields: [
    field('url', 'the address of the home server', { isRequired: true, check: aServer }),
    field('room', 'the id of the room: !…:example.com', { isRequired: true, check: aRoom }),
    secret('token', 'an access token of a user who is in the room', { isRequired: true }),
    field('notice', 'yes: as a notice, which phones are silent about', { check: oneOf('yes', 'no') }),
  ],
  target: ({ url = '', room = '' }) => `${room} at ${url}`,
  escape: chatHtml,
  send: async (message, configured, transport) => {
    const { options, secrets } = configured;
    const path = `/_matrix/client/v3/rooms/${encodeURIComponent(options['room'] ?? '')}/send/m.room.message/${message.id}`;
    const reply = await transport.http({
      method: 'PUT',
      url: below(options['url'] ?? '', path),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secrets['token'] ?? ''}` },
      body: JSON.stringify({
        msgtype: options['notice'] === 'yes' ? 'm.notice' : 'm.text',
        ...textsOf(message),
        format: 'org.matrix.custom.html',
        'm.mentions': {},
      }),
    });
    return outcomeOfReply(reply, configured, meaningOf);
  },
};

function textsOf(message: Message): { body: string; formatted_body: string } {
  const room = { most: TEXT_BYTES, lengthOf: bytes };
  if (message.text !== undefined) {
    const text = withoutMentionsInLines(cut(textOfHtml(message.text), room));
    const isWhole = bytes(message.text) <= HTML_BYTES;
    const html = isWhole ? message.text : text.split('\n').map(chatHtml).join('\n');
    return { body: text, formatted_body: html.replaceAll('\n', '<br>') };
  }
  const url = webUrl(message.url);
  const title = titleOf(message, TITLE);
  const head = url === undefined ? title : `${title}\n${url}`;
  const lines = linesOf(message);
  const html = `<b>${htmlLink(within(titleOf(message), TITLE, chatHtml), url)}</b>`;
  const rest = fitted(lines, htmlLine, { most: HTML_BYTES, lengthOf: bytes });
  return {
    body: withoutMentionsInLines(lines.length === 0 ? head : `${head}\n${plainText(message, room)}`),
    formatted_body: [html, ...(rest === '' ? [] : rest.split('\n'))].join('<br>'),
  };
}

function withoutMentionsInLines(text: string): string {
  return text.split('\n').map(withoutMentions).join('\n');
}

/** `{ "errcode": "M_LIMIT_EXCEEDED", "error", "retry_after_ms" }`: older servers say it there and in no header. */
function meaningOf(answer: Answered): Meaning | undefined {
  const json = jsonOf(answer);
  const code = textIn(json, 'errcode');
  if (code === '') return undefined;
  const detail = `${code}: ${textIn(json, 'error')}`;
  if (answer.status === 429) return { outcome: 'unavailable', detail, retryAfterMs: numberIn(json, 'retry_after_ms') };
  return answer.status >= 400 && answer.status < 500 ? { outcome: 'refused', detail } : undefined;
}

function aRoom(value: string): string | undefined {
  return /^![\x21-\x7e]{1,254}$/.test(value)
    ? undefined
    : 'must be the id of a room, which begins with !; an alias is none';
}
