import type { Anchor, Page } from '../page.ts';
import type { LinkChange } from '../change.ts';
import { PAGE_LINKS } from '../../limits.ts';
import { anchorsOf, type IsBoilerplate } from '../structure/boilerplate.ts';
import { asciiWidth } from './edits.ts';
import { volatileForm } from './volatile.ts';

/**
 * The links that came and went: the surplus of each side over the other, in its order. One that moved between the content
 * and the boilerplate of the site has done neither.
 */
export function changedLinks(before: Page | undefined, after: Page, isBoilerplate: IsBoilerplate): ChangedLinks {
  const content = { was: anchorsOf(before, isBoilerplate), is: anchorsOf(after, isBoilerplate) };
  // None is compared with: each is new, as it is written.
  if (!before) return { removed: [], added: content.is.map((anchor) => linkOf(anchor, writtenAs(anchor))) };
  // Most links are there again, letter by letter: what makes others the same link is looked at for the rest only.
  const was = unpaired(content.was, content.is).map(identified);
  const is = unpaired(content.is, content.was).map(identified);
  const removed = surplus(was, is).filter(isNotBehind(after, content.was, content.is));
  const added = surplus(is, was).filter(isNotBehind(before, content.is, content.was));
  if (removed.length + added.length === 0) return { removed, added };
  const texts = new Set([...removed, ...added].map(({ text }) => text));
  const formerly = othersOf(before, content.was, texts);
  const now = othersOf(after, content.is, texts);
  return { removed: surplus(removed, surplus(now, formerly)), added: surplus(added, surplus(formerly, now)) };
}

/**
 * Of a page with more links than are kept the last ones are unknown. A link of the other page that stands behind all that
 * both have may be among them: one more at the top pushes one over the edge, and has removed none.
 */
function isNotBehind(page: Page, these: readonly Anchor[], others: readonly Anchor[]): (link: Link) => boolean {
  if (page.anchors.length < PAGE_LINKS) return () => true;
  const known = new Set(others.map(identityOf));
  const end = these.findLastIndex((anchor) => known.has(identityOf(anchor)));
  const behind = new Set(end === -1 ? [] : these.slice(end + 1));
  return ({ anchor }) => !behind.has(anchor);
}

export interface ChangedLinks {
  readonly removed: readonly Link[];
  readonly added: readonly Link[];
}

export interface Link {
  readonly text: string;
  readonly href: string;
  /** Equal for links that are the same: target and text, without what either has for each visitor or visit. */
  readonly identity: string;
  readonly anchor: Anchor;
}

/** The links that now lead elsewhere under the same text, in the order of the new page; the first `MOST_SHOWN`. */
export function retargetedLinks({ removed, added }: ChangedLinks): LinkChange[] {
  const gone = Map.groupBy(removed, ({ text }) => text);
  const found: LinkChange[] = [];
  for (const { text, href } of added) {
    const former = gone.get(text)?.shift();
    if (former) found.push({ text, before: former.href, after: href });
    if (found.length === MOST_SHOWN) break;
  }
  return found;
}

/** Links that are shown with their targets; a page has up to 5,000, and a target up to some thousand characters. */
const MOST_SHOWN = 100;

/** Links beside the content that have one of these texts. */
function othersOf(page: Page, content: readonly Anchor[], texts: ReadonlySet<string>): Link[] {
  const inContent = new Set(content);
  return page.anchors.filter((anchor) => texts.has(anchor.text) && !inContent.has(anchor)).map(identified);
}

function identified(anchor: Anchor): Link {
  return linkOf(anchor, identityOf(anchor));
}

function linkOf(anchor: Anchor, identity: string): Link {
  return { text: anchor.text, href: anchor.href, identity, anchor };
}

function identityOf({ href, text }: Anchor): string {
  return `${stableHref(href)}\n${volatileForm(text)?.form ?? asciiWidth(text)}`;
}

/** These without as many of each target and text as the others have. */
function unpaired(these: readonly Anchor[], others: readonly Anchor[]): Anchor[] {
  const left = counted(others.map(writtenAs));
  return these.filter((anchor) => !taken(left, writtenAs(anchor)));
}

function writtenAs({ href, text }: Anchor): string {
  return `${href}\n${text}`;
}

function surplus(these: readonly Link[], others: readonly Link[]): Link[] {
  const left = counted(others.map(({ identity }) => identity));
  return these.filter(({ identity }) => !taken(left, identity));
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Whether there is one left of a name, which is taken. */
function taken(counts: Map<string, number>, name: string): boolean {
  const count = counts.get(name) ?? 0;
  if (count > 0) counts.set(name, count - 1);
  return count > 0;
}

/** The target without what a server or a campaign writes into it for each visitor. */
function stableHref(href: string): string {
  if (!PERSONAL.test(href)) return href;
  const [path = '', query] = href.replace(SESSION_IN_PATH, '').split(/\?(.*)/s);
  const kept = query?.split('&').filter((parameter) => {
    const [name = '', value = ''] = parameter.split(/=(.*)/s);
    return !isPersonal(name, value);
  });
  return kept === undefined || kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

function isPersonal(name: string, value: string): boolean {
  if (TRACKING.test(name)) return true;
  if (TOKEN.test(name)) return RANDOM.test(value);
  return CACHE_BUSTER.test(name) && EPOCH.test(value);
}

/** Java's and ASP.NET's. */
const SESSION_IN_PATH = /;jsessionid=[^?#/]*|(?<=\/)\(S\([a-z0-9]{16,}\)\)\//gi;

/** Parameters that are personal whatever their value. */
const TRACKING_NAMES =
  '(?:utm|mtm|pk|piwik|matomo|hsa)_\\w+|(?:fb|g|d|ms|tw|tt|y)clid|gclsrc|[gw]braid|li_fat_id|mc_[ce]id|mkt_tok|igshid|igsh|_openstat|_hsenc|_hsmi|_ga|_gl|srsltid|vero_id|wt_mc|s_cid|epik|at_(?:medium|campaign)|no_?cache|cachebust(?:er)?|_';
/** Those that are where the value is random: `sid=12` may be the number of a story. */
const TOKEN_NAMES =
  '(?:php|asp\\.?net_|j)?sess(?:ion)?_?(?:id)?|sid|_?(?:csrf|xsrf)[\\w-]*|\\w{0,20}_token|token|nonce|_?wpnonce|form_key|signature|x-amz-[\\w-]+';
/** Those that are where the value is a time in seconds or milliseconds: `v=3` is a version. */
const CACHE_BUSTER_NAMES = 'v|ver|version|t|ts|time|timestamp|cb|r|rnd|rand(?:om)?|expires';

const TRACKING = new RegExp(`^(?:${TRACKING_NAMES})$`, 'i');
const TOKEN = new RegExp(`^(?:${TOKEN_NAMES})$`, 'i');
const CACHE_BUSTER = new RegExp(`^(?:${CACHE_BUSTER_NAMES})$`, 'i');
const RANDOM = /^(?=\D*\d)(?=[^a-z]*[a-z])[\w.~%+=-]{10,}$/i;
const EPOCH = /^1\d{9}(?:\d{3})?$/;
/** Most targets have nothing of this, and are not parsed. */
const PERSONAL = new RegExp(
  `;jsessionid=|/\\(S\\(|[?&](?:${TRACKING_NAMES}|${TOKEN_NAMES}|${CACHE_BUSTER_NAMES})=`,
  'i',
);
