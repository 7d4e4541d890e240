import { headOf } from './change-lines.ts';
import type { ShownHunk, ShownLine } from './change-lines.ts';
import { printable } from '../text/printable.ts';

/** One change, as a page or an entry of a feed tells it. All of it is text from outside. */
interface ToldChange {
  readonly url: string;
  readonly title: string | undefined;
  /** What it is: `check 12, 2026-02-27T14:02:00Z: 2 lines added, 1 removed`. */
  readonly summary: string;
  readonly hunks: readonly ShownHunk[];
}

/** A change as HTML that needs no style sheet: feed readers take those away, and leave `del` and `ins`. */
export function entryHtml({ summary, hunks }: Pick<ToldChange, 'summary' | 'hunks'>): string {
  const told = hunks.map((hunk) => `<p>${hunk.lines.map(plainLine).join('<br>\n')}</p>`).join('\n<hr>\n');
  return `<p>${escaped(summary)}</p>\n${told}`;
}

function plainLine({ kind, parts }: ShownLine): string {
  const text = parts.map((part) => (part.changed ? `<b>${escaped(part.text)}</b>` : escaped(part.text))).join('');
  if (kind === 'ctx') return text;
  return kind === 'del' ? `<del>- ${text}</del>` : `<ins>+ ${text}</ins>`;
}

/** A change as a page. */
export function changePage(change: ToldChange): string {
  const name = change.title ?? change.url;
  const about = `${linked(change.url)}<br>${escaped(change.summary)}`;
  const body = `<h1>${escaped(name)}</h1>\n<p>${about}</p>\n${change.hunks.map(table).join('\n')}`;
  return htmlPage({ title: `${name}: what changed`, style: STYLE, body });
}

/** Only what is fetched over HTTP is a link: a `javascript:` address would run on a click. */
function linked(url: string): string {
  const text = escaped(url);
  return /^https?:\/\//i.test(url) ? `<a href="${text}" rel="noreferrer">${text}</a>` : text;
}

function table(hunk: ShownHunk): string {
  const rows = hunk.lines.map(({ kind, parts }) => {
    const text = parts.map((part) => (part.changed ? `<mark>${escaped(part.text)}</mark>` : escaped(part.text)));
    return `<tr class="${kind}"><td>${SIGNS[kind]}</td><td>${text.join('')}</td></tr>`;
  });
  return `<table><caption>${escaped(headOf(hunk))}</caption>\n${rows.join('\n')}\n</table>`;
}

const SIGNS = { ctx: '', del: '−', ins: '+' } as const;

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin-bottom: 1.5rem; }
caption { text-align: left; font: 0.8rem monospace; opacity: 0.7; }
td { padding: 0.15rem 0.5rem; vertical-align: top; overflow-wrap: anywhere; }
td:first-child { width: 1rem; font-family: monospace; }
.del { background: light-dark(#fdd, #411); }
.ins { background: light-dark(#dfd, #141); }
.del mark { background: light-dark(#f99, #922); color: inherit; }
.ins mark { background: light-dark(#8e8, #272); color: inherit; }
`;

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
