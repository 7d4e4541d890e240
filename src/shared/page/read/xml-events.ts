import { SaxesParser, type SaxesTagNS } from 'saxes';
import { XML_AMPERSANDS, XML_DEPTH, XML_ELEMENTS, XML_MISTAKES } from '../../limits.ts';
import { Malformed } from './malformed.ts';
import { TreeTooLarge } from './tree.ts';

export type XmlTag = SaxesTagNS;

export interface XmlVisitor {
  open(tag: XmlTag): void;
  /** Text and CDATA, in pieces. */
  text(value: string): void;
  close(): void;
}

/**
 * The tags and texts of an XML document, in order. The document type is not read: a reference to anything but the five
 * entities of XML stays as it is written. Real feeds have bare ampersands and white space before their declaration, so
 * mistakes are passed over as long as there are not too many. Throws `Malformed` and `TreeTooLarge`.
 */
export function readXmlEvents(xml: string, visitor: XmlVisitor): void {
  const parser = new SaxesParser({ xmlns: true });
  let [mistakes, elements, depth] = [0, 0, 0];
  parser.on('error', () => {
    mistakes += 1;
    if (mistakes > XML_MISTAKES) throw new Malformed(`The XML has more than ${XML_MISTAKES} mistakes.`);
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    elements += 1;
    if (elements > XML_ELEMENTS) throw new TreeTooLarge(`The XML has more than ${XML_ELEMENTS} elements.`);
    if (depth > XML_DEPTH) throw new Malformed(`The XML has more than ${XML_DEPTH} nested elements.`);
    visitor.open(tag);
  });
  parser.on('closetag', () => {
    depth -= 1;
    visitor.close();
  });
  const text = (value: string): void => {
    if (depth > 0) visitor.text(value);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  let bare = 0;
  const amended = xml.trimStart().replace(BARE, (found) => {
    if (found !== '&') return found;
    bare += 1;
    if (bare > XML_AMPERSANDS) throw new Malformed(`The XML has more than ${XML_AMPERSANDS} bare ampersands.`);
    return '&amp;';
  });
  parser.write(amended).close();
  for (; depth > 0; depth -= 1) visitor.close();
}

/**
 * Ampersands that begin no reference of XML; the parser would look for a semicolon behind the next tags. CDATA and
 * comments are matched only to be left alone.
 */
const BARE = /<!\[CDATA\[[^]*?(?:\]\]>|$)|<!--[^]*?(?:-->|$)|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/gi;
