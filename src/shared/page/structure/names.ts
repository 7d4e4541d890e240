/**
 * What the class and id of an element say about what it holds: furniture of the site (a menu, a share bar, a cookie
 * notice), something beside the text (comments, related links, a caption), or nothing. Such names are only a hint:
 * whoever uses them must look how much of the page the element holds (`zones.ts`).
 */
export type Hint = 'furniture' | 'comments' | 'teasers' | 'beside';

/** Reads the hints of one page. Pages repeat their names, so each writing of them is read once. */
export class Names {
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
const ORDER: readonly Hint[] = ['furniture', 'comments', 'teasers', 'beside'];

function hintOfOne(name: string, content: boolean): Hint | undefined {
  if (!ANY.test(name) || STATE.test(name) || QUOTED.test(name)) return undefined;
  if (FURNITURE.test(name) || (!content && EDGE.test(name))) return 'furniture';
  if (COMMENTS.test(name)) return 'comments';
  if (TEASERS.test(name)) return 'teasers';
  return BESIDE.test(name) || (!content && LOOSE.test(name)) ? 'beside' : undefined;
}

const named = (words: string): RegExp =>
  new RegExp(`(?:^|[^a-z])(?:${words.trim().split(/\s+/).join('|')})(?:[^a-z]|$)`);

/** Names that tell of a state or of a subject, not of a part: `has-sidebar`, `tag-cookies`. */
const STATE = /^(?:no|has|is|with|without|hide|show|category|cat|tag|type|status|format)[-_]/;
/** Quoted from elsewhere, and yet a part of the text. */
const QUOTED = /embed|quote|tweet/;
/** A part of the text whatever else its name says: `article-header`. */
const CONTENT = /(?:^|[^a-z])(?:article|body|content|entry|main|post|story|text)/;

const FURNITURE =
  named(`ad ads adv advert[a-z]* adsense breadcrumbs? consent cookies? gdpr login log-in sign-?in sign-?up
  newsletters? subscribe subscription (?:share|sharing|social)-?(?:s|media|links?|icons?|bar|box|buttons?|tools?|this|list|widget)? sponsor[a-z]* outbrain taboola pop-?up
  paywall pager paginat[a-z]* skip-?(?:link|nav|to)[a-z]* toolbar nav navbar navi navigation menu menus sub-?menu masthead
  top-?bar site-?(?:header|footer) page-?footer footer-?(?:links|nav|menu|widgets?) werbung anzeige teilen publicidad compartir`);
const EDGE = named('header footer banner modal overlay copyright print');
const COMMENTS =
  named(`comments? comment-?(?:list|form|section)[a-z]* commentary-list disqus[a-z]* respond kommentare? comentarios
  commentaires`);
const TEASERS = named(`related[a-z]* recommend[a-z]* teasers?
  trending popular most-?(?:read|viewed|popular|shared) read-?(?:more|next|also) more-?(?:from|on|news|stories|articles)
  (?:next|prev|previous)-?(?:post|article|story) author-?(?:bio|box|info) about-?(?:the-?)?author promo[a-z]*
  relacionad[a-z]*`);
const BESIDE = named('side-?bar widgets? captions? credits? byline tag-?(?:list|cloud|links) tags post-?tags');
const LOOSE = named('meta disclaimer credits? bio tools? date(?:line)?');
/** Most names say nothing at all. */
const ANY = new RegExp([FURNITURE, EDGE, COMMENTS, TEASERS, BESIDE, LOOSE].map(({ source }) => source).join('|'));
