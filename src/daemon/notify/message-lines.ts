import type { Message, MessageItem } from './sink-kind.ts';
import { URL_LENGTH } from '../../shared/limits.ts';
import { grouped } from '../../shared/grouped.ts';
import { count } from '../../shared/text/plural.ts';
import { domainOf, printable } from '../../shared/text/printable.ts';

/**
 * What a message says, line by line, before it has the mark-up of a kind: all texts are as they came, control characters
 * and what turns the direction of others apart.
 */
export interface MessageLine {
  /** `item`: what a piece of a digest is about. `about`: where it comes from, and what was left out. */
  readonly kind: 'item' | 'ins' | 'del' | 'about';
  readonly text: string;
  /** http or https. */
  readonly url?: string;
}

/** Characters of one line, and lines of one piece of a digest. */
const LINE = 500;
const LINES_OF_PIECE = 3;
/** Lines of one change, which may be a whole page, and of all. */
const LINES = 500;
const MOST_LINES = 5_000;

/** Without the title of the message, which each kind has a place of its own for. */
export function linesOf(message: Message): readonly MessageLine[] {
  const { items } = message;
  const lines = items.length === 1 ? items.flatMap(pieceAlone) : items.flatMap(linesOfPiece);
  const shown =
    lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES), leftOut(lines.length - MOST_LINES)];
  return message.more > 0 ? [...shown, { kind: 'about', text: moreOf(message) }] : shown;
}

/** `and 37 more`; empty where there are none. */
export function moreOf({ more }: Message): string {
  return more > 0 ? `and ${grouped(more)} more` : '';
}

function pieceAlone(item: MessageItem): MessageLine[] {
  return [...changedLines(item), ...aboutOf(item)];
}

/** Of one of several pieces, with its title. */
export function linesOfPiece(item: MessageItem): MessageLine[] {
  const url = webUrl(item.url);
  const changed = changedLines(item);
  const left = changed.length - LINES_OF_PIECE;
  return [
    { kind: 'item', text: titleOf(item), ...(url !== undefined && { url }) },
    ...(left > 1 ? changed.slice(0, LINES_OF_PIECE) : changed),
    ...(left > 1 ? [leftOut(left)] : []),
    ...aboutOf(item),
  ];
}

/** What came and went, a line each; of a whole page its beginning, and a word about the rest. */
export function changedLines({ lines }: MessageItem): MessageLine[] {
  const found: MessageLine[] = [];
  let left = 0;
  for (const { typ, text } of lines) {
    for (const line of text.split('\n')) {
      const shown = found.length < LINES ? oneLine(line) : '';
      if (shown !== '') found.push({ kind: typ, text: shown });
      else if (found.length >= LINES && line.trim() !== '') left += 1;
    }
  }
  return left === 0 ? found : [...found, leftOut(left)];
}

function leftOut(lines: number): MessageLine {
  return { kind: 'about', text: `… ${count(lines, 'more line')}` };
}

function aboutOf({ labels, alike }: MessageItem): MessageLine[] {
  const from = [
    ...(labels.tap === undefined ? [] : [`tap ${labels.tap}`]),
    ...(labels.rules && labels.rules.length > 0 ? [`rules ${labels.rules.join(', ')}`] : []),
    ...(labels.watch === undefined ? [] : [`watch ${labels.watch}`]),
    ...(labels.tags && labels.tags.length > 0 ? [`tags ${labels.tags.join(', ')}`] : []),
  ];
  const hosts = alike ? [...new Set(alike.urls.map(domainOf))] : [];
  return [
    ...(from.length > 0 ? [{ kind: 'about', text: oneLine(from.join(' · ')) } as const] : []),
    ...(alike && alike.count > 0
      ? [
          {
            kind: 'about',
            text: oneLine(`${count(alike.count, 'page')} with the same text: ${hosts.join(', ')}`),
          } as const,
        ]
      : []),
  ];
}

/** One line that can be shown anywhere, of at most so many characters. */
export function oneLine(text: string, most = LINE): string {
  // Before it is looked through: it may be a whole page.
  const line = printable(text.slice(0, 4 * most))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= most
    ? line
    : `${line
        .slice(0, most - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`;
}

