import type { Answered, Message, SinkKind } from '../sink-kind.ts';
import { type Meaning, outcomeOfReply } from './answers.ts';
import { anAddress, secret } from './fields.ts';
import { characters, cut, fittedLines, linesOf, type MessageLine, plainly, titleOf, webUrl } from '../message-lines.ts';
import { printable } from '../../../shared/text/printable.ts';

/** Characters of a text object, which all of a message is kept to, and of what a phone shows of it. */
const TEXT = 3_000;
const NOTIFICATION = 300;

/**
 * An incoming webhook. Texts of pages stand in a `rich_text` block, whose elements are text and nothing else: `<!channel>`, `*` and
 * `:name:` mean themselves there. The text of a template is `mrkdwn`, in which its fields are escaped. Previews of links are off.
 *
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 * https://docs.slack.dev/messaging/formatting-message-text#escaping
 * https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
 * https://api.slack.com/changelog/2016-05-17-changes-to-errors-for-incoming-webhooks
 */
export const slack: SinkKind = {
  name: 'slack',
  fields: [
    secret('url', 'the address of the incoming webhook: https://hooks.slack.com/services/…', {
      isRequired: true,
      check: anAddress,
    }),
  ],
  target: () => 'an incoming webhook of Slack',
  escape: inMrkdwn,
  send: async (message, configured, transport) => {
    const reply = await transport.http({
      method: 'POST',
      url: configured.secrets['url'] ?? '',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        text: inMrkdwn(titleOf(message, NOTIFICATION)),
        blocks: [message.text === undefined ? richText(message) : section(message.text)],
        unfurl_links: false,
        unfurl_media: false,
      }),
    });
    return outcomeOfReply(reply, configured, meaningOf);
  },
};

function section(text: string): object {
  const repaired = (kept: string): string => kept.replace(/(?:&[a-z]{0,4}|<[^<>]*)$/, '');
  const shown = cut(text, { most: TEXT, lengthOf: characters }, repaired);
  return { type: 'section', text: { type: 'mrkdwn', text: shown.trim() === '' ? '…' : shown, verbatim: true } };
}

function richText(message: Message): object {
  const url = webUrl(message.url);
  const title: MessageLine = { kind: 'item', text: titleOf(message), ...(url !== undefined && { url }) };
  const lines = fittedLines([title, ...linesOf(message)], plainly, { most: TEXT, lengthOf: characters });
  const elements = lines.map((line, index) => ({
    type: 'rich_text_section',
    elements: [element(line, index === 0)],
  }));
  return { type: 'rich_text', elements };
}

function element({ kind, text, url }: MessageLine, isTitle: boolean): object {
  if (kind === 'item') {
    const said = isTitle ? text : `• ${text}`;
    const style = isTitle ? { style: { bold: true } } : {};
    return url === undefined ? { type: 'text', text: said, ...style } : { type: 'link', url, text: said, ...style };
  }
  if (kind === 'about') return { type: 'text', text, style: { italic: true } };
  return kind === 'ins'
    ? { type: 'text', text: `+ ${text}` }
    : { type: 'text', text: `- ${text}`, style: { strike: true } };
}

/**
 * `&`, `<` and `>` begin everything that calls somebody or links somewhere. Slack has no escape for its other marks: a space
 * without width in front of one takes its meaning.
 */
function inMrkdwn(text: string): string {
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`]|:(?=[\w+-]+:)/g, '\u200b$&');
}

/** Errors are words in the body; 429 has a Retry-After header. */
function meaningOf({ status, body }: Answered): Meaning | undefined {
  const word = body.trim();
  if (status >= 400 && status < 500 && GONE.has(word)) {
    return { outcome: 'gone', detail: `${word}: the webhook was removed, or its channel; make a new one` };
  }
  // The address of a webhook that never was one leads to a page for people.
  return status === 302 ? { outcome: 'refused', detail: 'the address is none of an incoming webhook' } : undefined;
}

const GONE: ReadonlySet<string> = new Set([
  'no_service',
  'no_service_id',
  'no_team',
  'no_active_hooks',
  'invalid_token',
  'team_disabled',
  'channel_not_found',
  'channel_is_archived',
]);
