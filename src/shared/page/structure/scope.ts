import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { SegmentKind } from '../page.ts';
import { isChoice, textWithin } from '../read/controls.ts';
import type { Region, Regions } from './regions.ts';

/**
 * What a place in the tree means for the text in it: seen or not, boilerplate by its element or ARIA role (HTML-AAM),
 * what kind of segment, and the region it stands in.
 */
export interface Scope {
  /** Not shown to a reader: its links are followed, its text is not read. */
  readonly hidden: boolean;
  /** Inside of what was asked for by a selector: nothing around it says what it is, and a button is text. */
  readonly selected: boolean;
  /** Navigation, header, footer and asides of the site. */
  readonly chrome: boolean;
  /** Inside article, main or section: a header or footer here belongs to the content. */
  readonly sectioned: boolean;
  /** Inside the header of an article: a date here is the article's. */
  readonly articleHeader: boolean;
  readonly preformatted: boolean;
  readonly kind: SegmentKind;
  readonly h1: boolean;
  /** Inside a link that leads somewhere. */
  readonly linked: boolean;
  readonly region: Region;
}

export function documentScope(regions: Regions): Scope {
  return {
    hidden: false,
    selected: false,
    chrome: false,
    sectioned: false,
    articleHeader: false,
    preformatted: false,
    kind: 'sentence',
    h1: false,
    linked: false,
    region: regions.root,
  };
}

/** The scope inside `element`; undefined where nothing inside is ever text or a link. */
export function scopeInside(element: Tree.Element, outer: Scope, regions: Regions): Scope | undefined {
  const tag = element.tagName;
  if (isDropped(element, regions)) return undefined;
  const speaking = SPEAKING.has(tag);
  if (!speaking && element.attrs.length === 0) return outer;
  const said = read(element.attrs);
  const reveals = isRevealed(said, regions);
  if (reveals) said.hidden = false;
  const beside = reveals || isInset(tag, outer);
  const { className, id } = said;
  const region = regions.inside(outer.region, { tag, block: BLOCKS.has(tag), className, id, beside });
  const silent = !speaking && said.role === '' && !said.hidden && region === outer.region;
  return silent ? outer : inner(tag, said, outer, region);
}

/** Where only some elements are read: hidden until one of them is entered. */
export function unselectedScope(regions: Regions): Scope {
  return { ...documentScope(regions), hidden: true };
}

/** The scope inside of an element that was asked for: it is read whatever it is and wherever it stands. */
export function selectedScope(element: Tree.Element, outer: Scope, regions: Regions): Scope {
  const scope = scopeInside(element, outer, regions) ?? outer;
  return { ...scope, hidden: false, selected: true, chrome: false };
}

function inner(tag: string, said: Said, outer: Scope, region: Region): Scope {
  return {
    hidden: outer.hidden || isHidden(tag, said, outer),
    selected: outer.selected,
    chrome: outer.chrome || isChrome(tag, said.role, outer),
    sectioned: outer.sectioned || isSectioning(tag, said.role),
    articleHeader: outer.articleHeader || (tag === 'header' && outer.sectioned),
    preformatted: outer.preformatted || PREFORMATTED.has(tag),
    kind: KINDS.get(tag) ?? outer.kind,
    h1: outer.h1 || tag === 'h1',
    linked: outer.linked || (tag === 'a' && said.href),
    region,
  };
}

