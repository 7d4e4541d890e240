import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { TITLE_LENGTH } from '../limits.ts';
import { cut, fold } from './fold.ts';
import { datesInJsonLd } from './json-ld.ts';
import type { PublishTime } from './page.ts';
import { parsePublishTime } from './publish-time.ts';
import type { Scope } from './scope.ts';
import { attribute, ownText } from './walk.ts';

/**
 * Title and publication time, read in the same walk as the text. Of several dates the most trusted place wins, the
 * order being JSON-LD, meta elements, microdata, then a `<time>` that says it is the publication's; a date of a last
 * modification is never taken for one. Within a place the first that can be read wins.
 */
export class Metadata {
  #title: string | undefined;
  #ogTitle: string | undefined;
  #dated: { readonly rank: number; readonly time: PublishTime } | undefined;

  get publishTime(): PublishTime | undefined {
    return this.#dated?.time;
  }

  /** `<title>`, else og:title, else the first h1. */
  title(h1: string | undefined): string | undefined {
    return this.#title ?? this.#ogTitle ?? titleOf(h1);
  }

  enter(element: Tree.Element, scope: Scope): void {
    const tag = element.tagName;
    if (tag === 'title') this.#title ??= titleOf(ownText(element));
    else if (tag === 'meta') this.#meta(element);
    else if (tag === 'script') this.#script(element);
    else if (tag === 'time') this.#time(element, scope);
    else if (attribute(element, 'itemprop') === 'datePublished')
      this.#date(RANK.microdata, attribute(element, 'content'));
  }

  #meta(element: Tree.Element): void {
    const name = attribute(element, 'property') ?? attribute(element, 'name') ?? attribute(element, 'itemprop');
    const content = attribute(element, 'content');
    if (name === undefined || content === undefined) return;
    const known = name.trim().toLowerCase();
    if (known === 'og:title') this.#ogTitle ??= titleOf(content);
    const rank = META_DATES.indexOf(known);
    if (rank !== -1) this.#date(RANK.meta + rank, content);
  }

  #script(element: Tree.Element): void {
    if (!/^\s*application\/ld\+json\b/i.test(attribute(element, 'type') ?? '')) return;
    for (const { written, of } of datesInJsonLd(ownText(element))) this.#date(RANK[of], written);
  }

  #time(element: Tree.Element, scope: Scope): void {
    const written = attribute(element, 'datetime');
    const itemprop = attribute(element, 'itemprop');
    if (itemprop === 'datePublished') this.#date(RANK.microdata, written);
    else if (attribute(element, 'pubdate') !== undefined) this.#date(RANK.pubdate, written);
    else if (scope.articleHeader && itemprop !== 'dateModified') this.#date(RANK.header, written);
  }

  #date(rank: number, written: string | undefined): void {
    if (written === undefined || (this.#dated && this.#dated.rank <= rank)) return;
    const time = parsePublishTime(written);
    if (time) this.#dated = { rank, time };
  }
}

/** Names of meta elements that date a publication, most trusted first. */
const META_DATES = `article:published_time og:published_time og:article:published_time datepublished parsely-pub-date
  sailthru.date dc.date.issued dcterms.issued dcterms.created dc.date.created dcterms.date dc.date article.published
  citation_publication_date citation_online_date publish-date publish_date publishdate publication_date pubdate date`.split(
  /\s+/,
);

const RANK = { article: 0, page: 1, meta: 2, microdata: 100, upload: 101, pubdate: 102, header: 103 } as const;

function titleOf(text: string | undefined): string | undefined {
  const folded = cut(fold(text ?? ''), TITLE_LENGTH).trimEnd();
  return folded === '' ? undefined : folded;
}
