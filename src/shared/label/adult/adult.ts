import { contentOf } from '../../page/structure/content.ts';
import type { Page } from '../../page/page.ts';
import { type AdultWords, BY_LANGUAGE, EVERYWHERE } from './words.ts';

/**
 * Why a page counts as one for adults, in words (`rating adult`, `adult words in the title and in 9 of 40 links`), or
 * undefined. What the page says of itself is believed at once: meta `rating` or the Rating header, the RTA label
 * (rtalabel.org), `isFamilyFriendly`, and top-level domains made for such sites. Words need to stand in two places –
 * host, title, links, text – and densely, and lose where the page speaks of courts, medicine or schools: news on an
 * abuse trial, sex education and Scunthorpe are not for adults only.
 *
 * `language` is a code of the vocabulary; without one the words of all languages count.
 */
export function adultOf(page: Page, language: string | undefined): string | undefined {
  return declared(page) ?? spoken(page, wordsOf(language));
}

function declared({ url, facts }: Page): string | undefined {
  const rating = facts.ratings.find((said) => RATING.test(said));
  if (rating !== undefined) return `rating ${rating}`;
  if (facts.isFamilyFriendly === false) return 'isFamilyFriendly false';
  const suffix = SUFFIX.exec(hostOf(url))?.[0];
  return suffix === undefined ? undefined : `domain ${suffix}`;
}

const RATING = /^(?:adult|mature|restricted|rta-5042-1996-1400-1577-rta)$/i;
const SUFFIX = /\.(?:xxx|porn|adult|sex)$/;
/** `sex` only between dots or hyphens: Essex and Sussex have hosts too. */
const HOST = /porn(?!ic\b)|xxx|hentai|sexcam|sextube|camgirl|(?:^|[.-])(?:sex|milf|erotik?|escorts?)(?=[.-])/;

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/\.$/, '') ?? '';
}

function spoken(page: Page, patterns: Patterns): string | undefined {
  const outside = outsideText(page, patterns);
  // The text is one place of the two that are needed: most pages are done here.
  if (outside.length === 0) return undefined;
  const text = textOf(page);
  const surely = count(text, patterns.sure);
  const score = 2 * surely + (surely >= SURE ? count(text, patterns.hint) : 0);
  const isDense = surely >= SURE && score >= SCORE && score >= DENSE * wordsIn(text);
  const places = isDense ? [...outside, `${surely} times in the text`] : outside;
  if (places.length < 2) return undefined;
  const sober = count(text, patterns.sober);
  return sober >= SOBER && sober > score / 2 ? undefined : `adult words ${places.join(', ')}`;
}

function outsideText({ url, title, anchors }: Page, { sure }: Patterns): string[] {
  const links = anchors.slice(0, LINKS).map(({ text }) => text);
  const linked = count(links.join('\n'), sure) < MANY ? 0 : links.filter((text) => count(text, sure) > 0).length;
  return [
    HOST.test(hostOf(url)) ? 'in the host' : '',
    count(title ?? '', sure) > 0 ? 'in the title' : '',
    linked >= MANY && linked >= LINKED * links.length ? `in ${linked} of ${links.length} links` : '',
  ].filter((place) => place !== '');
}

/** Links and characters that are looked at. */
const LINKS = 300;
const CHARACTERS = 40_000;
/** Links with such words, and their part of all. */
const MANY = 5;
const LINKED = 0.12;
/** Sure words in the text, points in all, and points a word. */
const SURE = 4;
const SCORE = 12;
const DENSE = 0.025;
/** Words of those who write about the subject, from which they count. */
const SOBER = 3;

function textOf(page: Page): string {
  let text = '';
  for (const segment of contentOf(page)) {
    if (text.length >= CHARACTERS) break;
    text += `${segment.text.slice(0, CHARACTERS)}\n`;
  }
  return text;
}

/** Words, or for scripts without spaces about as many as there are. */
function wordsIn(text: string): number {
  const spaces = text.split(/\s+/).length;
  return Math.max(spaces, text.length / CHARACTERS_A_WORD);
}

const CHARACTERS_A_WORD = 8;

interface Patterns {
  readonly sure: RegExp;
  readonly hint: RegExp;
  readonly sober: RegExp;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

const compiled = new Map<string, Patterns>();

function wordsOf(language: string | undefined): Patterns {
  const code = language?.slice(0, 2) ?? '';
  const known = compiled.get(code);
  if (known) return known;
  const own = BY_LANGUAGE[code];
  const lists = [EVERYWHERE, ...(code === '' ? Object.values(BY_LANGUAGE) : own ? [own] : [])];
  const patterns = { sure: pattern(lists, 'sure'), hint: pattern(lists, 'hint'), sober: pattern(lists, 'sober') };
  compiled.set(code, patterns);
  return patterns;
}

/** Scripts without spaces have no whole words. */
function pattern(lists: readonly AdultWords[], kind: keyof AdultWords): RegExp {
  const words = lists.flatMap((list) => list[kind].split(/\|(?![^(]*\))/));
  const glued = words.filter((word) => GLUED.test(word));
  const whole = words.filter((word) => !GLUED.test(word));
  const parts = [`(?<![\\p{L}\\p{N}])(?:${whole.join('|')})(?![\\p{L}\\p{N}])`, ...glued];
  return new RegExp(parts.join('|'), 'giu');
}

const GLUED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
