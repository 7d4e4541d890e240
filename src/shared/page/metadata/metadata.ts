import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { BylineBlock } from './byline.ts';
import { shortText, Statements } from '../structure/facts.ts';
import { JsonLd } from './json-ld.ts';
import { Offers } from './offers.ts';
import { Microdata } from './microdata.ts';
import type { Facts, Page } from '../page.ts';
import { Publication } from './publication.ts';
import type { Scope } from '../structure/scope.ts';
import { LINE_BREAK } from '../read/segments.ts';
import { attribute, ownText } from '../read/walk.ts';

/** What a page says about itself to machines: title, publication time and facts, read in the same walk as the text. */
export class Metadata {
  readonly #statements = new Statements();
  readonly #publication = new Publication();
  readonly #offers = new Offers();
  readonly #jsonLd = new JsonLd(this.#offers);
  readonly #microdata = new Microdata(this.#offers);
  #title: string | undefined;

  /** `at` is the number of blocks of text that are done. */
  enter(element: Tree.Element, scope: Scope, at = 0): void {
    const tag = element.tagName;
    if (tag === 'title') this.#title ??= shortText(ownText(element));
    else if (tag === 'meta') this.#meta(element);
    else if (tag === 'script') this.#script(element);
    else if (tag === 'time') this.#publication.time(element, scope, at);
    else this.#statements.enter(element);
    this.#microdata.enter(element);
  }

  /** What the page offers, a line each. */
  get offers(): readonly string[] {
    return this.#offers.lines();
  }

  /** All of it, once the walk is over; `counts` are of those who see the text. */
  page(
    url: string,
    blocks: readonly BylineBlock[],
  ): Pick<Page, 'title' | 'publishTime'> & { facts: Omit<Facts, 'counts'> } {
    const title = this.#titleOf(blocks);
    const { language } = this.#statements;
    this.#publication.jsonLd(this.#jsonLd.dates);
    this.#publication.microdata(this.#microdata.dates);
    const facts = this.#statements.facts(url, this.#jsonLd, this.#microdata);
    const publishTime = this.#publication.of({ url, title, language, schemaTypes: facts.schemaTypes, blocks });
    return {
      ...(title !== undefined && { title }),
      ...(publishTime && { publishTime }),
      facts,
    };
  }

  /**
   * `<title>`, else og:title, else the headline of JSON-LD, else the first h1. The first is what a browser shows and a
   * search engine lists, so it is what a rule on `title` was written against; it is also the one that nearly every page
   * has and that scripts of the page keep true. The name of the site stays in it: without it, `title:Reuters` would
   * find some pages and not others.
   */
  #titleOf(blocks: readonly BylineBlock[]): string | undefined {
    const said = this.#title ?? this.#statements.title() ?? shortText(this.#jsonLd.headline);
    return said ?? shortText(blocks.find(({ h1 }) => h1)?.text.replaceAll(LINE_BREAK, ' '));
  }

  #meta(element: Tree.Element): void {
    const content = attribute(element, 'content');
    if (content === undefined) return;
    for (const key of ['property', 'name', 'http-equiv']) {
      const name = attribute(element, key)?.slice(0, NAME_LENGTH).trim().toLowerCase();
      if (name === undefined) continue;
      this.#statements.meta(name, content);
      this.#publication.meta(name, content);
      this.#offers.meta(name, content);
    }
  }

  #script(element: Tree.Element): void {
    const type = attribute(element, 'type')?.slice(0, NAME_LENGTH) ?? '';
    if (/^\s*application\/ld\+json\b/i.test(type)) this.#jsonLd.read(ownText(element));
  }
}

const NAME_LENGTH = 100;
