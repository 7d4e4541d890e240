import { PAGE_CHARACTERS, PAGE_LINKS, PAGE_SEGMENTS } from '../../limits.ts';
import { shortText } from '../structure/facts.ts';
import { fold } from './fold.ts';
import { readHtml } from './html.ts';
import { type Anchor, type Cut, NO_FACTS, type Page, type Segment } from '../page.ts';
import { cutOf, NO_CUT, segmentsOf } from './segments.ts';
import { resolved } from './targets.ts';
import type { TreeSize } from './tree.ts';
import { isObject, stringOf } from '../json-value.ts';

/** RSS, Atom and JSON Feed, once their differences are gone. */
export interface Feed {
  readonly title?: FeedText | undefined;
  readonly description?: FeedText | undefined;
  /** As written: `en-gb`. */
  readonly language?: string | undefined;
  readonly entries: readonly FeedEntry[];
  /** Entries beyond them that were not kept. */
  readonly more?: number;
}

export interface FeedEntry {
  readonly title?: FeedText | undefined;
  /** As written. */
  readonly link?: string | undefined;
  /** The whole text where the feed has it, else the summary. */
  readonly text?: FeedText | undefined;
  /** What relative links of this entry start from. */
  readonly base: string;
}

export interface FeedText {
  readonly value: string;
  readonly type: 'text' | 'html';
}

/**
 * A feed as a page: each entry is a heading, its text, and a link under the heading's words. The dates of entries say
 * nothing of when the feed was published. Throws `TreeTooLarge`.
 */
export function feedPage(feed: Feed, url: string): Page {
  const size = { elements: 0, targets: 0 };
  const title = shortText(plain(feed.title, url, size));
  const description = shortText(plain(feed.description, url, size));
  const read = entriesPage(feed, size);
  return {
    url,
    ...(title !== undefined && { title }),
    ...read,
    facts: {
      ...NO_FACTS,
      ...(description !== undefined && { description }),
      ...(feed.language !== undefined && LANGUAGE.test(feed.language) && { language: feed.language }),
    },
  };
}

const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8}){0,4}$/i;

type Read = Pick<Page, 'segments' | 'cut' | 'anchors' | 'links'>;

function entriesPage({ entries, more = 0 }: Feed, size: TreeSize): Read {
  const segments: Segment[] = [];
  const anchors: Anchor[] = [];
  const links = new Set<string>();
  let [characters, lines, shortened] = [0, more, 0];
  for (const [index, entry] of entries.entries()) {
    // An entry without a word is read too, and costs as much.
    if (index === PAGE_SEGMENTS || segments.length >= PAGE_SEGMENTS || characters > PAGE_CHARACTERS) {
      lines += entries.length - index;
      break;
    }
    const read = entryPage(entry, size);
    segments.push(...read.segments);
    characters += read.segments.reduce((sum, { text }) => sum + text.length, 0);
    lines += read.lines;
    shortened += read.shortened;
    anchors.push(...read.anchors.slice(0, PAGE_LINKS - anchors.length));
    for (const link of read.links) if (links.size < PAGE_LINKS) links.add(link);
  }
  lines += Math.max(0, segments.length - PAGE_SEGMENTS);
  return { segments: segments.slice(0, PAGE_SEGMENTS), ...cutOf({ lines, shortened }), anchors, links: [...links] };
}

function entryPage({ title, link, text, base }: FeedEntry, size: TreeSize): Omit<Read, 'cut'> & Cut {
  const href = link === undefined ? undefined : resolved(link, base);
  const body = bodyOf(text, href ?? base, size);
  const heading = fold(plain(title, base, size));
  const head = segmentsOf([{ text: heading, kind: 'heading', zone: 'main' }]);
  const words = (heading === '' ? body : head).segments[0]?.text ?? '';
  const named: Anchor[] = href === undefined || words === '' ? [] : [{ href, text: words, zone: 'main' }];
  const { lines, shortened } = body.cut ?? NO_CUT;
  return {
    segments: [...head.segments, ...body.segments],
    lines,
    shortened: shortened + (head.cut?.shortened ?? 0),
    anchors: [...named, ...body.anchors],
    links: [...(href === undefined ? [] : [href]), ...body.links],
  };
}

function bodyOf(text: FeedText | undefined, base: string, size: TreeSize): Read {
  if (text === undefined) return { segments: [], anchors: [], links: [] };
  if (!isMarkup(text)) {
    return { ...segmentsOf([{ text: text.value, kind: 'sentence', zone: 'main' }]), anchors: [], links: [] };
  }
  const { segments, cut, anchors, links } = readHtml(text.value, base, size);
  return {
    segments: segments.map(({ text, kind }) => ({ text, kind, zone: 'main' })),
    ...(cut && { cut }),
    anchors: anchors.map(({ href, text }) => ({ href, text, zone: 'main' })),
    links,
  };
}

function plain(text: FeedText | undefined, base: string, size: TreeSize): string {
  return bodyOf(text, base, size)
    .segments.map((segment) => segment.text)
    .join(' ');
}

/** Most titles have neither tags nor references, and need no tree. */
function isMarkup({ value, type }: FeedText): boolean {
  return type === 'html' && /[<&]/.test(value);
}

/** The feed that a JSON value is (JSON Feed 1.0 and 1.1), or undefined. */
export function jsonFeed(value: unknown, url: string): Feed | undefined {
  if (!isObject(value) || !VERSION.test(stringOf(value['version']) ?? '')) return undefined;
  const items = Array.isArray(value['items']) ? (value['items'] as readonly unknown[]) : [];
  return {
    title: textOf(value['title']),
    description: textOf(value['description']),
    language: stringOf(value['language']),
    entries: items.filter(isObject).map((item) => entryOf(item, url)),
  };
}

const VERSION = /^https?:\/\/(?:www\.)?jsonfeed\.org\/version\/1/;

function entryOf(item: Readonly<Record<string, unknown>>, url: string): FeedEntry {
  return {
    title: textOf(item['title']),
    link: stringOf(item['url']) ?? stringOf(item['external_url']),
    text: textOf(item['content_html'], 'html') ?? textOf(item['content_text']) ?? textOf(item['summary']),
    base: url,
  };
}

function textOf(value: unknown, type: FeedText['type'] = 'text'): FeedText | undefined {
  return typeof value === 'string' && value.trim() !== '' ? { value, type } : undefined;
}
