import { type Change, type Comparison, type Ignored, type PlacedHunk } from './change.ts';
import { chunksOf, type Edit, editsOf, leaveOut, pairs, REPLACED, replacementIn } from './diff/edits.ts';
import { NO_HISTORY, type PageHistory, placeOf, remember, type Replacement } from './history.ts';
import { bare, placedHunksOf } from './diff/hunks.ts';
import type { Anchor, Page } from './page.ts';
import { leaveOutQuiet } from './diff/quiet-lines.ts';
import { anchorsOf, type IsBoilerplate, textsOf } from './structure/boilerplate.ts';
import { stableTitle, volatileForm } from './diff/volatile.ts';

/**
 * What changed between two pages of one URL. A page seen for the first time (`before` undefined) is all new.
 *
 * A segment is its text: one that only became a heading, or only moved, is no change. What changes by itself is none
 * either: told by its form (`volatile.ts`), or by what the visits before have shown (`history.ts`). Neither is the
 * boilerplate of the host, on either side: what became boilerplate since the last visit has not been deleted.
 */
export function compare(before: Page | undefined, after: Page, sight: Sight = {}): Comparison {
  const { history: past = NO_HISTORY, isBoilerplate = () => false } = sight;
  const { was, is } = textsOf(before, after, isBoilerplate);
  const edits = editsOf(was, is);
  const links = changedLinks(anchorsOf(before, isBoilerplate), anchorsOf(after, isBoilerplate));
  const placedHunks = (): PlacedHunk[] => placedHunksOf(edits, is);
  const shown = { placedHunks, hunks: () => bare(placedHunks()) };
  if (!before) return { change: changeOf(before, after, edits, links), ignored: [], history: past, ...shown };

  const byForm = leaveOutQuiet(edits, was);
  const { ignored, history, left } = leaveOutRotating({ edits, was, links }, past, sight);
  const change = changeOf(before, after, edits, left);
  return { change: isNone(change) ? undefined : change, ignored: [...byForm, ...ignored], history, ...shown };
}

/** What is known beside the two pages. */
interface Sight {
  readonly history?: PageHistory;
  /** How many visits after that of the former page this one is: 1 unless nothing differed at those between. */
  readonly visits?: number;
  readonly isBoilerplate?: IsBoilerplate;
  /** Each text of a place that takes turns counts when it first comes back, too. */
  readonly tellsReturns?: boolean;
}

function changeOf(
  before: Page | undefined,
  after: Page,
  edits: readonly Edit[],
  { removed, added }: ChangedLinks,
): Change {
  return {
    chunks: chunksOf(edits),
    addedAnchors: texts(added),
    removedAnchors: texts(removed),
    titleChanged: stableTitle(before?.title) !== stableTitle(after.title),
  };
}

function texts(links: readonly Link[]): string[] {
  return links.map(({ text }) => text);
}

function identityOf({ identity }: Link): string {
  return identity;
}

function isNone({ chunks, addedAnchors, removedAnchors, titleChanged }: Change): boolean {
  return chunks.length + addedAnchors.length + removedAnchors.length === 0 && !titleChanged;
}

interface Differences {
  readonly edits: readonly Edit[];
  readonly was: readonly string[];
  readonly links: ChangedLinks;
}

/** Takes out what takes turns at its place, and says which links are left. */
function leaveOutRotating({ edits, was, links }: Differences, past: PageHistory, sight: Sight): Rotating {
  const replaced = edits.flatMap((edit) => replacementIn(edit, was));
  const retargeted = retargetedIn(links);
  const { history, isVolatile } = remember(past, [...replaced, ...retargeted.values()], sight);
  const ignored = replaced.filter(isVolatile).flatMap((replacement) => leaveOut(replacement, 'rotates'));
  const isLeft = (text: string, side: 'before' | 'after'): boolean => {
    const own = retargeted.get(text);
    return own ? !isVolatile(own) : !ignored.some((one) => one[side].includes(text));
  };
  const removed = links.removed.filter(({ text }) => isLeft(text, 'before'));
  const added = links.added.filter(({ text }) => isLeft(text, 'after'));
  const alone = [...retargeted].filter(([, replacement]) => isVolatile(replacement)).map(([text]) => text);
  return { ignored: [...ignored, ...pairs(alone, alone, 'link rotates')], history, left: { removed, added } };
}

interface Rotating {
  readonly ignored: readonly Ignored[];
  readonly history: PageHistory;
  readonly left: ChangedLinks;
}

/** The links that lead elsewhere under the same text ("Read more"), by that text, which is their place. */
function retargetedIn({ removed, added }: ChangedLinks): Map<string, Replacement> {
  const byText = new Map<string, Replacement>();
  const gone = Map.groupBy(removed, ({ text }) => text);
  for (const [text, after] of Map.groupBy(added, ({ text }) => text)) {
    const before = gone.get(text) ?? [];
    if (before.length !== after.length || after.length > REPLACED) continue;
    byText.set(text, {
      place: placeOf(text, 'link'),
      before: before.map(identityOf),
      after: after.map(identityOf),
    });
  }
  return byText;
}

/** The links that came and went: the surplus of each side over the other, in its order. */
function changedLinks(before: readonly Anchor[], after: readonly Anchor[]): ChangedLinks {
  const was = before.map(identified);
  const is = after.map(identified);
  return { removed: surplus(was, is), added: surplus(is, was) };
}

interface ChangedLinks {
  readonly removed: readonly Link[];
  readonly added: readonly Link[];
}

interface Link {
  readonly text: string;
  /** Equal for links that are the same: target and text, without what either has for each visitor or visit. */
  readonly identity: string;
}

function identified({ href, text }: Anchor): Link {
  return { text, identity: `${stableHref(href)}\n${volatileForm(text)?.form ?? text}` };
}

function surplus(these: readonly Link[], others: readonly Link[]): Link[] {
  const left = new Map<string, number>();
  for (const { identity } of others) left.set(identity, (left.get(identity) ?? 0) + 1);
  return these.filter(({ identity }) => {
    const count = left.get(identity) ?? 0;
    if (count > 0) left.set(identity, count - 1);
    return count === 0;
  });
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
