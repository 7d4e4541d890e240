import type { Message, MessageItem } from '../sink-kind.ts';
import { characters, cut } from '../message-lines.ts';
import { withoutTags } from '../../../shared/text/printable.ts';

/** Characters of a message for a program: what receivers of webhooks commonly take. */
const MOST = 256 * 1_024;
/** And of the text of its template. */
const TEXT = 32 * 1_024;

/**
 * A message for a program, as JSON: of a webhook, and on the standard input of a command.
 *
 * `{ "type": "match", "timestamp": "…", "data": { "id", "title", "url"?, "text"?, "more"?, "items": [ { "type", "at", "title",
 * "url"?, "lines", "labels", "alike"?, "payload" } ] } }`; `payload` is the match, the change or the problem as the API has it.
 * Of one that is too long the payloads are left out, then lines, then pieces, and `"is_cut": true` says so. Tag characters, which a reader
 * of the page has not seen, are replaced.
 */
export function messageJson(message: Message): string {
  for (const bounded of [whole, withoutPayloads, withoutLines, withoutItems]) {
    const json = withoutTags(JSON.stringify(bounded(message)));
    if (json.length <= MOST) return json;
  }
  return withoutTags(JSON.stringify(framed({ ...message, title: message.title.slice(0, 1_000), items: [] }, [], true)));
}

function whole(message: Message): object {
  return framed(message, message.items.map(wired), false);
}

function withoutPayloads(message: Message): object {
  return framed(
    message,
    message.items.map((item) => ({ ...wired(item), payload: undefined })),
    true,
  );
}

function withoutLines(message: Message): object {
  return framed(
    message,
    message.items.map((item) => ({ ...wired(item), payload: undefined, lines: [] })),
    true,
  );
}

function withoutItems(message: Message): object {
  return framed({ ...message, more: message.more + message.items.length }, [], true);
}

function framed(message: Message, items: readonly object[], isCut: boolean): object {
  const { id, type, at, title, url, text, more } = message;
  return {
    type,
    timestamp: at,
    data: {
      id,
      title,
      url,
      ...(text !== undefined && { text: cut(text, { most: TEXT, lengthOf: characters }) }),
      ...(more > 0 && { more }),
      ...(isCut && { is_cut: true }),
      items,
    },
  };
}

function wired({ type, at, title, url, lines, labels, alike, payload }: MessageItem): object {
  return { type, at, title, url, lines, labels, alike, payload };
}
