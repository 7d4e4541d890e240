import { headOf, type ShownHunk, type ShownLine } from './shown-change.ts';
import { escaped, htmlPage } from './markup.ts';

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
