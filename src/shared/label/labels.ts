import type { Page, Segment } from '../page/page.ts';
import { adultOf } from './adult/adult.ts';
import { type Categories, categoriesOf, loadCategories } from './category/category.ts';
import type { Label, Labels } from './label.ts';
import { declaredLanguage, languageOf, type Languages, loadLanguages } from './language/language.ts';
import { pageTypesOf } from './page-type/page-type.ts';
import { contentOf } from '../page/structure/content.ts';

/** All labels of a page. */
export async function labels(page: Page): Promise<Labels> {
  return (await labeller())(page);
}

/**
 * What labels pages at once, for those who learn late whether they need it. The model data, a few megabytes, is read when
 * it is first asked for.
 */
export async function labeller(): Promise<(page: Page) => Labels> {
  loading ??= load();
  const models = await loading;
  return (page) => labelled(page, models);
}

interface Models {
  readonly languages: Languages;
  readonly categories: Categories;
}

let loading: Promise<Models> | undefined;

async function load(): Promise<Models> {
  const [languages, categories] = await Promise.all([loadLanguages(), loadCategories()]);
  return { languages, categories };
}

function labelled(page: Page, { languages, categories }: Models): Labels {
  const language = languageOfPage(page, languages);
  const adult = adultOf(page, language?.value);
  return {
    ...(language && { language }),
    pageTypes: pageTypesOf(page),
    categories: withAdult(categoriesOf(page, language?.value, categories), adult),
  };
}

/** An adult page is one of that category first, whatever else it is about: rules leave it out unless they ask for it. */
function withAdult(categories: readonly Label[], reason: string | undefined): readonly Label[] {
  if (reason === undefined) return categories;
  return [{ value: ADULT, reason }, ...categories.filter(({ value }) => value !== ADULT)];
}

const ADULT = '/Adult';

/**
 * The language of a page: that of its main text, and where that is short of all its content or of all its text. Where
 * the page declares another language than its text speaks, or its domain belongs to one, the parts of the text are
 * asked one by one: a Turkish shop that lists English titles is Turkish, and so is one whose letters say nothing clear.
 */
export function languageOfPage(page: Page, model: Languages): Label | undefined {
  const declared = page.facts.language;
  const found = languageOf({ text: textOf(page), ...(declared !== undefined && { declared }) }, model);
  const said = saidOf(page);
  if (said === undefined || said.code === found?.value) return found;
  return byParts(page, { ...said, least: leastFor(found) }, model) ?? found;
}

interface Said {
  readonly code: string;
  readonly source: string;
}

/** What the page declares, or its domain says, unless that is what templates say of every page. */
function saidOf({ url, facts }: Page): Said | undefined {
  const declared = declaredLanguage(facts.language);
  const code = declared ?? BY_DOMAIN.get(URL.parse(url)?.hostname.split('.').at(-1) ?? '');
  if (code === undefined || code === DEFAULT) return undefined;
  return { code, source: declared === undefined ? 'domain' : 'html lang' };
}

function leastFor(found: Label | undefined): number {
  if (found === undefined) return SHARE_ALONE;
  return found.value === DEFAULT ? SHARE_BESIDE_ENGLISH : SHARE;
}

/** Templates declare it in pages of every language, and pages of every language hold some of it. */
const DEFAULT = 'en';
/** Parts of the text that are asked, characters of each, how many must agree, and the share of them that must. */
const PARTS = 12;
const PART = 100;
const LEAST = 2;
const SHARE = 0.3;
const SHARE_BESIDE_ENGLISH = 1 / 6;
const SHARE_ALONE = 0.5;

function byParts(
  page: Page,
  { code, source, least }: Said & { readonly least: number },
  model: Languages,
): Label | undefined {
  const content = joined(contentOf(page));
  const parts = partsOf(isEnough(content) ? content : textOf(page));
  const agreed = parts.filter((part) => languageOf({ text: part }, model)?.value === code).length;
  if (agreed < Math.max(least * parts.length, LEAST)) return undefined;
  return { value: code, reason: `${source}, ${agreed} of ${parts.length} parts of the text` };
}

function partsOf(text: string): string[] {
  const count = Math.min(PARTS, Math.ceil((2 * text.length) / PART));
  const gap = count > 1 ? (text.length - PART) / (count - 1) : 0;
  return Array.from({ length: count }, (_, at) => text.slice(Math.floor(at * gap), Math.floor(at * gap) + PART));
}

/** The main text; where it is short all the content, and where that is short everything, with title and description. */
function textOf(page: Page): string {
  const main = joined(page.segments.filter(({ zone }) => zone === 'main'));
  if (isEnough(main)) return main;
  const content = joined(contentOf(page));
  if (isEnough(content)) return content;
  const all = joined(page.segments);
  return [page.title, page.facts.description, all].filter((text) => text !== undefined && text !== '').join('\n');
}

/** Each text once: the same word on thirty buttons says no more than on one. */
function joined(segments: readonly Segment[]): string {
  return [...new Set(segments.slice(0, SEGMENTS).map(({ text }) => text))].join('\n');
}

function isEnough(text: string): boolean {
  return text.length >= ENOUGH || (text.length >= ENOUGH / 4 && DENSE.test(text));
}

const SEGMENTS = 5_000;
/** Characters from which a text tells its language, and a fourth of them in scripts whose letters are syllables or words. */
const ENOUGH = 200;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{4}/u;

/** Domains of countries in most of whose pages one language is written. */
const BY_DOMAIN: ReadonlyMap<string, string> = new Map(
  `de:de at:de fr:fr es:es mx:es ar:es cl:es pe:es ve:es it:it pt:pt br:pt nl:nl pl:pl se:sv no:no dk:da fi:fi cz:cs
  sk:sk hu:hu ro:ro bg:bg gr:el tr:tr ru:ru ua:uk jp:ja kr:ko cn:zh-cn tw:zh-tw id:id vn:vi th:th ir:fa il:he hr:hr si:sl
  lt:lt lv:lv ee:et al:sq mk:mk`
    .split(/\s+/)
    .map((entry): [string, string] => [entry.slice(0, 2), entry.slice(3)]),
);
