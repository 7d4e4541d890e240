import { printable } from '../printable.ts';

/** Text from pages on its way into a document of ours: none of it is mark-up there. */

/** As content of HTML or XML, between tags or in a quoted attribute. */
export function escaped(text: string): string {
  return legal(text).replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? found);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * CommonMark takes a backslash before any of its marks. GitHub's makes links of addresses without marks, too: a backslash
 * keeps it from those of pages; mail addresses it looks for afterwards, in text that is not broken by a mark.
 */
export function inMarkdown(text: string): string {
  return legal(text)
    .replaceAll(/[\\`*_{}[\]()<>#+!|~&]/g, String.raw`\$&`)
    .replaceAll('://', String.raw`\://`)
    .replaceAll(/\bwww\./gi, (found) => `${found.slice(0, -1)}\\.`)
    .replaceAll(/(?<=\S)@(?=[\p{L}\p{N}])/gu, '`@`')
    .replace(/^(\s*)([-=])/, String.raw`$1\$2`)
    .replace(/^(\s*\d+)\.(?=\s|$)/, String.raw`$1\.`);
}

/** An address between `<` and `>`, which it must not hold itself. */
export function linkInMarkdown(url: string): string {
  return `<${legal(url).replaceAll(/[<>\s\\]/g, (character) => encodeURIComponent(character))}>`;
}

/** Controls are shown as something odd; XML 1.0 (2.2) has no place for two characters more. */
function legal(text: string): string {
  return printable(text).replaceAll(/[\ufffe\uffff]/g, '\u{fffd}');
}
