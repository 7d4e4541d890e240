import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { TITLE_LENGTH, URL_LENGTH } from '../../limits.ts';
import { cut, fold } from '../read/fold.ts';
import type { JsonLd } from '../metadata/json-ld.ts';
import type { Microdata } from '../metadata/microdata.ts';
import type { Alternate, Body, Facts } from '../page.ts';
import { TypesByPlace } from '../metadata/schema.ts';
import { attribute } from '../read/walk.ts';

/** What `<html>`, `<base>`, `<link>` and `<meta>` say of the page, and how that becomes its facts. */
export class Statements {
  readonly #meta = new Map<string, string[]>();
  readonly #alternates: Alternate[] = [];
  #canonical: string | undefined;
  #language: string | undefined;
  #base: string | undefined;

  enter(element: Tree.Element): void {
    const tag = element.tagName;
    if (tag === 'link') this.#link(element);
    else if (tag === 'base') this.#base ??= attribute(element, 'href');
    else if (tag === 'html')
      this.#language ??= languageIn(attribute(element, 'lang') ?? attribute(element, 'xml:lang'));
  }

  meta(name: string, content: string): void {
    if (!META.has(name) || content.length > CONTENT_LENGTH) return;
    const known = this.#meta.get(name);
    if (!known) this.#meta.set(name, [content]);
    else if (known.length < CONTENTS) known.push(content);
  }

