import { escaped } from '../../../shared/documents/markup.ts';
import { printable } from '../../../shared/text/printable.ts';
import type { Rendered } from '../message-lines.ts';

/** The mark-up of chats: what makes a text that came from a page mean nothing but itself there. */

/** HTML as Telegram and Matrix read it: nobody is called by a name that a page says. */
export function chatHtml(text: string): string {
  return escaped(withoutMentions(text));
}

/** A line of a message as that HTML. */
export const htmlLine: Rendered = ({ kind, text, url }) => {
  const said = chatHtml(text);
  if (kind === 'item') return `• ${htmlLink(said, url)}`;
  if (kind === 'about') return `<i>${said}</i>`;
  return kind === 'ins' ? `+ ${said}` : `<s>- ${said}</s>`;
};

/** @param html what is shown */
export function htmlLink(html: string, url: string | undefined): string {
  return url === undefined ? html : `<a href="${escaped(url)}">${html}</a>`;
}

/** What is left of HTML without its mark-up, for where it would be cut in two. */
export function textOfHtml(html: string): string {
  return html
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(/&(?:lt|gt|quot|amp|#39);/g, (found) => CHARACTERS[found] ?? found);
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
  '&#39;': "'",
};

/**
 * A word joiner (U+2060), which is not seen, behind the `@` of a name: chats call who is named like that. Addresses of mail stay
 * what they are.
 */
export function withoutMentions(text: string): string {
  return printable(text).replaceAll(/(?<![\p{L}\p{N}_.+-])@(?=[\p{L}\p{N}_])/gu, '@\u2060');
}
