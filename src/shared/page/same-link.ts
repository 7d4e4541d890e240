import type { Anchor } from './page.ts';
import { volatileForm } from './volatile.ts';

/**
 * Texts of the anchors in `these` beyond those in `others`, in their order. A link is its target and its text; a
 * session or campaign in the target, and a counter in the text, are neither.
 */
export function surplus(these: readonly Anchor[], others: readonly Anchor[]): string[] {
  const left = new Map<string, number>();
  for (const key of others.map(identity)) left.set(key, (left.get(key) ?? 0) + 1);
  return these
    .filter((anchor) => {
      const key = identity(anchor);
      const count = left.get(key) ?? 0;
      if (count > 0) left.set(key, count - 1);
      return count === 0;
    })
    .map(({ text }) => text);
}

function identity({ href, text }: Anchor): string {
  return `${stableHref(href)}\n${volatileForm(text)?.form ?? text}`;
}

/** The target without what a server or a campaign writes into it for each visitor. */
function stableHref(href: string): string {
  if (!PERSONAL.test(href)) return href;
  const url = URL.parse(href.replace(/;jsessionid=[^?#/]*/i, ''));
  if (!url) return href;
  const personal = Array.from(url.searchParams.keys()).filter((name) => PARAMETER.test(name));
  for (const name of personal) url.searchParams.delete(name);
  return url.href;
}

const NAMES =
  'utm_\\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|_ga|_gl|(?:php|asp\\.?net_|j)sess(?:ion)?_?id|sid|sess(?:ion)?_?id|csrf(?:_?token)?|nonce';
const PARAMETER = new RegExp(`^(?:${NAMES})$`, 'i');
const PERSONAL = new RegExp(`;jsessionid=|[?&](?:${NAMES})=`, 'i');