/** What a message or a piece of it is about, never empty: a title may be nothing but spaces. */
export function titleOf({ title, url }: Pick<Message, 'title' | 'url'>, most = LINE): string {
  return oneLine(title, most) || oneLine(webUrl(url) ?? 'without a title', most);
}

/**
 * An address that may be a link: `javascript:` would run on a click. Undefined for others, for what is no address, and for one that
 * is longer than those of pages are.
 */
export function webUrl(text: string | undefined): string | undefined {
  const url = text === undefined ? null : URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && url.href.length <= URL_LENGTH ? url.href : undefined;
}

/** One line of a message in a mark-up. */
export type Rendered = (line: MessageLine) => string;

export interface Room {
  readonly most: number;
  /** How long a text is, as the service counts. */
  readonly lengthOf: (text: string) => number;
}

/**
 * As many lines as there is room for, and a word about the others. Lines are left out whole, or made of a shorter text, so that
 * no mark-up is cut in two.
 */
export function fitted(lines: readonly MessageLine[], rendered: Rendered, room: Room): string {
  return fittedLines(lines, rendered, room).map(rendered).join('\n');
}

/** The same, before it is rendered. */
export function fittedLines(
  lines: readonly MessageLine[],
  rendered: Rendered,
  { most, lengthOf }: Room,
): MessageLine[] {
  const whole = lines.map((line) => shortened(line, LINE));
  if (lengthOf(whole.map(rendered).join('\n')) <= most) return whole;
  const shown: MessageLine[] = [];
  let used = 0;
  for (const [index, line] of lines.entries()) {
    const note = leftOut(lines.length - index);
    const isLast = index === lines.length - 1;
    const room = most - used - (isLast ? 0 : lengthOf(rendered(note)) + 1);
    const fitting = LENGTHS.map((length) => shortened(line, length)).find(
      (candidate) => lengthOf(rendered(candidate)) <= room,
    );
    if (!fitting) return [...shown, note];
    shown.push(fitting);
    used += lengthOf(rendered(fitting)) + 1;
  }
  return shown;
}

function shortened(line: MessageLine, length: number): MessageLine {
  return { ...line, text: oneLine(line.text, length) };
}

/** A text in a mark-up, of so many characters at most: what is escaped takes more of them. */
export function within(text: string, most: number, escape: (text: string) => string): string {
  for (let length = most; length > 1; length = Math.floor(length / 2)) {
    const candidate = escape(oneLine(text, length));
    if (candidate.length <= most) return candidate;
  }
  return '…';
}

/** What a text is shortened to, until it fits. */
const LENGTHS = [LINE, 200, 80, 40];

/**
 * A text that is sent as it is, cut where the service would refuse it; the word about it included.
 * @param repaired takes away what was cut in two at its end
 */
export function cut(
  text: string,
  { most, lengthOf }: Room,
  repaired: (text: string) => string = (kept) => kept,
): string {
  if (lengthOf(text) <= most) return text;
  const room = most - lengthOf(CUT);
  let kept = text.slice(0, Math.max(0, room));
  while (lengthOf(kept) > room)
    kept = kept.slice(0, Math.min(kept.length - 1, Math.floor((kept.length * room) / lengthOf(kept))));
  return `${repaired(kept.toWellFormed().replace(/\ufffd$/, ''))}${CUT}`;
}

const CUT = '\n… (cut: too long)';

export const characters = (text: string): number => text.length;
export const bytes = (text: string): number => Buffer.byteLength(text);

/** Lines without any mark-up. */
export const plainly: Rendered = ({ kind, text, url }) => {
  if (kind === 'item') return url === undefined ? `• ${text}` : `• ${text}\n  ${url}`;
  if (kind === 'about') return text;
  return `${kind === 'ins' ? '+' : '-'} ${text}`;
};

/** A message as text without mark-up: that of its template, where it has one. */
export function plainText(message: Message, room: Room): string {
  return message.text === undefined ? fitted(linesOf(message), plainly, room) : cut(message.text, room);
}

/** A field of a template where there is no mark-up to be harmed. */
export const plain = (text: string): string => printable(text);
