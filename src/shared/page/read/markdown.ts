import MarkdownIt from 'markdown-it';
import { MARKDOWN_LENGTH, MARKDOWN_LINK_LENGTH, MARKDOWN_MARKS, MARKDOWN_NESTING } from '../../limits.ts';
import { shortText } from '../structure/facts.ts';
import { readHtml } from './html.ts';
import type { Page } from '../page.ts';
import { TreeTooLarge } from './tree.ts';

/**
 * Markdown (CommonMark, with the tables and strikethrough of GitHub) as a page: rendered, and read as HTML is. All of
 * it is main. The title is that of the front matter, else the first heading of the first level. Throws `TreeTooLarge`.
 */
export function readMarkdown(text: string, url: string): Page {
  if (text.length > MARKDOWN_LENGTH) {
    throw new TreeTooLarge(`The Markdown has more than ${MARKDOWN_LENGTH} characters.`);
  }
  if (marksIn(text) > MARKDOWN_MARKS) {
    throw new TreeTooLarge(`The Markdown has more than ${MARKDOWN_MARKS} marks and line ends.`);
  }
  const { title, body } = withoutFrontMatter(text);
  const page = readHtml(rendered(body), url);
  return {
    ...page,
    ...(title !== undefined && { title }),
    segments: page.segments.map(({ text, kind }) => ({ text, kind, zone: 'main' })),
    anchors: page.anchors.map(({ href, text }) => ({ href, text, zone: 'main' })),
  };
}

/** What the time of the renderer goes by, beside the length. */
function marksIn(text: string): number {
  let marks = 0;
  for (let at = 0; at < text.length; at += 1) marks += MARKS[text.charCodeAt(at)] ?? 0;
  return marks;
}

const MARKS = new Uint8Array(128);
for (const mark of '\n\r*_~`[]!<>&|\\') MARKS[mark.charCodeAt(0)] = 1;

let renderer: InstanceType<typeof MarkdownIt> | undefined;

/** Made for the first Markdown: its tables take longer than most pages, and few have any. */
function rendererOf(): InstanceType<typeof MarkdownIt> {
  const markdown = new MarkdownIt('default', { html: true, maxNesting: MARKDOWN_NESTING });
  // A reference is 3 characters and may stand for 2,000: what a link carries is paid for, and the rest carries nothing.
  markdown.core.ruler.push('link_budget', ({ tokens }) => {
    let left = MARKDOWN_LINK_LENGTH;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open') {
        const href = String(token.attrGet('href') ?? '');
        left -= href.length;
        token.attrs = left > 0 ? [['href', href]] : [];
      } else if (token.type === 'image') {
        // The renderer writes into it.
        token.attrs = [['alt', '']];
        token.children = [];
      }
    }
  });
  return markdown;
}

function rendered(text: string): string {
  renderer ??= rendererOf();
  return renderer.render(text).replace(DISALLOWED, '&lt;');
}

/**
 * Raw HTML that would change how the rest is read ("Disallowed Raw HTML", GitHub Flavored Markdown 6.11), and what
 * only the head of a page may say. Markdown itself renders to none of these.
 */
const DISALLOWED =
  /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext|base|body|frameset|head|html|link|meta|noscript|select|template)(?:[\s/>]|$))/gi;

/** YAML between `---`, which static sites keep their metadata in. Only a title is taken from it. */
function withoutFrontMatter(text: string): { title: string | undefined; body: string } {
  const found = /^\uFEFF?---[ \t]*\r?\n((?:#[^\n]*\n)*[\w-]+:(?:(?!\n---)[^])*\n)---[ \t]*(?:\r?\n|$)/.exec(
    text.slice(0, 20_000),
  );
  if (!found) return { title: undefined, body: text };
  const title = /^title:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\n#]*))/m.exec(found[1] ?? '');
  return { title: shortText(title?.[1] ?? title?.[2] ?? title?.[3]), body: text.slice(found[0].length) };
}
