import { fold } from '../read/fold.ts';
import type { PublishTime, SegmentKind, Zone } from '../page.ts';
import { COMMENTS, isOccasion, maySayPublished, type SaidOfDate, saidOfDate } from './date-words.ts';
import { datesIn, parsePublishTime } from './dates.ts';
import { LINE_BREAK } from '../read/segments.ts';

/** What is looked at of a block of text. */
export interface BylineBlock {
  readonly text: string;
  readonly kind: SegmentKind;
  readonly h1: boolean;
  readonly chrome: boolean;
  readonly zone: Zone;
  /** How much text it is, and how much of it is links. */
  readonly size: number;
  readonly linked: number;
}

/** A `<time>`, with the number of blocks that were done when it began. */
export interface TimeElement {
  readonly written: string;
  readonly at: number;
  /** In boilerplate by its element. */
  readonly chrome: boolean;
}

/**
 * The date of publication as a page shows it to its readers, from the surest place on: beside the headline; in a line
 * anywhere that says so of itself (`Published on …`); and in the only `<time>` of a page with an article's length of
 * text. Nothing on a page of several dated texts, and nothing beside what makes the day that of an event or of a book.
 */
export function dateSeen(
  all: readonly BylineBlock[],
  times: readonly TimeElement[],
  { title = '', language }: { readonly title?: string | undefined; readonly language?: string | undefined },
): PublishTime | undefined {
  const blocks = all.slice(0, BLOCKS);
  const headlines = headlinesOf(blocks, lettersOf(title));
  for (const headline of headlines) {
    const found = besideHeadline({ blocks, times, language, headline });
    if (found) return found.isOne ? found.time : undefined;
  }
  return labelled(blocks, language) ?? onlyTime(blocks, times, { headline: headlines[0], language });
}

interface Place {
  readonly blocks: readonly BylineBlock[];
  readonly times: readonly TimeElement[];
  readonly language: string | undefined;
  readonly headline: number;
}

/**
 * The date that stands beside the headline, where a reader looks for it: in a short line up to the first paragraph after
 * it, or right before it. What follows another heading belongs to that one, which is how lists of articles are told
 * from an article. `isOne` is false where there are several, and where the day is not the text's own.
 */
function besideHeadline(place: Place): { readonly isOne: boolean; readonly time?: PublishTime } | undefined {
  const { blocks, language, headline } = place;
  const inChrome = blocks[headline]?.chrome ?? false;
  for (const at of besides(blocks, headline)) {
    const found = datedLine(place, at);
    if (!found || (blocks[at]?.chrome === true && !inChrome && !isBare(lineOf(blocks[at]), language))) continue;
    const isAnothers = found.said !== 'published' && isOccasional(blocks, headline);
    const isOne = !isAnothers && !isDatedList(blocks, at, language) && !isIndex(place);
    return { isOne, time: found.time };
  }
  return undefined;
}

/** The date of a line, by its `<time>` where that can be read. */
function datedLine({ blocks, times, language }: Place, at: number): Dated | undefined {
  const text = lineOf(blocks[at]);
  const before = labelBefore(blocks, at);
  const time = times.find((element) => element.at === at && !IS_DURATION.test(element.written));
  const said = time ? saidOfDate(`${before} ${text.replace(/\d.*$/, '')}`, '') : 'nothing';
  const byElement = time && said !== 'something else' ? parsePublishTime(time.written, language) : undefined;
  return byElement ? { time: byElement, said } : bylineDate(text, language, before);
}

/** What the line before says of a date that begins its own: `Member since` over `13 Feb 2008`. */
function labelBefore(blocks: readonly BylineBlock[], at: number): string {
  const before = blocks[at - 1];
  const isLabel = before !== undefined && before.kind !== 'heading' && before.text.length <= LABEL;
  return isLabel && !/\d/.test(before.text) ? lineOf(before) : '';
}

/** Whether lines below the headline speak of tickets, doors, or the pages of a book. */
function isOccasional(blocks: readonly BylineBlock[], headline: number): boolean {
  return blocks
    .slice(headline + 1, headline + 1 + 2 * AFTER)
    .some(({ text, zone }) => zone !== 'chrome' && text.length <= LABEL && isOccasion(text));
}

/** Whether more lines with dates follow before any paragraph: threads of a forum, other articles. */
function isDatedList(blocks: readonly BylineBlock[], first: number, language: string | undefined): boolean {
  const next = blocks.slice(first + 1, first + 1 + AFTER);
  const paragraph = next.findIndex(({ text }) => text.length > LINE);
  const lines = paragraph === -1 ? next : next.slice(0, paragraph);
  return lines.filter((line) => bylineDate(lineOf(line), language)).length >= 2;
}

