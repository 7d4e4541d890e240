import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { SegmentKind } from './page.ts';
import { attribute } from './walk.ts';

/**
 * What a place in the tree means for the text in it: seen or not, content or site furniture, and what kind of
 * segment. Decided by structure alone, elements and ARIA roles (HTML-AAM); class names say too many things.
 */
export interface Scope {
  /** Not shown to a reader: its links are followed, its text is not read. */
  readonly hidden: boolean;
  /** Navigation, header, footer and asides of the site. */
  readonly chrome: boolean;
  /** Inside article, main or section: a header or footer here belongs to the content. */
  readonly sectioned: boolean;
  /** Inside the header of an article: a date here is the article's. */
  readonly articleHeader: boolean;
  readonly preformatted: boolean;
  readonly kind: SegmentKind;
  readonly h1: boolean;
}

export const DOCUMENT: Scope = {
  hidden: false,
  chrome: false,
  sectioned: false,
  articleHeader: false,
  preformatted: false,
  kind: 'sentence',
  h1: false,
};

/** The scope inside `element`; undefined where nothing inside is ever text or a link. */
export function scopeInside(element: Tree.Element, outer: Scope): Scope | undefined {
  const tag = element.tagName;
  if (DROPPED.has(tag)) return undefined;
  const role = attribute(element, 'role')?.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '';
  return {
    hidden: outer.hidden || isHidden(element, outer),
    chrome: outer.chrome || isChrome(tag, role, outer),
    sectioned: outer.sectioned || isSectioning(tag, role),
    articleHeader: outer.articleHeader || (tag === 'header' && outer.sectioned),
    preformatted: outer.preformatted || PREFORMATTED.has(tag),
    kind: kindInside(tag, outer),
    h1: outer.h1 || tag === 'h1',
  };
}

export function isBlock(tag: string): boolean {
  return BLOCKS.has(tag);
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Machinery, pictures, and a title wherever it stands: not text, and no links that a reader could follow. */
const DROPPED =
  words(`script style title noscript template svg iframe object embed canvas audio video select datalist textarea
  input annotation annotation-xml noembed noframes meter progress`);
/** Hidden by their nature, though a map has links and a head the title. */
const HIDDEN = words('head map rp button');
const SECTIONING = words('article main section');
const PREFORMATTED = words('pre listing xmp plaintext');
const CHROME = words('nav aside search');
const CONTENT_ROLES = words('main article');
const CHROME_ROLES = words(
  'navigation banner contentinfo complementary search menu menubar toolbar tooltip dialog alertdialog',
);
const BLOCKS = words(`address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
  figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol option p pre
  search section summary table tbody td tfoot th thead tr ul xmp plaintext`);
const KINDS: Readonly<Record<string, SegmentKind>> = {
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  li: 'item',
  dt: 'item',
  dd: 'item',
  caption: 'caption',
  figcaption: 'caption',
  // Containers of whole texts: what stands in an item or a caption ends where one of these begins.
  td: 'sentence',
  th: 'sentence',
  article: 'sentence',
  section: 'sentence',
  blockquote: 'sentence',
};

function kindInside(tag: string, outer: Scope): SegmentKind {
  return (Object.hasOwn(KINDS, tag) ? KINDS[tag] : undefined) ?? outer.kind;
}

function isSectioning(tag: string, role: string): boolean {
  return SECTIONING.has(tag) || CONTENT_ROLES.has(role);
}

function isChrome(tag: string, role: string, outer: Scope): boolean {
  if (CHROME_ROLES.has(role)) return true;
  if (CONTENT_ROLES.has(role)) return false;
  return CHROME.has(tag) || ((tag === 'header' || tag === 'footer') && !outer.sectioned);
}

function isHidden(element: Tree.Element, outer: Scope): boolean {
  const tag = element.tagName;
  // Scripts against flicker hide the whole body until they ran; a reader sees it.
  if (tag === 'html' || tag === 'body') return false;
  // A button is a control, except as the handle of an accordion, where it holds the heading's text.
  if (HIDDEN.has(tag)) return tag !== 'button' || outer.kind !== 'heading';
  return element.attrs.some(({ name, value }) => hides(name, value)) || (tag === 'dialog' && !has(element, 'open'));
}

function hides(name: string, value: string): boolean {
  if (name === 'hidden') return value.toLowerCase() !== 'until-found';
  if (name === 'aria-hidden') return value.trim().toLowerCase() === 'true';
  return name === 'style' && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(value);
}

function has(element: Tree.Element, name: string): boolean {
  return attribute(element, name) !== undefined;
}
