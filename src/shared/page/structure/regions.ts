/** An element that may hold blocks: what its class and id say, and what the walk found inside it. */
export interface Region {
  readonly parent: Region | undefined;
  readonly tag: string;
  readonly hint: Hint | undefined;
  /** Characters of content outside links, inside links, and of long blocks that are no links. */
  plain: number;
  linked: number;
  prose: number;
  holdsTitle: boolean;
  /** Whether it or a part of it is a row of values. */
  rows: boolean;
  /** Its place among all regions, in the order of the page, and that of the last one inside it. */
  readonly at: number;
  last: number;
  /** Of the heading that it is or stands in: 1 to 6, else 7. */
  readonly rank: number;
  /** Inside an aside of the content, or a part of it that a control opens. */
  readonly aside: boolean;
  /** Whether the hint is true, as far as one can tell by what the region holds. */
  believed: boolean;
  /** The hint that counts inside: boilerplate of whatever is around, else the innermost that is believed. */
  verdict: Hint | undefined;
  /** Characters of text that may be main, and how much more there is of it than of what is none. */
  kept: number;
  worth: number;
  /** How much speaks for this region as the home of the main text. */
  score: number;
  inMain: boolean;
}

/** The regions of a page, outer ones before those inside them. */
export class Regions {
  readonly root: Region = region(undefined, '', undefined, 0);
  readonly all: Region[] = [this.root];
  /** Ids of what a control of the page opens. */
  readonly controlled: ReadonlySet<string>;
  /** Whether `noscript` and `template` are read. */
  readonly readsFallback: boolean;
  readonly #names = new Names();

  constructor({ controlled = new Set<string>(), readsFallback = false } = {}) {
    this.controlled = controlled;
    this.readsFallback = readsFallback;
  }

  /**
   * The region inside an element: its own where it is a block or its names say something, else the outer one.
   * `beside`: it stands beside the text, whatever it is called.
   */
  inside(outer: Region, { tag, block, className, id, beside }: Place): Region {
    const named = UNNAMED.has(tag) ? undefined : this.#names.hint(className, id);
    const hint = named ?? (beside ? 'beside' : undefined);
    if (hint === undefined && !block) return outer;
    const inner = region(outer, tag, hint, this.all.length, beside);
    this.all.push(inner);
    return inner;
  }

  /** Believes hints as `believes` has it, and says for each region what counts inside. */
  inherit(believes: (region: Region) => boolean): void {
    for (const region of this.all) {
      const outer = region.parent?.verdict;
      region.believed = region.hint !== undefined && believes(region);
      region.verdict = outer !== 'boilerplate' && region.believed ? region.hint : outer;
    }
  }

  /** Adds to each region what those inside it hold, from the innermost outwards. */
  sumUp(add: (outer: Region, inner: Region) => void): void {
    for (let at = this.all.length - 1; at > 0; at -= 1) {
      const inner = this.all[at];
      const outer = inner?.parent;
      if (outer) add(outer, inner);
    }
  }
}

interface Place {
  readonly tag: string;
  readonly block: boolean;
  readonly className: string | undefined;
  readonly id: string | undefined;
  readonly beside: boolean;
}

/** Names of these speak of the page as a whole, or, as the target of a link, of the subject of a chapter. */
const UNNAMED: ReadonlySet<string> = new Set('html body main article h1 h2 h3 h4 h5 h6 dt td th tr tbody'.split(' '));

const HEADING = /^h[1-6]$/;

function region(parent: Region | undefined, tag: string, hint: Hint | undefined, at: number, beside = false): Region {
  return {
    parent,
    tag,
    hint,
    at,
    last: at,
    rank: HEADING.test(tag) ? Number(tag[1]) : (parent?.rank ?? 7),
    aside: beside || parent?.aside === true,
    plain: 0,
    linked: 0,
    prose: 0,
    holdsTitle: false,
    rows: false,
    believed: false,
    verdict: undefined,
    kept: 0,
    worth: 0,
    score: 0,
    inMain: false,
  };
}

/**
 * What the class and id of an element say about what it holds: boilerplate of the site (a share bar, a cookie notice), a
 * box that is mostly boilerplate and sometimes an offer (a menu, a banner), something beside the text (comments, related
 * links, a caption), or nothing. Such names are only a hint: whoever uses them must look how much of the page the element
 * holds (`zones.ts`).
 */
type Hint = 'boilerplate' | 'comments' | 'teasers' | 'box' | 'beside';

/** Reads the hints of one page. Pages repeat their names, so each writing of them is read once. */
class Names {
  readonly #known = new Map<string, Hint | undefined>();