/** Whether headings with dates follow before there was much text: the teasers of an index page. */
function isIndex({ blocks, language, headline }: Place): boolean {
  const content = blocks
    .slice(headline + 1, headline + 1 + TEASED)
    .filter(({ zone, chrome }) => zone !== 'chrome' && !chrome);
  const parts = content.map((block) => partOf(block, language));
  const teasers = [...parts.keys()].filter((at) => isTeaser(parts, at));
  const prose = content.slice(0, teasers[0]).filter((_, at) => parts[at] === 'prose');
  return teasers.length >= TEASERS && prose.reduce((sum, { text }) => sum + text.length, 0) < ONE_TEXT;
}

/** Whether a date stands below its heading here, or a heading below its date. */
function isTeaser(parts: readonly Part[], at: number): boolean {
  if (parts[at] === 'date') return parts.slice(Math.max(0, at - 3), at).includes('heading');
  return parts[at] === 'heading' && parts.slice(Math.max(0, at - 2), at).includes('date');
}

type Part = 'heading' | 'date' | 'prose' | 'other';

function partOf(block: BylineBlock, language: string | undefined): Part {
  if (block.kind === 'heading') return 'heading';
  if (block.text.length <= LINE && DIGIT.test(block.text) && bylineDate(lineOf(block), language)) return 'date';
  return isProse(block) ? 'prose' : 'other';
}

function isProse(block: BylineBlock): boolean {
  return block.text.length > SHORT && !isLink(block);
}

export function lineOf(block: Pick<BylineBlock, 'text'> | undefined): string {
  return fold(block?.text.slice(0, PARAGRAPH).replaceAll(LINE_BREAK, ' ') ?? '');
}

/** `PT14M38S`, `12:30`: a length or a clock, not a day. */
const IS_DURATION = /^P|^\d{1,2}:/i;

