import type { Page } from '../../shared/page/page.ts';
import type { PageKind } from '../storage/frontier.ts';

/** What a URL is likely to be, before anyone has seen it. */
export function kindOf({ pathname, search }: URL): PageKind {
  if (FEED.test(pathname)) return 'feed';
  if (SITEMAP.test(pathname)) return 'sitemap';
  if (isOneOfMany(pathname, search)) return 'minor';
  return pathname === '/' && search === '' ? 'hub' : 'article';
}

/** What a page is, now that it has been read. */
export function kindOfPage(url: URL, page: Page, isSeed: boolean): PageKind {
  if (isSeed) return 'hub';
  const guess = kindOf(url);
  if (guess === 'minor' || guess === 'hub') return guess;
  return leadsElsewhere(page) ? 'hub' : 'article';
}

/** A picture, a film, an archive, a style sheet: nothing that is read here. `File:a.jpg` of a wiki is a page. */
export function isFile({ pathname }: URL): boolean {
  return FILE.test(pathname);
}

/**
 * Something to do and nothing to read: to share a page, to print it, to answer it, to log in, to buy. Followed, it would be
 * the page once more, a form, or a redirect. A URL that somebody gave or lists is visited all the same.
 */
export function isAction({ pathname, search }: URL): boolean {
  return ACTION_PATH.test(pathname) || (search !== '' && ACTION.test(search));
}

const ACTION_PATH =
  /\/(?:wp-login\.php|wp-admin|xmlrpc\.php|trackback|log-?(?:in|out)|sign-?(?:in|up|out)|register|anmelden|einloggen|abmelden|connexion|cart|checkout|warenkorb|print|drucken|imprimir|share|tell-?a-?friend|send-?to-?friend|reply)(?:\.\w{2,5})?\/?$/i;
const ACTION =
  /[?&](?:share|replytocom|add-to-cart|print(?:able|er|_?view|_?friendly)?|reply|nb)=|[?&](?:format|view|layout|mode|output|type)=print|[?&](?:do|action|op|act|cmd)=(?:log_?(?:in|out)|sign_?(?:in|up|out)|register|edit|history|print|reply|share|add_?to_?cart|lostpassword)\b|[?&]print(?:&|$)/i;
const FEED = /^(?:\/[^/]+)?\/(?:feeds?|rss|atom)(?:\.(?:xml|rss|atom|rdf)|\/)?$/i;
const SITEMAP = /^\/(?:[^/]+\/)?(?:wp-|news-?|google-?)?sitemaps?[\w.-]*\.(?:xml|txt)(?:\.gz)?$/i;
const FILE =
  /\/[^/:]*\.(?:jpe?g|png|gif|webp|avif|svgz?|ico|bmp|tiff?|css|m?js|map|woff2?|ttf|otf|eot|mp[34]|m4[abv]|mov|avi|wmv|webm|mkv|ogg|og[av]|wav|flac|aac|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|dmg|msi|apk|iso|deb|rpm|jar|docx?|xlsx?|pptx?|od[tsp]|epub|mobi|psd|swf)$/i;

/**
 * One more view of a list: a later page, another order, a filter, a version for the printer. `p=12` is a permanent
 * address of WordPress, and `start` or `view` alone may choose a page.
 */
function isOneOfMany(pathname: string, search: string): boolean {
  return LATER_PAGE.test(pathname) || VIEW.test(search) || NUMBERED.test(search);
}

const LATER_PAGE = /\/(?:page|seite|pagina)[/-]?\d{1,6}\/?$/i;
const VIEW =
  /[?&](?:sort(?:_?by|_?order|_?dir)?|order(?:_?by|_?dir)?|dir|filters?(?:\[[^\]=]*\]|_\w+)?|per_?page|page_?size|replytocom|print(?:able)?|share)=/i;
const NUMBERED = /[?&](?:page|paged|pg|page_?(?:no|num|number)|seite|pagina|offset|start|limit)=\d{1,6}(?:&|$)/i;

/** Most of its content is the words of its links, and there are many. */
function leadsElsewhere({ anchors, segments }: Page): boolean {
  const links = anchors.filter(({ zone }) => zone !== 'chrome');
  if (links.length < HUB_LINKS) return false;
  const linked = links.reduce((sum, { text }) => sum + text.length, 0);
  const all = segments.reduce((sum, { text, zone }) => sum + (zone === 'chrome' ? 0 : text.length), 0);
  return linked >= all / 2;
}

const HUB_LINKS = 20;
