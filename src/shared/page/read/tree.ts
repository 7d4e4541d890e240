import { defaultTreeAdapter, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { PAGE_ELEMENTS, PAGE_OPEN_FORMATS } from '../../limits.ts';
import { RawTextParser } from './raw-text.ts';

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

/** The tree of an HTML document (WHATWG tree construction); throws `TreeTooLarge` before it costs seconds or gigabytes. */
export function treeOf(html: string, size: TreeSize = { elements: 0, targets: 0 }): Tree.Document {
  const parser = new RawTextParser({
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(tag, namespace, attributes) {
        size.elements += 1;
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
