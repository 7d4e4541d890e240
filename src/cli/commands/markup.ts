import { printable } from '../printable.ts';

/** Text from pages on its way into a document of ours: none of it is mark-up there. */
export function inHtml(text: string): string {
  return legal(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** XML has no place for some characters, however they are written; the rest as in HTML. */
export const inXml = inHtml;

/** CommonMark takes a backslash before any of its marks. */
export function inMarkdown(text: string): string {
  return legal(text)
    .replaceAll(/[\\`*_{}[\]()<>#+!|~&]/g, String.raw`\$&`)
    .replace(/^(\s*)([-=])/, String.raw`$1\$2`)
    .replace(/^(\s*\d+)\./, String.raw`$1\.`);
}

/** An address between `<` and `>`, which it must not hold itself. */
export function linkInMarkdown(url: string): string {
  return `<${legal(url).replaceAll(/[<>\s\\]/g, (character) => encodeURIComponent(character))}>`;
}

/** Controls are shown as something odd; two more characters are none. */
function legal(text: string): string {
  return printable(text).replaceAll(/[\ufffe\uffff]/g, '\u{fffd}');
}
