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
    if (className === undefined && id === undefined) return undefined;
    const names = `${className ?? ''} ${id ?? ''}`;
    if (names.length > NAMES_LENGTH) return undefined;
    if (!this.#known.has(names)) this.#known.set(names, hintOf(names));
    return this.#known.get(names);
  }
}

/** Characters of class and id beyond which they name no one thing. */
const NAMES_LENGTH = 500;

function hintOf(names: string): Hint | undefined {
  const content = CONTENT.test(names);
  const hints = new Set(names.split(/\s+/).map((name) => hintOfOne(name, content)));
  return ORDER.find((hint) => hints.has(hint));
}

/** Of several, the one that says most. */
const ORDER: readonly Hint[] = ['furniture', 'comments', 'teasers', 'beside'];

function hintOfOne(written: string, content: boolean): Hint | undefined {
  if (STATE.test(written) || QUOTED.test(written)) return undefined;
  const words = written.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  if (FURNITURE.test(words) || (!content && EDGE.test(words))) return 'furniture';
  if (COMMENTS.test(words)) return 'comments';
  if (TEASERS.test(words)) return 'teasers';
  return BESIDE.test(words) || (!content && LOOSE.test(words)) ? 'beside' : undefined;
}

const named = (words: string): RegExp =>
  new RegExp(`(?:^|[^a-z])(?:${words.trim().split(/\s+/).join('|')})(?:[^a-z]|$)`);

/** Names that tell of a state or of a subject, not of a part: `has-sidebar`, `tag-cookies`. */
const STATE = /^(?:no|has|is|with|without|hide|show|category|cat|tag|type|status|format)[-_]/i;
/** Quoted from elsewhere, and yet a part of the text. */
const QUOTED = /embed|quote|tweet/i;
/** A part of the text whatever else its name says: `article-header`. */
const CONTENT = /(?:^|[^a-z])(?:article|body|content|entry|main|post|story|text)/i;

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
