import MarkdownIt from 'markdown-it';

/** HTML in a description is shown, not run; a picture would be loaded from elsewhere. */
const markdown = new MarkdownIt({ html: false, linkify: false }).disable('image');

/** The Markdown of a description as HTML for inside a paragraph. */
export function prose(text: string): string {
  return markdown.renderInline(text);
}
