import type { Block } from '../read/blocks.ts';
import { carriesFigure, carriesPrice } from '../read/figures.ts';
import type { Region, Regions } from './regions.ts';

/**
 * Says of each block what it is for: chrome, body or main. Three kinds of evidence, the surest first: elements and
 * roles (`scope.ts`), how much of a text is links, and class names where they can be believed. Main is what may be
 * main inside one region, the home: the one that the long paragraphs speak for (after Readability), widened as long
 * as that gains more prose than links and scraps.
 *
 * Chrome is never seen by a diff, so doubt decides for body. The thresholds are those that agree best with people on
 * the labelled pages (`npm run report -- labels main-text`).
 */
export function decideZones(blocks: readonly Block[], regions: Regions): void {
  // A page that is all header or all navigation, by its markup, still says something.
  const allChrome = blocks.every(({ chrome }) => chrome);
  for (const block of blocks) block.zone = block.chrome && !allChrome ? 'chrome' : 'body';
  const content = blocks.filter(({ zone }) => zone === 'body');
  holdings(content, regions);
  const outsideComments = judge(regions);
  const home = homeOf(content, regions);
  for (const region of regions.all) region.inMain = region === home || (region.parent?.inMain ?? false);
  regions.inherit(
    ({ hint, believed, inMain, prose }) =>
      believed && !((hint === 'boilerplate' || hint === 'box') && inMain && prose >= CHAPTER),
  );
  const kept = content.filter(mayBeMain);
  for (const block of trimmed(kept.filter(({ region }) => region.inMain))) block.zone = 'main';
  leaveOut(blocks, home.kept >= CLEAR && home.kept >= outsideComments / 2);
}

/** Characters from which a block is a paragraph, and below which it says nothing about where the text is. */
const PARAGRAPH = 80;
const SCRAP = 25;
/** Characters of main text from which a page is clearly about that text and not a list of links. */
const CLEAR = 400;
/** Characters of paragraphs outside the comments from which the page is about these and not about the comments. */
const COMMENTED = 600;
/** Characters of paragraphs from which a part of the main text is a chapter of it, whatever its name. */
const CHAPTER = 300;
/** Part of the page's text that a region may hold at most for its name to be believed. */
const BELIEVED = 0.25;

function holdings(content: readonly Block[], regions: Regions): void {
  for (const block of content) {
    const { region, size, linked } = block;
    region.plain += size - linked;
    region.linked += linked;
    if (isProse(block)) region.prose += size;
  }
  const title = content.find(({ h1 }) => h1);
  for (let outer = title?.region; outer; outer = outer.parent) outer.holdsTitle = true;
  regions.sumUp((outer, inner) => {
    outer.plain += inner.plain;
    outer.linked += inner.linked;
    outer.prose += inner.prose;
    outer.last = Math.max(outer.last, inner.last);
  });
}

/** Believes or drops each hint; answers the characters of text outside the comments. */
function judge(regions: Regions): number {
  let { plain, prose } = regions.root;
  regions.inherit(isComments);
  for (const region of regions.all) {
    if (region.verdict === undefined || region.parent?.verdict !== undefined) continue;
    plain -= region.plain;
    prose -= region.prose;
  }
  const commented = prose >= COMMENTED;
  const total = commented ? plain : regions.root.plain;
  regions.inherit(
    (region) => !region.holdsTitle && ((commented && isComments(region)) || region.plain < BELIEVED * total),
  );
  return total;
}

function isComments({ hint, holdsTitle }: Region): boolean {
  return hint === 'comments' && !holdsTitle;
}

function density({ size, linked }: Block): number {
  return linked / size;
}

function isProse(block: Block): boolean {
  return block.size >= PARAGRAPH && block.kind !== 'heading' && density(block) < 0.5;
}

function mayBeMain(block: Block): boolean {
  const { region, text, size, linked, kind } = block;
  if (region.verdict !== undefined || kind === 'caption') return false;
  if (size < PARAGRAPH && text.includes('©')) return false;
  if (density(block) < 0.5) return true;
  // A link that is a whole item or most of a sentence, among others that are none.
  const among = region.parent;
  return (kind === 'item' || size - linked >= 30) && among !== undefined && among.linked < among.plain;
}

function homeOf(content: readonly Block[], regions: Regions): Region {
  const kept = content.filter(mayBeMain);
  for (const { region, size } of kept) region.kept += size;
  for (const block of content) block.region.worth += worthOf(block);
  regions.sumUp((outer, inner) => {
    outer.kept += inner.kept;
    outer.worth += inner.worth;
  });
  let home = favourite(kept);
  if (!home) return regions.root;
  while (home.parent && (home.kept < regions.root.kept / 2 || isPart(home)) && home.parent.tag !== 'body') {
    home = home.parent;
  }
  for (let outer = home.parent; outer && outer.tag !== 'html'; outer = outer.parent) {
    if (outer.worth > 1.05 * home.worth) home = outer;
  }
  return home;
}

/** No home of a text, only a part of one: a paragraph, a list, a table of values. */
function isPart({ tag, rows }: Region): boolean {
  return rows || PARTS.has(tag);
}

const PARTS: ReadonlySet<string> = new Set(['p', 'ul', 'ol', 'dl', 'li', 'dt', 'dd', 'blockquote', 'pre']);