export function isBlock(tag: string): boolean {
  return BLOCKS.has(tag);
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Machinery, pictures, and a title wherever it stands: not text, and no links that a reader could follow. */
const DROPPED = words(`script style title noscript template svg iframe object embed canvas audio video datalist textarea
  input annotation annotation-xml noembed noframes meter progress`);
/** Rendered in the place of its host (declarative shadow DOM), unlike any other template. */
const SHADOW = 'shadowrootmode';
/** Hidden by their nature, though a map has links and a head the title. */
const HIDDEN = words('head map rp rt rtc button option');
const SECTIONING = words('article main section');
const PREFORMATTED = words('pre listing xmp plaintext');
const CHROME = words('nav search');
/** Of the site, unless they stand inside of the content. */
const EDGES = words('header footer aside');
const CONTENT_ROLES = words('main article');
const CHROME_ROLES = words(
  'navigation banner contentinfo complementary search menu menubar toolbar tooltip dialog alertdialog',
);
const BLOCKS = words(`address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
  figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol option p pre
  search section summary table tbody td tfoot th thead tr ul xmp plaintext`);
const KINDS: ReadonlyMap<string, SegmentKind> = new Map([
  ['h1', 'heading'],
  ['h2', 'heading'],
  ['h3', 'heading'],
  ['h4', 'heading'],
  ['h5', 'heading'],
  ['h6', 'heading'],
  ['li', 'item'],
  ['dt', 'item'],
  ['dd', 'item'],
  ['caption', 'caption'],
  ['figcaption', 'caption'],
  // Containers of whole texts: what stands in an item or a caption ends where one of these begins.
  ['td', 'sentence'],
  ['th', 'sentence'],
  ['article', 'sentence'],
  ['section', 'sentence'],
  ['blockquote', 'sentence'],
]);
/** Elements that mean something for what is inside them, whatever their attributes are. */
const SPEAKING: ReadonlySet<string> = new Set([...HIDDEN, ...BLOCKS, ...KINDS.keys(), ...CHROME, 'a', 'xmp', 'select']);

function isSectioning(tag: string, role: string): boolean {
  return SECTIONING.has(tag) || CONTENT_ROLES.has(role);
}

function isChrome(tag: string, role: string, outer: Scope): boolean {
  if (CHROME_ROLES.has(role)) return role !== 'complementary' || !outer.sectioned;
  if (CONTENT_ROLES.has(role)) return false;
  return CHROME.has(tag) || (EDGES.has(tag) && !outer.sectioned);
}

function isDropped(element: Tree.Element, { readsFallback }: Regions): boolean {
  const tag = element.tagName;
  if (tag === 'select') return !isChoice(element);
  return DROPPED.has(tag) && !isShadowRoot(element) && !(readsFallback && isFallback(element));
}

function isShadowRoot(element: Tree.Element): boolean {
  return element.tagName === 'template' && element.attrs.some(({ name }) => name === SHADOW);
}

/** What a page has for readers without scripts, but for the request to turn them on. */
function isFallback(element: Tree.Element): boolean {
  if (element.tagName === 'template') return true;
  return element.tagName === 'noscript' && !/java\s?script/i.test(textWithin(element));
}

/** Closed, and opened by something else on the page: an accordion, a tab, a drawer. What stays hidden is not read. */
function isRevealed({ hidden, id, role }: Said, regions: Regions): boolean {
  if (!hidden) return false;
  return role === 'tabpanel' || (id !== undefined && regions.controlled.has(id));
}

/** Beside the text, and a part of the content. */
function isInset(tag: string, { sectioned }: Scope): boolean {
  return tag === 'aside' && sectioned;
}

function isHidden(tag: string, { hidden, open }: Said, outer: Scope): boolean {
  // Scripts against flicker hide the whole body until they ran; a reader sees it.
  if (tag === 'html' || tag === 'body') return false;
  // A button is a control, except as the handle of an accordion, where it holds the heading's text.
  if (HIDDEN.has(tag) && !(tag === 'button' && outer.selected)) return tag !== 'button' || outer.kind !== 'heading';
  return hidden || (tag === 'dialog' && !open);
}

interface Said {
  role: string;
  hidden: boolean;
  href: boolean;
  open: boolean;
  className: string | undefined;
  id: string | undefined;
}

/** What an element's attributes say here, in one pass over them. */
function read(attributes: readonly { readonly name: string; readonly value: string }[]): Said {
  const said: Said = { role: '', hidden: false, href: false, open: false, className: undefined, id: undefined };
  for (const { name, value } of attributes) {
    if (name === 'class') said.className = value;
    else if (name === 'id') said.id = value;
    else if (name === 'href') said.href = !value.startsWith('#');
    else if (name === 'open') said.open = true;
    else if (name === 'role') said.role = value.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '';
    else if (HIDING.has(name)) said.hidden ||= hides(name, value);
  }
  return said;
}

const HIDING = words('hidden aria-hidden style');

function hides(name: string, value: string): boolean {
  if (name === 'hidden') return value.toLowerCase() !== 'until-found';
  if (name === 'aria-hidden') return value.trim().toLowerCase() === 'true';
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(value);
}