  get language(): string | undefined {
    const [declared, locale] = [this.#first('content-language'), this.#first('og:locale')];
    return this.#language ?? languageIn(declared) ?? languageIn(locale);
  }

  title(): string | undefined {
    return this.#text('og:title');
  }

  /** `counts` are of those who see the text. */
  facts(url: string, jsonLd: JsonLd, microdata: Microdata): Omit<Facts, 'counts'> {
    const base = absolute(this.#base, url) ?? url;
    return {
      ...defined({
        canonical: absolute(this.#canonical, base) ?? absolute(this.#first('og:url'), base),
        language: this.language,
        siteName: this.#text('og:site_name', 'application-name') ?? shortText(jsonLd.siteName),
        description: this.#text('description', 'og:description') ?? shortText(jsonLd.description),
        ogType: this.#text('og:type')?.toLowerCase(),
        generator: this.#text('generator'),
      }),
      ...familyFriendly([...jsonLd.familyFriendly, ...microdata.familyFriendly, ...this.#all('isfamilyfriendly')]),
      alternates: this.#alternates.flatMap((alternate) => {
        const href = absolute(alternate.href, base);
        return href === undefined ? [] : [{ ...alternate, href }];
      }),
      robots: metaDirectives(this.#all('robots'), this.#all(AGENT)),
      sections: listed([
        ...this.#all('article:section', 'og:article:section', 'parsely-section'),
        ...jsonLd.sections,
        ...jsonLd.crumbs,
        ...microdata.crumbs,
        ...this.#all('section', 'article:tag', 'dc.subject', 'dcterms.subject'),
        ...this.#all('news_keywords', 'keywords').flatMap((words) => words.split(/[,;、，،]/, 2 * LISTED)),
      ]),
      schemaTypes: TypesByPlace.inOrder([jsonLd.types, microdata.types]),
      ratings: listed(this.#all('rating')).map((rating) => rating.toLowerCase()),
    };
  }

  #link(element: Tree.Element): void {
    const href = attribute(element, 'href');
    const kinds = new Set(attribute(element, 'rel')?.toLowerCase().split(/\s+/, 8));
    if (href === undefined || kinds.size === 0) return;
    if (kinds.has('canonical')) this.#canonical ??= href;
    if (kinds.has('alternate') && !kinds.has('stylesheet')) this.#alternate(element, href);
  }

  /** Feeds, and the same page in other languages. */
  #alternate(element: Tree.Element, href: string): void {
    const type = shortText(attribute(element, 'type'))?.toLowerCase();
    const hreflang = shortText(attribute(element, 'hreflang'));
    const isFeed = type !== undefined && FEED.test(type);
    if (this.#alternates.length === ALTERNATES || (!isFeed && hreflang === undefined)) return;
    this.#alternates.push({ href, ...defined({ type, hreflang }) });
  }

  #all(...names: readonly string[]): string[] {
    return names.flatMap((name) => this.#meta.get(name) ?? []);
  }

  #first(...names: readonly string[]): string | undefined {
    return this.#all(...names).find((content) => content.trim() !== '');
  }

  #text(...names: readonly string[]): string | undefined {
    return shortText(this.#first(...names));
  }
}

/** The facts with what the headers of the response say, for a page of any media type. */
export function withHeaders(facts: Facts, headers: Body['headers']): Facts {
  if (!headers) return facts;
  const language = facts.language ?? languageIn(headers.contentLanguage);
  return {
    ...facts,
    ...(language !== undefined && { language }),
    robots: [...new Set([...facts.robots, ...headerDirectives(headers.robots ?? '')])],
    ratings: listed([...facts.ratings, ...(headers.rating ?? '').toLowerCase().split(',', LISTED)]),
  };
}

/** `text` folded and cut; undefined where nothing is left of it. */
export function shortText(text: string | undefined): string | undefined {
  // Folding is linear, but a page may say a megabyte.
  const folded = cut(fold(cut(text ?? '', 4 * TITLE_LENGTH)), TITLE_LENGTH).trimEnd();
  return folded === '' ? undefined : folded;
}

/** Our name in `<meta name>` and X-Robots-Tag, as in robots.txt. */
const AGENT = 'hydrant';
const META: ReadonlySet<string> = new Set(
  `og:title og:url og:site_name og:description og:type og:locale og:article:section application-name description generator
  content-language isfamilyfriendly robots ${AGENT} article:section article:tag parsely-section section dc.subject
  dcterms.subject keywords news_keywords rating`.split(/\s+/),
);
const FEED = /^application\/(?:rss|atom|feed)\+(?:xml|json)$|^application\/(?:rdf\+xml|json\+oembed)$/;
const CONTENT_LENGTH = 20_000;
const CONTENTS = 32;
const ALTERNATES = 64;
const LISTED = 32;

/** Each once, whatever its case. */
function listed(texts: readonly string[]): string[] {
  const known = new Map<string, string>();
  for (const text of texts) {
    const short = shortText(text);
    if (short !== undefined && !known.has(short.toLowerCase())) known.set(short.toLowerCase(), short);
    if (known.size === LISTED) break;
  }
  return [...known.values()];
}

/** The tag as written; a list of several says which languages there are, not which one this is. */
function languageIn(written: string | undefined): string | undefined {
  const tag = written?.slice(0, 40).trim() ?? '';
  return /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8}){0,4}$/i.test(tag) ? tag : undefined;
}

/** One node that says no is enough. */
function familyFriendly(said: readonly string[]): Pick<Facts, 'isFamilyFriendly'> {
  const values = said.map((value) => value.trim().toLowerCase().replace(/^.*\//, ''));
  if (values.some((value) => value === 'false' || value === 'no' || value === '0')) return { isFamilyFriendly: false };
  return values.some((value) => value === 'true' || value === 'yes' || value === '1') ? { isFamilyFriendly: true } : {};
}

function absolute(href: string | undefined, base: string): string | undefined {
  if (href === undefined || href.length > 2 * URL_LENGTH || href.trim() === '') return undefined;
  const url = URL.parse(href, base);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  url.hash = '';
  return url.href.length > URL_LENGTH ? undefined : url.href;
}

/** Without the properties that have no value: a page is plain data. */
function defined<Kind extends Record<string, string | undefined>>(said: Kind): { [Key in keyof Kind]?: string } {
  const found: { [Key in keyof Kind]?: string } = {};
  for (const key in said) if (said[key] !== undefined) found[key] = said[key];
  return found;
}

/**
 * Directives of `<meta name=robots>` and X-Robots-Tag, lower case, each once: `noindex`, `max-snippet:20`. What is said
 * to all and what is said to us add up; `none` is `noindex` and `nofollow`.
 */
function metaDirectives(toAll: readonly string[], toUs: readonly string[]): string[] {
  return limited([...toAll, ...toUs].flatMap((content) => content.split(',', DIRECTIVES)));
}

/**
 * In a header, an agent's name and a colon may come first, and what follows is said to that agent alone
 * (`otherbot: noindex, nofollow`).
 */
function headerDirectives(header: string): string[] {
  let isForUs = true;
  const found: string[] = [];
  for (const part of header.slice(0, HEADER_LENGTH).split(',', DIRECTIVES)) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const isAgent = colon !== -1 && !WITH_VALUE.has(name);
    if (isAgent) isForUs = name === 'hydrant' || name === '*';
    if (isForUs) found.push(isAgent ? part.slice(colon + 1) : part);
  }
  return limited(found);
}

/** Directives that have a colon themselves. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
  'unavailable_after',
]);
const DIRECTIVES = 32;
const DIRECTIVE_LENGTH = 80;
const HEADER_LENGTH = 4_000;

function limited(parts: readonly string[]): string[] {
  const directives = parts
    .map((part) => part.slice(0, DIRECTIVE_LENGTH).replace(/\s/g, '').toLowerCase())
    .flatMap((directive) => (directive === 'none' ? ['noindex', 'nofollow'] : directive));
  return [...new Set(directives)].filter(Boolean).slice(0, DIRECTIVES);
}
