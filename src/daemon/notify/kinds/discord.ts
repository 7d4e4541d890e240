import type { Answered, Message, SinkKind } from '../sink-kind.ts';
import { jsonOf, type Meaning, numberIn, outcomeOfReply } from './answers.ts';
import { anAddress, field, secret } from './fields.ts';
import { characters, cut, fitted, linesOf, type Rendered, titleOf, webUrl, within } from '../message-lines.ts';
import { printable } from '../../../shared/text/printable.ts';

/** Characters of the text of a message, of the title of an embed and of its text; all of an embed may have 6,000. */
const CONTENT = 2_000;
const TITLE = 256;
const DESCRIPTION = 4_096;
/** `SUPPRESS_EMBEDS`: no previews of what is linked to. */
const NO_PREVIEWS = 4;

/**
 * Executes a webhook: an embed with the title and what came and went, or the text of a template. Nobody is mentioned, whatever
 * stands in it. `wait=true`: the answer comes when the message is there.
 *
 * https://discord.com/developers/docs/resources/webhook#execute-webhook
 * https://discord.com/developers/docs/resources/message#allowed-mentions-object
 * https://discord.com/developers/docs/topics/rate-limits#exceeding-a-rate-limit
 */
export const discord: SinkKind = {
  name: 'discord',
  fields: [
    secret('url', 'the address of the webhook: https://discord.com/api/webhooks/…', {
      isRequired: true,
      check: anAddress,
    }),
    field('thread', 'the id of a thread of the channel', { check: aSnowflake }),
  ],
  target: () => 'a webhook of Discord',
  escape: inDiscord,
  send: async (message, configured, transport) => {
    const { options, secrets } = configured;
    const url = URL.parse(secrets['url'] ?? '');
    url?.searchParams.set('wait', 'true');
    if (options['thread'] !== undefined) url?.searchParams.set('thread_id', options['thread']);
    const reply = await transport.http({
      method: 'POST',
      url: url?.href ?? '',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...contentOf(message), allowed_mentions: { parse: [] } }),
    });
    return outcomeOfReply(reply, configured, meaningOf);
  },
};

function contentOf(message: Message): object {
  if (message.text !== undefined) {
    const text = cut(message.text, { most: CONTENT, lengthOf: characters }, (kept) => kept.replace(/\\+$/, ''));
    return { content: text.trim() === '' ? '…' : text, flags: NO_PREVIEWS };
  }
  const url = webUrl(message.url);
  const description = fitted(linesOf(message), markdownLine, { most: DESCRIPTION, lengthOf: characters });
  return {
    embeds: [
      {
        title: within(titleOf(message), TITLE, inDiscord),
        ...(url !== undefined && { url }),
        ...(description !== '' && { description }),
        timestamp: message.at,
      },
    ],
  };
}

const markdownLine: Rendered = ({ kind, text, url }) => {
  const said = inDiscord(text);
  if (kind === 'item') return url === undefined ? `• ${said}` : `• [${said}](<${linked(url)}>)`;
  if (kind === 'about') return `*${said}*`;
  return kind === 'ins' ? String.raw`\+ ${said}` : `~~\\- ${said}~~`;
};

/** What would end the address in Markdown is percent-encoded, and so is the end of what may be read as a character reference. */
function linked(url: string): string {
  return url
    .replaceAll(/[()<>\\\s]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll(/&(#?\w+);/g, '&$1%3B');
}

/** Discord takes a backslash before anything but letters, digits and spaces; one before `:` and `@` breaks addresses and names, too. */
function inDiscord(text: string): string {
  return printable(text).replaceAll(/[\\`*_~|<>#[\](){}:@+.!&=-]/g, String.raw`\$&`);
}

/** 404 with 10015, 401 with 50027: the webhook is no more, and whoever goes on asking is locked out. 429 has seconds in its body. */
function meaningOf(answer: Answered): Meaning | undefined {
  const json = jsonOf(answer);
  const code = numberIn(json, 'code');
  if ((answer.status === 404 && code === 10_015) || (answer.status === 401 && code === 50_027)) {
    return { outcome: 'gone', detail: `the webhook was deleted (${code}); make a new one` };
  }
  const seconds = numberIn(json, 'retry_after');
  return answer.status === 429 && seconds !== undefined
    ? { outcome: 'unavailable', retryAfterMs: seconds * 1_000 }
    : undefined;
}

function aSnowflake(value: string): string | undefined {
  return /^\d{15,20}$/.test(value) ? undefined : 'must be an id of Discord, 15 to 20 digits';
}