  hint(className: string | undefined, id: string | undefined): Hint | undefined {
    const one = this.#hintOf(className);
    const other = this.#hintOf(id);
    return one === undefined || other === undefined
      ? (one ?? other)
      : ORDER.find((hint) => hint === one || hint === other);
  }

  #hintOf(names: string | undefined): Hint | undefined {
    if (names === undefined || names.length > NAMES_LENGTH) return undefined;
    const known = this.#known.get(names);
    if (known !== undefined || this.#known.has(names)) return known;
    const hint = hintOf(names);
    this.#known.set(names, hint);
    return hint;
  }
}

/** Characters of a class or id beyond which it names no one thing. */
const NAMES_LENGTH = 500;

function hintOf(names: string): Hint | undefined {
  const words = LOWER.test(names) ? names : names.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  if (!ANY.test(words)) return undefined;
  const content = CONTENT.test(words);
  const hints = new Set(words.split(/\s+/).map((name) => hintOfOne(name, content)));
  return ORDER.find((hint) => hints.has(hint));
}

/** Six of seven are. */
const LOWER = /^[a-z0-9 _-]*$/;
/** Of several, the one that says most. */
const ORDER: readonly Hint[] = ['boilerplate', 'comments', 'teasers', 'box', 'beside'];

function hintOfOne(name: string, content: boolean): Hint | undefined {
  if (!ANY.test(name) || STATE.test(name) || QUOTED.test(name)) return undefined;
  if (!content && EDGE.test(name)) return 'boilerplate';
  for (const [hint, pattern] of HINTS) if (pattern.test(name)) return hint;
  return !content && LOOSE.test(name) ? 'beside' : undefined;
}

const named = (...words: readonly string[]): RegExp =>
  new RegExp(`(?:^|[^a-z])(?:${words.join(' ').trim().split(/\s+/).join('|')})(?:[^a-z]|$)`);

/** Names that tell of a state or of a subject, not of a part: `has-sidebar`, `tag-cookies`. */
const STATE = /^(?:no|has|is|with|without|hide|show|category|cat|tag|type|status|format)[-_]/;
/** Quoted from elsewhere, and yet a part of the text. */
const QUOTED = /embed|quote|tweet/;
/** A part of the text whatever else its name says: `article-header`. */
const CONTENT = /(?:^|[^a-z])(?:article|body|content|entry|main|post|story|text)/;

const WORDS = {
  boilerplate: `ad ads adv advert[a-z]* adsense breadcrumbs? consent cookies? gdpr login log-in sign-?in sign-?up
  newsletters? subscribe (?:share|sharing|social)-?(?:s|media|links?|icons?|bar|box|buttons?|tools?|this|list|widget)? sponsor[a-z]* outbrain taboola pop-?up
  paywall pager paginat[a-z]* skip-?(?:link|nav|to)[a-z]* toolbar nav navbar navi navigation masthead
  top-?bar site-?(?:header|footer) page-?footer footer-?(?:links|nav|menu|widgets?) werbung anzeige teilen publicidad compartir`,
  edge: 'header footer modal overlay copyright print',
  box: 'menus? sub-?menus? banners? promo[a-z]* subscriptions?',
  comments: `comments? comment-?(?:list|form|section)[a-z]* commentary-list disqus[a-z]* respond kommentare? comentarios
  commentaires`,
  teasers: `related[a-z]* recommend[a-z]* teasers?
  trending popular most-?(?:read|viewed|popular|shared) read-?(?:more|next|also) more-?(?:from|on|news|stories|articles)
  (?:next|prev|previous)-?(?:post|article|story) author-?(?:bio|box|info) about-?(?:the-?)?author
  relacionad[a-z]*`,
  beside: 'side-?bar widgets? captions? credits? byline tag-?(?:list|cloud|links) tags post-?tags',
  loose: 'meta disclaimer credits? bio tools? date(?:line)?',
};
const BOILERPLATE = named(WORDS.boilerplate);
const EDGE = named(WORDS.edge);
const BOX = named(WORDS.box);
const COMMENTS = named(WORDS.comments);
const TEASERS = named(WORDS.teasers);
const BESIDE = named(WORDS.beside);
const LOOSE = named(WORDS.loose);
/** Whatever else a name says; the first decides. */
const HINTS: readonly (readonly [Hint, RegExp])[] = [
  ['boilerplate', BOILERPLATE],
  ['box', BOX],
  ['comments', COMMENTS],
  ['teasers', TEASERS],
  ['beside', BESIDE],
];
/** Most names say nothing at all. One beginning for all words is looked for once, not seven times. */
const ANY = named(...Object.values(WORDS));
