import { fold } from '../read/fold.ts';
import type { PublishTime, SegmentKind } from '../page.ts';
import { datesIn, parsePublishTime } from './dates.ts';
import { LINE_BREAK } from '../read/segments.ts';

/** What is looked at of a block of text. */
export interface BylineBlock {
  readonly text: string;
  readonly kind: SegmentKind;
  readonly h1: boolean;
  readonly chrome: boolean;
}

/** A `<time>`, with the number of blocks that were done when it began. */
export interface TimeElement {
  readonly written: string;
  readonly at: number;
}

/**
 * The date that stands beside the headline of a page, where a reader looks for it: in a short line up to the first
 * paragraph after the h1, or right before it. What follows another heading belongs to that one, which is how lists of
 * articles are told from an article. A line that speaks of an update, a deadline or a range of days is none.
 */
export function dateInByline(
  blocks: readonly BylineBlock[],
  times: readonly TimeElement[],
  { title = '', language }: { readonly title?: string | undefined; readonly language?: string | undefined },
): PublishTime | undefined {
  const headline = headlineOf(blocks, fold(title).toLowerCase());
  if (headline === -1) return undefined;
  for (const at of besides(blocks, headline)) {
    const text = lineOf(blocks[at]);
    const time = times.find((element) => element.at === at && !IS_DURATION.test(element.written));
    const byElement = time && !UPDATED.test(text) ? parsePublishTime(time.written, language) : undefined;
    const found = byElement ?? bylineDate(text, language);
    if (found) return isDatedList(blocks, at, language) ? undefined : found;
  }
  return undefined;
}

/** Whether more lines with dates follow before any paragraph: threads of a forum, other articles. */
function isDatedList(blocks: readonly BylineBlock[], first: number, language: string | undefined): boolean {
  const next = blocks.slice(first + 1, first + 1 + AFTER);
  const paragraph = next.findIndex(({ text }) => text.length > LINE);
  const lines = paragraph === -1 ? next : next.slice(0, paragraph);
  return lines.filter((line) => bylineDate(lineOf(line), language)).length >= 2;
}

function lineOf(block: Pick<BylineBlock, 'text'> | undefined): string {
  return fold(block?.text.slice(0, PARAGRAPH).replaceAll(LINE_BREAK, ' ') ?? '');
}

/** `PT14M38S`, `12:30`: a length or a clock, not a day. */
const IS_DURATION = /^P|^\d{1,2}:/i;

/** The heading that the title repeats, else the first h1 of the content. */
function headlineOf(blocks: readonly BylineBlock[], title: string): number {
  const headings = blocks.flatMap(({ text, kind, h1 }, index) =>
    kind === 'heading' && (h1 || title !== '') ? [{ index, h1, text: lineOf({ text }).toLowerCase() }] : [],
  );
  const repeated = (text: string): boolean => text.length >= 8 && (title.includes(text) || text.includes(title));
  const named =
    title === ''
      ? undefined
      : (headings.find(({ h1, text }) => h1 && repeated(text)) ?? headings.find(({ text }) => repeated(text)));
  if (named) return named.index;
  return blocks.findIndex(({ h1, chrome }) => h1 && !chrome);
}

/** Blocks after the headline whose line may be its byline, nearest first, then those before it. */
function besides(blocks: readonly BylineBlock[], headline: number): number[] {
  const near: number[] = [];
  for (let at = headline + 1; at <= headline + AFTER && !endsByline(blocks[at], at - headline); at += 1) near.push(at);
  for (let at = headline - 1; at >= headline - BEFORE && blocks[at]?.kind !== 'heading'; at -= 1) near.push(at);
  const isChrome = blocks[headline]?.chrome ?? false;
  return near.filter((at) => mayBeByline(blocks[at], isChrome));
}

/**
 * The first paragraph, or the next heading; a standfirst is a heading too, but right below its headline, and the caption
 * of a picture may stand between.
 */
function endsByline(block: BylineBlock | undefined, distance: number): boolean {
  if (!block) return true;
  if (block.kind === 'caption') return false;
  if (block.text.length > PARAGRAPH) return true;
  return block.kind === 'heading' && !block.h1 && distance > 2;
}

function mayBeByline(block: BylineBlock | undefined, inChrome: boolean): boolean {
  return block !== undefined && (inChrome || !block.chrome) && block.kind !== 'row' && block.text.length <= LINE;
}

const AFTER = 10;
const BEFORE = 3;
/** Characters of a line that can be a byline, and of a block that begins the text. */
const LINE = 160;
const PARAGRAPH = 300;
/** Characters of a byline beside its date. */
const BESIDE = 110;

function bylineDate(text: string, language: string | undefined): PublishTime | undefined {
  const dates = datesIn(text, language);
  if (dates.length === 0 || isRange(text, dates) || isSentence(text)) return undefined;
  let from = 0;
  for (const { time, at, end } of dates) {
    const label = text.slice(Math.max(from, at - 40), at);
    from = end;
    if (
      text.length - (end - at) > BESIDE ||
      UPDATED.test(label) ||
      /\blast /i.test(label) ||
      UPDATED_BEHIND.test(text.slice(end, end + 12))
    )
      continue;
    return time;
  }
  return undefined;
}

/** `13–15 June`, `from 1 May to 3 June`: when something takes place. */
function isRange(text: string, dates: readonly { readonly at: number; readonly end: number }[]): boolean {
  return dates.some(({ at }, index) => {
    const before = dates[index - 1];
    return before !== undefined && /^\s?(?:[-–—~]|to|bis|au|al|до|a|do)\s?$/i.test(text.slice(before.end, at));
  });
}

/** A line of running text that happens to name a day. */
function isSentence(text: string): boolean {
  return /\p{L}{2}[.!?…]$/u.test(text) && text.split(' ').length > 8;
}

/** Words of a last change, of validity or of an event beside a date, in the languages we tell apart. */
const UPDATED = new RegExp(
  `updat|modifi|edited|currently|today|founded|established|revis|effective|last (?:chang|review|check)|as of|expire|valid|deadline|accessed|retrieved|archiv|born|aktuali|geändert|
  |bearbeitet|stand:|gültig|mis à jour|mise à jour|dernière|actuali[sz]|atualiz|última|ultima|aggiorna|bijgewerkt|gewijzigd|
  |zmodyf|zaktual|ostatni|обнов|измен|оновл|актуализ|uppdater|opdater|oppdater|päivitet|muokat|güncel|ενημέρ|τροποπ|frissít|módos|
  |diperbarui|cập nhật|更新|修正|최종|수정|업데이트|تحديث|به‌روز|แก้ไข|อัปเดต`.replace(/\n\s*\|?/g, ''),
  'i',
);
const UPDATED_BEHIND = /^[^\p{L}]{0,8}(?:更新|修正|수정|updated|edited)/iu;
