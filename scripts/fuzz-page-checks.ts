import { isDeepStrictEqual } from 'node:util';
import { adultOf } from '../src/shared/label/adult/adult.ts';
import { categoriesOf, loadCategories } from '../src/shared/label/category/category.ts';
import type { Label } from '../src/shared/label/label.ts';
import { languageOf, loadLanguages } from '../src/shared/label/language/language.ts';
import { pageTypesOf } from '../src/shared/label/page-type/page-type.ts';
import { PAGE_LINKS, PAGE_SEGMENTS, SEGMENT_LENGTH, TITLE_LENGTH, URL_LENGTH } from '../src/shared/limits.ts';
import { compare } from '../src/shared/page/compare.ts';
import { contentOf, mainText } from '../src/shared/page/structure/content.ts';
import { extract, type Extraction, extractWith } from '../src/shared/page/read/extract.ts';
import { fold } from '../src/shared/page/read/fold.ts';
import { readMarkdown } from '../src/shared/page/read/markdown.ts';
import { mediaTypeOf } from '../src/shared/page/read/media-type.ts';
import type { Page } from '../src/shared/page/page.ts';
import { attempt, type Broken, type Stopwatch, timed } from './fuzz-attempt.ts';

/** Of processor time: for whatever is small, and more for each character. */
const LIMIT_MS = 60;
const MS_A_CHARACTER = 0.002;

const languages = await loadLanguages();
const categories = await loadCategories();
const encoder = new TextEncoder();

/**
 * Undefined when everything promised of a page holds for this body. The first line of the input is its Content-Type;
 * after `latin1` behind a bar, each character is a byte.
 */
export function check(input: string, stopwatch: Stopwatch = () => undefined): Broken | undefined {
  const limit = LIMIT_MS + input.length * MS_A_CHARACTER;
  const read = attempt('throws', () => timed('extract', limit, stopwatch, () => extracted(input)));
  if ('check' in read) return read;
  if (!isDeepStrictEqual(read.result, extracted(input))) return { check: 'twice', detail: 'another page' };
  if (!read.result.ok) return undefined;
  const { page } = read.result;
  return texts(page) ?? links(page) ?? labelled(page, limit, stopwatch) ?? compared(page, input, limit, stopwatch);
}

function extracted(input: string): Extraction {
  const end = input.indexOf('\n');
  const [contentType = '', encoding] = input.slice(0, Math.max(0, end)).split('|');
  const body = input.slice(end + 1);
  const bytes = encoding === 'latin1' ? Buffer.from(body, 'latin1') : encoder.encode(body);
  const name = contentType.includes('markdown') ? 'a-page.md' : 'a-page';
  const read = { url: `https://www.example.com/news/2026/${name}`, contentType, bytes };
  return mediaTypeOf(contentType, bytes, read.url) === 'markdown' ? extractWith(readMarkdown, read) : extract(read);
}

/** Folded, within the limits, and such that storage gives back what it got. */
function texts({ title, segments, anchors, facts }: Page): Broken | undefined {
  if (segments.length > PAGE_SEGMENTS || anchors.length > PAGE_LINKS) return { check: 'limits', detail: 'too many' };
  const short = [title, facts.siteName, facts.description, ...facts.sections].filter((text) => text !== undefined);
  const long = [...segments, ...anchors].map(({ text }) => text);
  const stray = short.find((text) => isStray(text, TITLE_LENGTH)) ?? long.find((text) => isStray(text, SEGMENT_LENGTH));
  return stray === undefined ? undefined : { check: 'text', detail: JSON.stringify(stray.slice(0, 500)) };
}

function isStray(text: string, length: number): boolean {
  return text === '' || text.length > length || !text.isWellFormed() || /\p{Cc}/u.test(text) || fold(text) !== text;
}

function links({ anchors, links }: Page): Broken | undefined {
  if (links.length > PAGE_LINKS) return { check: 'limits', detail: 'too many links' };
  const stray = [...links, ...anchors.map(({ href }) => href)].find(
    (href) => href.length > URL_LENGTH || !/^https?:\/\/[^#]+$/.test(href) || URL.parse(href)?.href !== href,
  );
  return stray === undefined ? undefined : { check: 'link', detail: stray.slice(0, 500) };
}

function labelled(page: Page, limit: number, stopwatch: Stopwatch): Broken | undefined {
  const label = (): readonly (Label | string | undefined)[] => {
    const declared = page.facts.language;
    const language = languageOf({ text: mainText(page), ...(declared !== undefined && { declared }) }, languages);
    const adult = adultOf(page, language?.value);
    return [language, adult, ...pageTypesOf(page), ...categoriesOf(page, language?.value, categories)];
  };
  const said = attempt('throws', () => timed('labels', limit, stopwatch, label));
  if ('check' in said) return said;
  return isDeepStrictEqual(said.result, label()) ? undefined : { check: 'twice', detail: 'other labels' };
}

/** With itself, and with what is left of the page when the second half of its body is gone. */
function compared(page: Page, input: string, limit: number, stopwatch: Stopwatch): Broken | undefined {
  const same = attempt('throws', () => timed('compare', limit, stopwatch, () => compare(page, page).change));
  if ('check' in same) return same;
  if (same.result !== undefined) return { check: 'change', detail: JSON.stringify(same.result).slice(0, 500) };
  const half = extracted(input.slice(0, input.length / 2));
  const other = half.ok ? half.page : undefined;
  const made = attempt('throws', () => timed('compare', limit, stopwatch, () => compare(other, page)));
  if ('check' in made) return made;
  return shown(made.result.hunks(), other, page);
}

/** A diff for readers shows lines and links of the two pages and nothing else. */
function shown(
  hunks: ReturnType<ReturnType<typeof compare>['hunks']>,
  before: Page | undefined,
  after: Page,
): Broken | undefined {
  const lines = (page: Page | undefined): Set<string> =>
    new Set(
      page && [
        ...contentOf(page).map(({ text }) => text),
        ...page.anchors.map(({ text, href }) => `${text} -> ${href}`),
      ],
    );
  const [was, is] = [lines(before), lines(after)];
  const stray = hunks.flat().find((block) => {
    if ('del' in block) return block.del.some((line) => !was.has(line));
    return ('ctx' in block ? block.ctx : block.ins).some((line) => !is.has(line));
  });
  return stray && { check: 'hunk', detail: JSON.stringify(stray).slice(0, 500) };
}