/** Letters and numbers alone: quotes and dashes are written in many ways. */
function lettersOf(text: string): string {
  return fold(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** All the places, near each other, of the page's headline. */
function headlinesOf(blocks: readonly BylineBlock[], title: string): number[] {
  const headings = blocks.flatMap(({ kind, h1, chrome, zone, text }, index) =>
    kind === 'heading'
      ? [{ h1, isChrome: chrome || zone === 'chrome', index, letters: lettersOf(lineOf({ text })) }]
      : [],
  );
  const best = headlineOf(headings, title);
  if (!best) return [];
  const isSame = ({ h1, letters, index }: Heading): boolean =>
    h1 === best.h1 && letters === best.letters && index >= best.index && index <= best.index + 3 * AFTER;
  return headings
    .filter(isSame)
    .slice(0, SAME)
    .map(({ index }) => index);
}

interface Heading {
  readonly h1: boolean;
  readonly isChrome: boolean;
  readonly index: number;
  readonly letters: string;
}

/** The longest heading that the title repeats, else the first h1 of the content. */
function headlineOf(headings: readonly Heading[], title: string): Heading | undefined {
  const longest = Math.max(0, ...headings.map(({ letters }) => repeated(letters, title)));
  const close = headings.filter(({ letters }) => longest > 0 && repeated(letters, title) >= longest - CLOSE);
  const named = close.find(({ h1 }) => h1) ?? close[0];
  const first = headings.find(({ h1, isChrome }) => h1 && !isChrome);
  // The name of the site is in the title too; the headline of the text is a heading for itself then.
  const isName = longest < title.length / 2 && named?.isChrome === true;
  return isName ? (first ?? named) : (named ?? first);
}

/** How many characters of the title a heading repeats: one is in the other, or they begin in the same way. */
function repeated(heading: string, title: string): number {
  if (heading.length < NAME || title.length < NAME) return 0;
  if (title.includes(heading) || heading.includes(title)) return Math.min(heading.length, title.length);
  let same = 0;
  while (same < heading.length && heading[same] === title[same]) same += 1;
  const least = DENSE.test(title) ? BEGINNING / 2 : BEGINNING;
  return same >= least ? same : 0;
}

/** Blocks after the headline whose line may be its byline, nearest first, then those before it. */
function besides(blocks: readonly BylineBlock[], headline: number): number[] {
  const near: number[] = [];
  let left = AFTER;
  for (let at = headline + 1; at <= headline + 3 * AFTER && left > 0; at += 1) {
    if (endsByline(blocks[at], at - headline)) break;
    if (!isSecondary(blocks[at])) left -= 1;
    near.push(at);
  }
  for (let at = headline - 1; at >= headline - BEFORE && !isOtherHeading(blocks[at]); at -= 1) near.push(at);
  return near.filter((at) => mayBeByline(blocks[at]));
}

/** A day may stand over all that was published on it, as a heading. */
function isOtherHeading(block: BylineBlock | undefined): boolean {
  return block === undefined || (block.kind === 'heading' && !isBare(lineOf(block), undefined));
}

/** Buttons, topics, breadcrumbs. */
function isSecondary(block: BylineBlock | undefined): boolean {
  return block !== undefined && (block.zone === 'chrome' || isLink(block));
}

function isLink({ linked, size }: BylineBlock): boolean {
  return linked >= LINKED * size;
}

/**
 * The first paragraph, or the next heading; a standfirst is a heading too, but right below its headline and no link, and
 * the caption of a picture may stand between.
 */
function endsByline(block: BylineBlock | undefined, distance: number): boolean {
  if (!block) return true;
  if (block.kind === 'caption') return false;
  if (block.text.length > PARAGRAPH) return true;
  if (block.kind !== 'heading' || block.h1 || block.zone === 'chrome') return false;
  return distance > 2 || (isLink(block) && block.text.length > LABEL);
}

function mayBeByline(block: BylineBlock | undefined): boolean {
  return block !== undefined && block.kind !== 'row' && block.text.length <= LINE;
}

/** No line without one has a date, and most have none. */
const DIGIT = /\p{Nd}/u;
/** Blocks of a page that are looked at. */
const BLOCKS = 5_000;
const AFTER = 10;
const BEFORE = 3;
/** Places of one headline that are looked at. */
const SAME = 4;
/** Characters of a line that can be a byline, of a block that begins the text, of a label, and of a name. */
const LINE = 160;
const PARAGRAPH = 300;
const LABEL = 40;
const NAME = 4;
/** Characters that two headings have in common at the beginning, and by which two are as good as each other. */
const BEGINNING = 20;
const CLOSE = 2;
/** Scripts whose letters are syllables or words. */
const DENSE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Characters of a byline beside its date, and of letters beside one in boilerplate. */
const BESIDE = 110;
const BARE = 30;
/** Part of a line that makes it a link. */
const LINKED = 0.8;
/** Blocks that are looked at for teasers, how many make an index, and characters of prose for each in one text. */
const TEASED = 300;
const TEASERS = 3;
const ONE_TEXT = 400;
/** Characters from which a line is prose, and of prose from which a page is one text. */
const SHORT = 80;
const LONG = 600;

interface Dated {
  readonly time: PublishTime;
  readonly said: SaidOfDate;
}

/** The day that a line beside a text says of it, unless that is something else than its publication. */
export function bylineDate(text: string, language: string | undefined, before = ''): Dated | undefined {
  const dates = datesIn(text, language);
  if (dates.length === 0 || isRange(text, dates) || isSentence(text)) return undefined;
  let from = 0;
  for (const { time, at, end } of dates) {
    const label = `${from === 0 && at <= 3 ? before : ''} ${text.slice(Math.max(from, at - LABEL), at)}`;
    const said = saidOfDate(label, text.slice(end, end + 12));
    from = end;
    if (text.length - (end - at) <= BESIDE && said !== 'something else') return { time, said };
  }
  return undefined;
}

/** Whether the line is a date and little else. */
function isBare(text: string, language: string | undefined): boolean {
  const [date] = datesIn(text, language);
  return date !== undefined && text.length - (date.end - date.at) <= BARE;
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

/** The one day that lines of the page call that of its publication, above the comments of its readers. */
function labelled(blocks: readonly BylineBlock[], language: string | undefined): PublishTime | undefined {
  let found: PublishTime | undefined;
  for (const block of blocks) {
    if (block.kind === 'heading' && COMMENTS.test(block.text)) break;
    if (block.zone === 'chrome' || block.kind === 'row' || block.text.length > PARAGRAPH) continue;
    if (!DIGIT.test(block.text)) continue;
    const time = publishedIn(lineOf(block), language);
    if (time && found && time.local.slice(0, 10) !== found.local.slice(0, 10)) return undefined;
    found ??= time;
  }
  return found;
}

function publishedIn(text: string, language: string | undefined): PublishTime | undefined {
  if (!maySayPublished(text)) return undefined;
  const dates = datesIn(text, language);
  return dates.find(({ at, end }, index) => {
    const label = text.slice(Math.max(dates[index - 1]?.end ?? 0, at - LABEL), at);
    return saidOfDate(label, text.slice(end, end + 12)) === 'published';
  })?.time;
}

/** The one `<time>` outside boilerplate of a page whose text is long enough to be an article. */
function onlyTime(
  blocks: readonly BylineBlock[],
  times: readonly TimeElement[],
  { headline, language }: { readonly headline: number | undefined; readonly language: string | undefined },
): PublishTime | undefined {
  const [first, ...others] = times.filter(({ chrome }) => !chrome);
  const block = blocks[first?.at ?? blocks.length];
  const time = first && parsePublishTime(first.written, language);
  if (headline === undefined || !time || !block || block.zone === 'chrome') return undefined;
  const dayOf = ({ written }: TimeElement): string | undefined =>
    parsePublishTime(written, language)?.local.slice(0, 10);
  if (others.some((other) => dayOf(other) !== time.local.slice(0, 10))) return undefined;
  return isLong(blocks) && !isOccasional(blocks, headline) && mayDate(lineOf(block)) ? time : undefined;
}

function isLong(blocks: readonly BylineBlock[]): boolean {
  const prose = blocks.filter((block) => block.zone === 'main' && isProse(block));
  return prose.reduce((sum, { text }) => sum + text.length, 0) >= LONG;
}

function mayDate(line: string): boolean {
  return line.length <= 2 * LABEL && !isSentence(line) && saidOfDate(line, '') !== 'something else';
}
