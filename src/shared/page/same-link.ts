import { counted, take } from './multiset.ts';
import type { Anchor } from './page.ts';
import { volatileForm } from './volatile.ts';

/**
 * Texts of the anchors in `these` beyond those in `others`, in their order. A link is its target and its text; a
 * session or campaign in the target, and a counter in the text, are neither.
 */
export function surplus(these: readonly Anchor[], others: readonly Anchor[]): string[] {
  const known = counted(others.map(identity));
  return these.filter((anchor) => !take(known, identity(anchor))).map(({ text }) => text);
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
