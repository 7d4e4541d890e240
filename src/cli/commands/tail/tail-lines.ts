import stringWidth from 'string-width';
import type { DiffChunk } from '../../../shared/api/match.ts';
import type { Rule } from '../../../shared/api/rule.ts';
import { labelOf, tagsOf } from '../../client/rule-book.ts';
import type { Update } from '../../client/stream-event.ts';
import type { Paint } from '../../runtime/output.ts';
import { printable, printableJson } from '../../text/printable.ts';
import { cut } from '../../text/table.ts';
import { clockTime, domainOf, pad } from '../../text/match-text.ts';
import type { MatchObject } from './tail-fields.ts';

/** Chunks shown of one match, and columns of each where the output is no terminal. */
const CHUNKS = 6;
const WIDTH_ELSEWHERE = 200;
const LABEL = 12;
const DOMAIN = 20;
const INDENT = ' '.repeat('14:02:11  '.length);

/**
 * One match as an object: the payload as it came, with the event's id before it; the name of its tap, where that is
 * known, and the tags of its rules behind.
 */
export function matchObject(update: Update, rules: readonly Rule[], tap?: string): MatchObject {
  return {
    id: update.id,
    event: 'update',
    ...update.payload,
    ...(tap !== undefined && { tap }),
    tags: tagsOf(rules),
  };
}

/** The same as one line of JSON. What a terminal would act on is escaped: the value is the same, printing it safe. */
export function jsonLine(match: MatchObject): string {
  return `${printableJson(match)}\n`;
}

/**
 * One match for people: `14:02:11  linux  lwn.net  Kernel prepatch 6.19-rc4`, then what came and what went, then
 * where. Everything in it is a stranger's text.
 */
export function plainLines(
  update: Update,
  rules: readonly Rule[],
  form: {
    readonly paint: Paint;
    readonly columns?: number;
    /** Named where there are several. */
    readonly tap?: string;
  },
): string {
  const { document, matched_at } = update.match;
  const width = form.columns ?? WIDTH_ELSEWHERE;
  const head = [
    clockTime(matched_at),
    ...(form.tap === undefined ? [] : [pad(cut(printable(form.tap), LABEL), LABEL)]),
    pad(cut(printable(labelOf(rules)), LABEL), LABEL),
    pad(cut(domainOf(document.url), DOMAIN), DOMAIN),
  ].join('  ');
  const title = cut(printable(document.title ?? document.url), Math.max(20, width - stringWidth(head) - 2));
  const room = Math.max(20, width - INDENT.length);
  const chunks = document.diff?.chunks ?? [];
  const more = chunks.length - CHUNKS;
  return [
    `${head}  ${form.paint('bold', title)}`,
    ...chunks.slice(0, CHUNKS).map((chunk) => INDENT + chunkLine(chunk, room, form.paint)),
    ...(more > 0 ? [`${INDENT}${form.paint('dim', `… ${more} more`)}`] : []),
    `${INDENT}${form.paint('dim', cut(printable(document.url), room))}`,
    '',
  ].join('\n');
}

function chunkLine(chunk: DiffChunk, room: number, paint: Paint): string {
  const added = chunk.typ === 'ins';
  return paint(added ? 'green' : 'red', `${added ? '+' : '-'} ${cut(printable(chunk.text), room - 2)}`);
}
