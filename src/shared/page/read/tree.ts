import {
  defaultTreeAdapter,
  type DefaultTreeAdapterMap,
  Parser,
  type Token,
  TokenizerMode,
  type DefaultTreeAdapterTypes as Tree,
} from 'parse5';
import { PAGE_ELEMENTS, PAGE_OPEN_FORMATS } from '../../limits.ts';

/** The document is too large as a tree, whatever its bytes are. The message is a sentence for the operator. */
export class TreeTooLarge extends Error {
  override readonly name = 'TreeTooLarge';
}

/** What there was so far, where several pieces of HTML make one page. */
export interface TreeSize {
  elements: number;
  /** Different targets of links that were resolved. */
  targets: number;
}

interface TreeOptions {
  readonly size?: TreeSize;
  /** Gets the ids of what the controls of the page open: `aria-controls` and what frameworks write for it. */
  readonly controlled?: Set<string>;
  /** As for a reader whose browser runs scripts: what is inside of `noscript` is no tree. */
  readonly scripting?: boolean;
}

/** The tree of an HTML document (WHATWG tree construction); throws `TreeTooLarge` before it costs seconds or gigabytes. */
export function treeOf(html: string, options: TreeOptions = {}): Tree.Document {
  const { size = { elements: 0, targets: 0 }, controlled, scripting = true } = options;
  const parser = new RawTextParser({
    scriptingEnabled: scripting,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(tag, namespace, attributes) {
        size.elements += 1;
        if (attributes.length > 0) noteControlled(attributes, controlled);
        if (size.elements > PAGE_ELEMENTS) throw new TreeTooLarge(`The page has more than ${PAGE_ELEMENTS} elements.`);
        // Counting is walking along a list: now and then is enough.
        if (size.elements % PAGE_OPEN_FORMATS === 0 && opensTooMuch(parser.activeFormattingElements.newest)) {
          throw new TreeTooLarge(`The page leaves more than ${PAGE_OPEN_FORMATS} formatting elements open.`);
        }
        return defaultTreeAdapter.createElement(tag, namespace, attributes);
      },
    },
  });
  parser.tokenizer.write(html, true);
  return parser.document;
}

function noteControlled(attributes: readonly Token.Attribute[], controlled: Set<string> | undefined): void {
  if (!controlled || controlled.size >= CONTROLLED) return;
  for (const { name, value } of attributes) {
    if (name.length < NAMING_LENGTH || !NAMING.has(name)) continue;
    for (const id of value.slice(0, IDS_LENGTH).split(/\s+/, 8)) if (id !== '') controlled.add(id.replace(/^#/, ''));
  }
}

/** Bootstrap's are selectors, most of them an id. */
const NAMING: ReadonlySet<string> = new Set(['aria-controls', 'data-bs-target', 'data-target', 'popovertarget']);
/** Characters of the shortest of them; most names of attributes are shorter. */
const NAMING_LENGTH = 11;
const CONTROLLED = 1_000;
const IDS_LENGTH = 200;

interface Entry {
  readonly older: Entry | null;
}

/** Looks at the parser's list of active formatting elements as far as the table cell or object that it stands in. */
function opensTooMuch(newest: Entry | null): boolean {
  let count = 0;
  for (let entry = newest; entry !== null && 'element' in entry && count <= PAGE_OPEN_FORMATS; entry = entry.older) {
    count += 1;
  }
  return count > PAGE_OPEN_FORMATS;
}

/**
 * A parser that jumps over the bodies of scripts and styles, which are nearly half of the bytes of real pages, instead
 * of reading them letter by letter. The tree is that of parse5, save that these elements are empty; a script that is
 * data (JSON-LD) keeps its body. `test/shared/page/read/raw-text.test.ts` holds it to that.
 *
 * It moves the tokenizer's position, which is not a promise of parse5: its version is pinned.
 */
class RawTextParser extends Parser<DefaultTreeAdapterMap> {
  override onStartTag(token: Token.TagToken): void {
    super.onStartTag(token);
    const { state, preprocessor } = this.tokenizer;
    if (!isRaw(token.tagName, state) || isData(token)) return;
    // The tokenizer stands on the `>` of the start tag; it goes on with the `<` of the end tag.
    const end = endOfRaw(token.tagName, preprocessor.html, preprocessor.pos + 1);
    if (end !== undefined) preprocessor.pos = end - 1;
  }
}

/** Not where the tag was ignored, or stands in foreign content: there the text after it is text. */
function isRaw(tag: string, state: Parser<DefaultTreeAdapterMap>['tokenizer']['state']): boolean {
  return (
    (tag === 'script' && state === TokenizerMode.SCRIPT_DATA) || (tag === 'style' && state === TokenizerMode.RAWTEXT)
  );
}

function isData({ attrs }: Token.TagToken): boolean {
  return attrs.some(({ name, value }) => name === 'type' && (/json/i.test(value) || TEMPLATE.test(value)));
}

/** Types of scripts that hold markup. */
export const TEMPLATE = /template|^\s*text\/html/i;

/** Where the end tag begins; undefined where there is none, or where only the tokenizer can tell. */
function endOfRaw(tag: string, html: string, from: number): number | undefined {
  const pattern = tag === 'script' ? SCRIPT_END : STYLE_END;
  pattern.lastIndex = from;
  const found = pattern.exec(html);
  if (!found) return undefined;
  // After `<!--`, a `<script` opens a script in the script, and the next end tag is not the last.
  const escaped = tag === 'script' ? html.slice(from, found.index).indexOf('<!--') : -1;
  return escaped !== -1 && SCRIPT_START.test(html.slice(from + escaped, found.index)) ? undefined : found.index;
}

const SCRIPT_END = /<\/script[\t\n\f\r />]/gi;
const STYLE_END = /<\/style[\t\n\f\r />]/gi;
const SCRIPT_START = /<script/i;
