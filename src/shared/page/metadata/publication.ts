import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { type BylineBlock, dateSeen, type TimeElement } from './byline.ts';
import type { DatedByJsonLd } from './json-ld.ts';
import type { PublishTime } from '../page.ts';
import { dateInUrl, parsePublishTime } from './dates.ts';
import { ARTICLE } from './schema.ts';
import { threadBegan } from './thread.ts';
import type { Scope } from '../structure/scope.ts';
import { attribute } from '../read/walk.ts';

/**
 * When a page was published. Of several dates the most trusted place wins, the order being JSON-LD, meta elements,
 * microdata, a `<time>` that says it is the publication's, the address, and last what stands beside the headline;
 * within a place the first that can be read wins. A date of a last modification is never taken. A home page is
 * not published on a day, so there only JSON-LD and meta elements count.
 */
export class Publication {
  readonly #written: { readonly rank: number; readonly written: string }[] = [];
  readonly #times: TimeElement[] = [];

  jsonLd(dates: readonly DatedByJsonLd[]): void {
    for (const { written, of } of dates) this.#note(RANK[of], written);
  }

  meta(name: string, content: string): void {
    const rank = META_DATES.get(name);
    if (rank !== undefined) this.#note(rank, content);
  }

  microdata(dates: readonly string[]): void {
    for (const written of dates) this.#note(RANK.microdata, written);
  }

  /** `at` is the number of blocks of text that were done before the element. */
  time(element: Tree.Element, scope: Scope, at: number): void {
    const written = attribute(element, 'datetime');
    if (written === undefined || attribute(element, 'itemprop') === 'dateModified') return;
    if (attribute(element, 'pubdate') !== undefined) this.#note(RANK.pubdate, written);
    else if (scope.articleHeader) this.#note(RANK.header, written);
    if (!scope.hidden && this.#times.length < TIMES) this.#times.push({ written, at, chrome: scope.chrome });
  }

  of(page: DatedPage): PublishTime | undefined {
    const isHome = URL.parse(page.url)?.pathname === '/';
    const said = this.#said(page.language, isHome ? RANK.microdata : Infinity);
    if (said || isHome) return said;
    const address = dateInUrl(page.url);
    const seen = isAnotherThing(page) ? undefined : seenOn({ ...page, language: believable(page) }, this.#times);
    // Both name the same day: the line beside the headline may tell the hour too.
    const isSeen = !address || seen?.local.slice(0, 10) === address.local.slice(0, 10);
    return isSeen ? seen : address;
  }

  #said(language: string | undefined, below: number): PublishTime | undefined {
    const inOrder = this.#written.filter(({ rank }) => rank < below).sort((one, other) => one.rank - other.rank);
    for (const { written } of inOrder.slice(0, TIMES)) {
      const time = parsePublishTime(written, language);
      if (time) return time;
    }
    return undefined;
  }

  #note(rank: number, written: string): void {
    if (this.#written.length < WRITTEN) this.#written.push({ rank, written });
  }
}

function seenOn(page: DatedPage, times: readonly TimeElement[]): PublishTime | undefined {
  return threadBegan(page.blocks, page) ?? dateSeen(page.blocks, times, page);
}

interface DatedPage {
  readonly url: string;
  readonly title?: string | undefined;
  readonly language?: string | undefined;
  /** Names of schema.org, the page's own first. */
  readonly schemaTypes: readonly string[];
  readonly blocks: readonly BylineBlock[];
}

/**
 * Whether a day that stands on the page is more likely that of an event, of a product, of a member or of the first of
 * several texts than of its publication.
 */
function isAnotherThing({ url, schemaTypes }: DatedPage): boolean {
  const leading = schemaTypes.find((type) => THING.test(type) || ARTICLE.test(type));
  if (leading !== undefined && !ARTICLE.test(leading)) return true;
  return leading === undefined && OTHER_ADDRESS.test(URL.parse(url)?.pathname ?? '');
}

const THING =
  /^(?:Product|ProductGroup|IndividualProduct|Book|Movie|Event|.*Event|Festival|MusicAlbum|MusicRecording|MusicGroup|Person|ProfilePage|CollectionPage|ItemList|SearchResultsPage|LocalBusiness|Hotel|Restaurant|Place)$/;
const OTHER_ADDRESS =
  /\/(?:events?|concerts?|gigs?|tickets?|whats-on|calendar|veranstaltung(?:en)?|termine?|konzerte?|eventos?|conciertos?|agenda|evenements?|evenementen|eventi|concerti|afisha|members?|users?|profiles?|mitglieder|profil|category|categories|kategorie|categoria|tags?|authors?|autor|autores|auteurs?)\/[^/]*\/?$|\/page\/\d+\/?$|^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/)?(?:index\.\w+|news|blog|home|articles?|latest|nachrichten|aktuelles|noticias|actualites?|notizie|nieuws|aktualnosci|novosti|haberler|nyheter)?\/?$/i;

/**
 * Templates leave `lang=en` in pages of other languages; a title with letters that English lacks tells them. Where
 * a page declares English without a country, the host may name one.
 */
function believable({ title = '', language, url }: DatedPage): string | undefined {
  if (language?.toLowerCase().startsWith('en') !== true) return language;
  if (/(?![A-Za-z])\p{L}/u.test(title)) return undefined;
  const domain = URL.parse(url)?.hostname.split('.').at(-1) ?? '';
  return language.length === 2 && domain !== '' ? `${language}-${COUNTRIES.get(domain) ?? domain}` : language;
}

const COUNTRIES: ReadonlyMap<string, string> = new Map([
  ['uk', 'gb'],
  ['gov', 'us'],
  ['mil', 'us'],
  ['edu', 'us'],
]);

/** Dates kept of one page, and those that are read. */
const WRITTEN = 1_000;
const TIMES = 200;

/** Names of meta elements that date a publication, most trusted first. */
const META_DATES: ReadonlyMap<string, number> = new Map(
  `article:published_time og:published_time og:article:published_time datepublished parsely-pub-date sailthru.date
  cxenseparse:recs:publishtime dc.date.issued dcterms.issued dcterms.created dc.date.created dcterms.date dc.date
  article.published article:published citation_publication_date citation_date citation_online_date publish-date publish_date
  publishdate publication_date publication-date pubdate date.issued article_date_original date`
    .split(/\s+/)
    .map((name, index) => [name, 2 + index]),
);

const RANK = { article: 0, page: 1, microdata: 100, upload: 101, pubdate: 102, header: 103 } as const;