/** The region that its paragraphs speak for most: each for its own, and less and less for those around it. */
function favourite(kept: readonly Block[]): Region | undefined {
  let best: Region | undefined;
  for (const block of kept) {
    if (block.size < SCRAP || block.text.includes('©')) continue;
    const weight = (1 + commas(block.text) + Math.min(3, block.size / 100)) * (1 - density(block));
    let region: Region | undefined = block.region;
    for (const share of SHARES) {
      if (!region) break;
      region.score += weight * share;
      if (!best || region.score > best.score) best = region;
      region = region.parent;
    }
  }
  return best;
}

const SHARES = [2 / 3, 1, 1 / 2, 1 / 3];

function commas(text: string): number {
  return text.match(/[,،，、]/g)?.length ?? 0;
}

/** What a block adds to a region that would be home: paragraphs gain, links and scraps lose. */
function worthOf(block: Block): number {
  if (block.region.verdict !== undefined || block.kind === 'heading') return 0;
  if (density(block) >= 0.5) return -block.size;
  return block.size >= PARAGRAPH ? block.size : -20;
}

/**
 * Leaves out the headline, which is the title of the page, and at both ends what is no text yet or no more: dates,
 * names, headings of what follows.
 */
function trimmed(blocks: readonly Block[]): readonly Block[] {
  const first = blocks.findIndex(isProse);
  if (first === -1) return blocks;
  let from = blocks.findIndex(({ h1 }) => h1);
  from = from === -1 || from > first ? 0 : from + 1;
  while (isLoose(blocks[from])) from += 1;
  let to = blocks.length;
  while (isLoose(blocks[to - 1])) to -= 1;
  return blocks.slice(from, to);
}

function isLoose(block: Block | undefined): boolean {
  if (!block || block.size >= PARAGRAPH / 2 || block.kind === 'item' || block.kind === 'row') return false;
  return block.kind === 'heading' || !/[.!?…。！？"”]$/.test(block.text);
}

/**
 * Boilerplate goes to chrome wherever it is. Links and teasers around a clear main text go too, and a heading together
 * with all that it heads; on a page that lists things they are what it is about. What has a figure that people watch a
 * page for stays, be it a link; the rest of a box stays, too.
 */
function leaveOut(blocks: readonly Block[], clear: boolean): void {
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const block = blocks[at];
    if (block?.zone === 'body' && (isBoilerplate(block) || (clear && !block.h1 && isAround(blocks, at)))) {
      block.zone = 'chrome';
    }
  }
}

function isBoilerplate(block: Block): boolean {
  const { verdict } = block.region;
  return verdict === 'boilerplate' || (verdict === 'box' && !isStatement(block));
}

/** What a menu of links or an advertisement does not say. */
function isStatement(block: Block): boolean {
  if (block.kind === 'heading') return true;
  return density(block) < 0.5 ? ENDED.test(block.text) || carriesFigure(block.text) : carriesPrice(block.text);
}

const ENDED = /[\p{L}\p{N}]{2}.{20,}[.!?…。！？]["”’')]?$/u;

function isAround(blocks: readonly Block[], at: number): boolean {
  const block = blocks[at];
  if (block?.region.verdict === 'teasers') return true;
  if (!block || (block.region.inMain && !block.region.aside)) return false;
  if (density(block) >= 0.5) return !offers(block) && !namesOffer(block, blocks[at + 1]);
  return block.kind === 'heading' && headsWhatIsLeftOut(blocks, at);
}

/** Whether a link has a figure for its own sake. A long one is a headline, with the figure of its story. */
function offers({ text }: Block): boolean {
  return text.length <= OFFER_LENGTH ? carriesFigure(text) : PRICED.test(text) && carriesPrice(text);
}

const OFFER_LENGTH = 60;
/** A price is what a long name ends with. */
const PRICED = /^.{1,120}\p{Nd}[^\p{Nd}]{0,12}$/u;

/** Whether a link is the name on a card whose next line is a price. */
function namesOffer({ region, kind }: Block, next: Block | undefined): boolean {
  if (kind !== 'heading' || next?.zone === 'chrome' || next?.region.parent !== region.parent) return false;
  return carriesPrice(next?.text ?? '');
}

/**
 * Whether two blocks or more follow a heading inside what it stands in, up to the next heading of its rank, and all of
 * them are left out. A heading that stands before something else, or between such blocks, is a text of its own.
 */
function headsWhatIsLeftOut(blocks: readonly Block[], at: number): boolean {
  const heading = blocks[at];
  const around = heading && regionHeadedBy(heading);
  if (!around) return false;
  let headed = 0;
  for (let next = at + 1; next < blocks.length; next += 1) {
    const block = blocks[next];
    if (!block || block.region.at < around.at || block.region.at > around.last) break;
    if (block.kind === 'heading' && density(block) < 0.5 && block.region.rank <= heading.region.rank) break;
    if (block.zone !== 'chrome') return false;
    headed += 1;
  }
  return headed >= 2;
}

/** What a heading stands in, without the wrappers that hold nothing else. */
function regionHeadedBy({ region, size, linked }: Block): Region | undefined {
  let around: Region | undefined = region;
  while (around?.parent && around.plain + around.linked <= size + linked) around = around.parent;
  return around;
}
