import { PAGE_LINKS, PAGE_SEGMENTS, SEGMENT_LENGTH } from '../../limits.ts';
import { shortText } from '../structure/facts.ts';
import { cut, fold } from './fold.ts';
import { readHtml } from './html.ts';
import { type Anchor, NO_FACTS, type Page, type Segment } from '../page.ts';
import { segmentsOf } from './segments.ts';
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
  const segments: Segment[] = [];
  const anchors: Anchor[] = [];
  const links = new Set<string>();
  // An entry without a word is read too, and costs as much.
  for (const entry of feed.entries.slice(0, PAGE_SEGMENTS)) {
    if (segments.length >= PAGE_SEGMENTS) break;
    const read = entryPage(entry, size);
    segments.push(...read.segments);
    anchors.push(...read.anchors);
    for (const link of read.links) links.add(link);
  }
  return {
    url,
    ...(title !== undefined && { title }),
    segments: segments.slice(0, PAGE_SEGMENTS),
    anchors: anchors.slice(0, PAGE_LINKS),
    links: [...links].slice(0, PAGE_LINKS),
    facts: {
      ...NO_FACTS,
      ...(description !== undefined && { description }),
      ...(feed.language !== undefined && LANGUAGE.test(feed.language) && { language: feed.language }),
    },
  };
}

const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8}){0,4}$/i;

function entryPage(
  { title, link, text, base }: FeedEntry,
  size: TreeSize,
): Pick<Page, 'segments' | 'anchors' | 'links'> {
  const href = link === undefined ? undefined : resolved(link, base);
  const body = bodyOf(text, href ?? base, size);
  const heading = fold(plain(title, base, size));
  const words = cut(heading === '' ? (body.segments[0]?.text ?? '') : heading, SEGMENT_LENGTH);
  const named: Anchor[] = href === undefined || words === '' ? [] : [{ href, text: words, zone: 'main' }];
  return {
    segments: [...segmentsOf([{ text: heading, kind: 'heading', zone: 'main' }]), ...body.segments],
    anchors: [...named, ...body.anchors],
    links: [...(href === undefined ? [] : [href]), ...body.links],
  };
}

function bodyOf(
  text: FeedText | undefined,
  base: string,
  size: TreeSize,
): Pick<Page, 'segments' | 'anchors' | 'links'> {
  if (text === undefined) return { segments: [], anchors: [], links: [] };
  if (!isMarkup(text)) {
    const segments = segmentsOf([{ text: text.value, kind: 'sentence', zone: 'main' }]);
    return { segments, anchors: [], links: [] };
  }
  const { segments, anchors, links } = readHtml(text.value, base, size);
  return {
    segments: segments.map(({ text, kind }) => ({ text, kind, zone: 'main' })),
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
