import { SaxesParser } from 'saxes';
import { XML_DEPTH, XML_MISTAKES } from '../../shared/limits.ts';

/** Elements and texts of a sitemap, in order. Names are as they are written, with their prefix. */
export interface SitemapVisitor {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(value: string): void;
  close(name: string): void;
  /** Whether more is wanted. */
  isDone(): boolean;
}

/**
 * Reads XML in pieces, so that 50 MB of it are never one string or one tree. Neither the document type nor an entity of
 * its own is read: a reference to anything but the five of XML stays as it is written. Namespaces are not looked up,
 * since every second generator has a wrong one. A sentence when it ends early; never throws.
 */
export function readSitemapEvents(pieces: Iterable<string>, visitor: SitemapVisitor): string | undefined {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let [mistakes, depth] = [0, 0];
  let problem: string | undefined;
  parser.on('error', () => {
    mistakes += 1;
    if (mistakes > XML_MISTAKES) problem = `it has more than ${XML_MISTAKES} mistakes`;
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > XML_DEPTH) problem = `it has more than ${XML_DEPTH} elements inside one another`;
    if (problem === undefined && !visitor.isDone()) visitor.open(name, attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    if (problem === undefined && !visitor.isDone()) visitor.close(name);
  });
  parser.on('text', (value) => visitor.text(value));
  // The ampersands of a CDATA section were amended, too. Who wrote `&amp;` there meant `&`.
  parser.on('cdata', (value) => visitor.text(value.replaceAll('&amp;', '&')));
  for (const piece of amended(pieces)) {
    parser.write(piece);
    if (problem !== undefined || visitor.isDone()) return problem;
  }
  parser.close();
  return depth > 0 ? 'it breaks off before its end' : problem;
}

/**
 * Ampersands that begin no reference of XML, as in the addresses of many sitemaps, become `&amp;`: the parser would look
 * for a semicolon behind the next tags. A piece ends before an ampersand that the next one may go on with.
 */
function* amended(pieces: Iterable<string>): Iterable<string> {
  let rest = '';
  for (const piece of pieces) {
    const text = rest + piece;
    const last = text.lastIndexOf('&');
    const cut = last === -1 || text.length - last > REFERENCE_LENGTH ? text.length : last;
    rest = text.slice(cut);
    yield text.slice(0, cut).replace(BARE, '&amp;');
  }
  yield rest.replace(BARE, '&amp;');
}

const BARE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi;
/** `&#1114111;` */
const REFERENCE_LENGTH = 10;
