/**
 * Whose statement a node of schema.org makes, in JSON-LD, microdata and RDFa alike: the page's main entity, the page
 * itself, a part of it (an offer, a step), or another page that it leads to.
 */
export type Place = 'main' | 'own' | 'part' | 'other';

/** Where the value of a property stands, seen from its node; undefined for what says nothing of the page. */
export function placeOf(property: string, outer: Place): Place | undefined {
  if (LEFT_OUT.has(property)) return undefined;
  if (outer === 'other' || OTHER_PAGES.has(property)) return 'other';
  if (property === '@graph' || property === 'mainEntityOfPage') return outer;
  return property === 'mainEntity' && outer !== 'part' ? 'main' : 'part';
}

const LEFT_OUT: ReadonlySet<string> = new Set(
  `author creator editor contributor publisher provider sourceOrganization copyrightHolder funder sponsor image logo photo
  thumbnail primaryImageOfPage comment comments review reviews reviewedBy potentialAction isPartOf interactionStatistic
  speakable suggestedAnswer acceptedAnswer`.split(/\s+/),
);
const OTHER_PAGES: ReadonlySet<string> = new Set(
  `itemListElement hasPart blogPost blogPosts mentions relatedLink subjectOf isRelatedTo isSimilarTo citation workExample
  exampleOfWork itemOffered significantLink episode episodes`.split(/\s+/),
);

/** Dated like an article: by `datePublished`, else by `dateCreated`. */
export const ARTICLE =
  /Article$|Posting$|^(?:Report|Recipe|HowTo|Question|Review|VideoObject|PodcastEpisode|Dataset|CreativeWork)$/;
/** Persons, pictures, and what readers say: no part of what the page is, except as its own subject. */
export const FOREIGN = /^(?:Comment|Review|UserReview|UserComments|Answer|Person|Organization|ImageObject|.*Rating)$/;
/** Dated, but never for the page. */
export const UNDATED =
  /^(?:Comment|UserReview|UserComments|Answer|Person|.*Organization|ImageObject|WebSite|.*Rating|Offer)$/;

/** What most pages of a site say in the same way. */
const BOILERPLATE =
  /^(?:WebSite|BreadcrumbList|Breadcrumb|ListItem|SearchAction|EntryPoint|ImageObject|Person|.*Organization|WPHeader|WPFooter|WPSideBar|SiteNavigationElement|Comment|UserComments)$/;

/** Names of types, each once, a few of each place. */
export class TypesByPlace {
  readonly #places: Readonly<Record<Place, Set<string>>> = {
    main: new Set(),
    own: new Set(),
    part: new Set(),
    other: new Set(),
  };

  add(type: string, place: Place): void {
    if (this.#places[place].size < TYPES && NAME.test(type)) this.#places[place].add(type);
  }

  /** In the order: main entity, the page's own, parts, other pages, and last what is boilerplate of a site. */
  static inOrder(all: readonly TypesByPlace[]): string[] {
    const at = (place: Place): string[] => all.flatMap((types) => [...types.#places[place]]);
    const own = at('own');
    const inOrder = [...at('main'), ...own.filter((type) => type !== 'WebPage'), ...own, ...at('part'), ...at('other')];
    const said = inOrder.filter((type) => !BOILERPLATE.test(type));
    return [...new Set([...said, ...inOrder])].slice(0, 2 * TYPES);
  }
}

/** Types kept of each place. */
const TYPES = 16;
const NAME = /^[A-Za-z]\w{0,60}$/;
