import type { Feed, FeedEntry, FeedText } from './feed-page.ts';
import { isObject, stringOf } from '../json-value.ts';

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
