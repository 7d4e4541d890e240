import { printable } from '../text/printable.ts';

/**
 * Documents that hydrant writes with text from pages in them, HTML, XML and Markdown: none of that text is mark-up there.
 * It loads nothing that compares texts, as `hydrant tap --help` loads it.
 */

/** A page of ours: texts are from outside, `style` and `body` are made by us. */
interface HtmlPage {
  /** Text. */
  readonly title: string;
  /** Of our own words; absent where most of the text is a stranger's. */
  readonly language?: string;
  readonly style: string;
  /** HTML. */
  readonly body: string;
}

/** One self-contained document: no script, and nothing is asked of anyone, so that a mail shows it as it is. */
export function htmlPage({ title, language, style, body }: HtmlPage): string {
  return `<!doctype html>
<html${language === undefined ? '' : ` lang="${language}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** As content of HTML or XML, between tags or in a quoted attribute. */
export function escaped(text: string): string {
  return legalText(text).replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? found);
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
  return legalText(text)
    .replaceAll(/[\\`*_{}[\]()<>#+!|~&]/g, String.raw`\$&`)
    .replaceAll('://', String.raw`\://`)
    .replaceAll(/\bwww\./gi, (found) => `${found.slice(0, -1)}\\.`)
    .replaceAll(/(?<=\S)@(?=[\p{L}\p{N}])/gu, '`@`')
    .replace(/^(\s*)([-=])/, String.raw`$1\$2`)
    .replace(/^(\s*\d+)\.(?=\s|$)/, String.raw`$1\.`);
}

/** An address between `<` and `>`, in which CommonMark reads character references, `&lt;`, too. */
export function linkInMarkdown(url: string): string {
  return inBrackets(url).replaceAll(/&(?=#?\w+;)/g, String.raw`\&`);
}

/** An address in plain text (RFC 3986, appendix C), between `<` and `>`, which it must not hold itself. */
export function inBrackets(url: string): string {
  return `<${legalText(url).replaceAll(/[<>\s\\]/g, (character) => encodeURIComponent(character))}>`;
}

/**
 * Text as any document may hold it. Controls are shown as something odd, and so is what is no character: XML 1.0
 * (2.2) has no place for some of them, and HTML for none.
 */
export function legalText(text: string): string {
  return printable(text).replaceAll(/\p{Noncharacter_Code_Point}/gu, '\u{fffd}');
}
