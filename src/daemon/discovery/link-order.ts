import type { Anchor, Page } from '../../shared/page/page.ts';
import type { Target } from './lead.ts';
import { kindOf } from './kinds.ts';

/**
 * The links of a page in the order of their worth, since a source may have no room for all: headlines, then what reads
 * like one (lists of articles), then what else is in its content, then the navigation. Later pages of lists, other orders
 * and filters come last, wherever they stand.
 */
export function linksInOrder({ anchors, links, segments }: Page): string[] {
  const headlines = new Set(segments.filter(({ kind }) => kind === 'heading').map(({ text }) => text));
  const ranked: string[][] = [[], [], [], [], []];
  for (const anchor of anchors) ranked[rankOf(anchor, headlines)]?.push(anchor.href);
  return [...ranked.flat(), ...links];
}

/** What is one more view of a list comes behind everything else. */
export function viewsLast(targets: readonly Target[]): Target[] {
  const isView = ({ url }: Target): boolean => kindOf(url) === 'minor';
  return [...targets.filter((target) => !isView(target)), ...targets.filter(isView)];
}

function rankOf({ text, zone }: Anchor, headlines: ReadonlySet<string>): number {
  const isLong = isTitle(text);
  if (isLong && headlines.has(text)) return 0;
  if (zone === 'chrome') return isLong ? 3 : 4;
  if (isLong) return 1;
  return zone === 'main' ? 2 : 3;
}

/** Sections of a site have short names; an ideograph says as much as a word. */
function isTitle(text: string): boolean {
  return text.length >= TITLE_LENGTH || (IDEOGRAPHS.test(text) && text.length >= TITLE_LENGTH / 3);
}

const TITLE_LENGTH = 25;
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{4}/u;
