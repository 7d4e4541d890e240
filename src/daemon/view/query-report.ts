import { html, type Html, verbatim } from './html.ts';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';

/** Where each finding is in the query, with a caret below, and what was probably meant. */
export function placedIn(query: string, diagnostics: readonly Diagnostic[]): Html {
  const reach = typedUntil(query);
  return html`<ul class="findings">
    ${diagnostics.map((found) => finding(query, found, reach))}
  </ul>`;
}

/** The query with a hint's words in place of what they are about; undefined where there is no hint, or its place is not in the query. */
export function corrected(query: string, { span, hint, code }: Diagnostic): string | undefined {
  if (!span || !hint || !isTyped({ code, span }, typedUntil(query)) || span.end > query.length) return undefined;
  return query.slice(0, span.start) + hint.replacement + query.slice(span.end);
}

function finding(query: string, found: Diagnostic, reach: number): Html {
  const { severity, message, span, hint, code } = found;
  const place =
    span !== undefined && isTyped({ code, span }, reach) && span.end <= query.length && excerpt(query, span);
  return html`<li class="${severity}">
    <p><b>${severity === 'error' ? 'Error' : 'Warning'}:</b> ${message}</p>
    ${place}${hint && html`<p class="hint">${hint.message}</p>`}
  </li>`;
}

/** Characters of the query around a finding that are shown. */
const AROUND = 60;

/** The caret stands below the first character, in a typeface of one width. */
function excerpt(query: string, { start, end }: { readonly start: number; readonly end: number }): Html {
  const from = Math.max(0, start - AROUND);
  const before = `${from > 0 ? '…' : ''}${query.slice(from, start)}`.replaceAll(/\s/g, ' ');
  const after = query.slice(end, end + AROUND).replaceAll(/\s/g, ' ');
  const wrong = query.slice(start, end).replaceAll(/\s/g, ' ');
  const carets = `${' '.repeat(before.length)}${'^'.repeat(Math.max(1, wrong.length))}`;
  return html`<pre
    class="place"
    tabindex="0"
    role="img"
    aria-label="The place in the query: ${wrong === '' ? 'at its end' : wrong}"
  ><span dir="ltr">${before}<mark>${wrong}</mark>${after}
${verbatim(carets)}</span></pre>`;
}

/** Places count in the query with its saved filters written out: behind the first of them they are nowhere in what was typed. */
function typedUntil(query: string): number {
  return /(?<!\\)\$[\w-]/.exec(query)?.index ?? Infinity;
}

function isTyped({ code, span }: { code: string; span: { start: number; end: number } }, reach: number): boolean {
  return span.end <= reach || (code === 'unknown_filter' && span.start <= reach);
}
