import { type DefaultTreeAdapterTypes as Tree, parse } from 'parse5';

/** The text of a page as people see it, read plainly: a list of lines, and which of them are the site's own. */
export interface VisibleText {
  /** Outside navigation, header, footer and dialogs. */
  readonly content: readonly string[];
  /** Inside of them. */
  readonly furniture: readonly string[];
  readonly title: string;
  /** `text -> target` of links to other pages, outside of them and inside. */
  readonly links: readonly string[];
  readonly linksOfTheSite: readonly string[];
}

/**
 * Nothing of the product's reading is used: parse5 makes the tree, and what is left out is told by the names of elements, by
 * roles, and by the word that an id or a class begins or ends with (`footer__legal`, `site-nav`). Style sheets are not read.
 */
export function visibleText(html: Uint8Array): VisibleText {
  const found = new Reader();
  found.read(parse(new TextDecoder().decode(html)));
  return found;
}

class Reader implements VisibleText {
  readonly content: string[] = [];
  readonly furniture: string[] = [];
  readonly links: string[] = [];
  readonly linksOfTheSite: string[] = [];
  title = '';
  #line = '';

  read(node: Tree.ParentNode): void {
    this.#children(node, false);
  }

  #children(node: Tree.ParentNode, isFurniture: boolean): void {
    for (const child of node.childNodes) {
      if ('value' in child) this.#line += child.value;
      else if ('tagName' in child) this.#element(child, isFurniture);
    }
  }

  #element(element: Tree.Element, within: boolean): void {
    const { tagName } = element;
    if (tagName === 'title' && this.title === '') this.title = folded(textOf(element));
    if (UNSEEN.has(tagName) || isHidden(element)) return;
    const isFurniture = within || isOfTheSite(element);
    const isBlock = !INLINE.has(tagName);
    if (isBlock || isFurniture !== within) this.#end(within);
    this.#children(element, isFurniture);
    if (isBlock || isFurniture !== within) this.#end(isFurniture);
    if (tagName === 'a') this.#link(element, isFurniture);
  }

  #link(element: Tree.Element, isFurniture: boolean): void {
    const target = attribute(element, 'href')?.trim().replace(/#.*$/, '') ?? '';
    if (target === '' || /^(?!https?:)[a-z]+:/i.test(target)) return;
    (isFurniture ? this.linksOfTheSite : this.links).push(`${folded(textOf(element))} -> ${target}`);
  }

  #end(isFurniture: boolean): void {
    const line = folded(this.#line);
    this.#line = '';
    if (line !== '') (isFurniture ? this.furniture : this.content).push(line);
  }
}

const UNSEEN = words(
  'title script style noscript template iframe svg button select textarea datalist canvas video audio',
);
const INLINE = words(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr',
);
const ELEMENTS_OF_THE_SITE = words('nav header footer dialog');
const ROLES_OF_THE_SITE = words('navigation banner contentinfo menu menubar dialog alertdialog search');
const NAMES_OF_THE_SITE =
  /^(?:nav|navbar|navigation|menu|header|footer|modal|dialog|cookie|gdpr)(?![a-z])|(?<![a-z])(?:nav|navbar|navigation|menu|header|footer|modal|dialog)$/;
/** They hold the content, whatever they are called: `<body class="header-fixed">`. */
const CONTENT = words('html body main article');

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

function isHidden(element: Tree.Element): boolean {
  const style = attribute(element, 'style') ?? '';
  return (
    attribute(element, 'hidden') !== undefined ||
    attribute(element, 'aria-hidden') === 'true' ||
    namesOf(element).includes('hidden') ||
    /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style)
  );
}

function isOfTheSite(element: Tree.Element): boolean {
  if (CONTENT.has(element.tagName)) return false;
  return (
    ELEMENTS_OF_THE_SITE.has(element.tagName) ||
    ROLES_OF_THE_SITE.has(attribute(element, 'role') ?? '') ||
    namesOf(element).some((name) => NAMES_OF_THE_SITE.test(name))
  );
}

/** Its id and its classes, in lower case. */
function namesOf(element: Tree.Element): string[] {
  return `${attribute(element, 'id') ?? ''} ${attribute(element, 'class') ?? ''}`.toLowerCase().split(/\s+/);
}

function attribute(element: Tree.Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}

function textOf(node: Tree.ParentNode): string {
  return node.childNodes
    .map((child) => ('value' in child ? child.value : 'childNodes' in child ? textOf(child) : ''))
    .join('');
}

function folded(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}
