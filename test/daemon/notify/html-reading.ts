import { type DefaultTreeAdapterMap, parse } from 'parse5';
import type { Received } from '../../contract/sink-kind.ts';

type Node = DefaultTreeAdapterMap['node'];

/** HTML as a reader sees it, by a parser that browsers agree with. What may run, load or look otherwise than `allowed` is alive. */
export function readHtml(html: string, allowed: readonly string[]): Received {
  const text: string[] = [];
  const links: string[] = [];
  const alive: string[] = [];
  const look = (element: DefaultTreeAdapterMap['element']): void => {
    const { tagName, attrs } = element;
    if (!allowed.includes(tagName)) alive.push(tagName);
    for (const { name, value } of attrs) {
      if (tagName === 'a' && name === 'href') links.push(value);
      else if (!QUIET.includes(name)) alive.push(`${tagName} ${name}`);
    }
    // Lines are lines to a reader.
    if (BLOCKS.includes(tagName)) text.push('\n');
  };
  const walk = (node: Node): void => {
    if (node.nodeName === '#text' && 'value' in node) text.push(node.value);
    if (node.nodeName === '#comment') alive.push('a comment');
    if ('attrs' in node) look(node);
    // Nobody reads it.
    if (node.nodeName === 'style' || node.nodeName === 'title') return;
    if ('childNodes' in node) for (const child of node.childNodes) walk(child);
  };
  walk(parse(html));
  return { text: text.join(''), links, alive };
}

const QUIET = ['charset', 'name', 'content', 'http-equiv', 'lang', 'class'];
const BLOCKS = ['p', 'li', 'h1', 'h2', 'br', 'div'];
const PAGE = ['html', 'head', 'body', 'meta', 'title', 'style'];

export const ofMail: readonly string[] = [...PAGE, 'h1', 'h2', 'p', 'a', 'ul', 'li', 'span', 'ins', 'del', 'div'];
/** https://spec.matrix.org/v1.11/client-server-api/#mroommessage-msgtypes, of which hydrant uses these. */
export const ofMatrix: readonly string[] = ['html', 'head', 'body', 'b', 'i', 's', 'a', 'br'];
