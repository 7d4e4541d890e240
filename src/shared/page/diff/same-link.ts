import type { Anchor } from '../page.ts';
import { volatileForm } from './volatile.ts';

/** The links that came and went: the surplus of each side over the other, in its order. */
export function changedLinks(before: readonly Anchor[], after: readonly Anchor[]): ChangedLinks {
  const was = before.map(identified);
  const is = after.map(identified);
  return { removed: surplus(was, is), added: surplus(is, was) };
}

export interface ChangedLinks {
  readonly removed: readonly Link[];
  readonly added: readonly Link[];
}

export interface Link {
  readonly text: string;
  /** Equal for links that are the same: target and text, without what either has for each visitor or visit. */
  readonly identity: string;
}

function identified({ href, text }: Anchor): Link {
  return { text, identity: `${stableHref(href)}\n${volatileForm(text)?.form ?? text}` };
}

function surplus(these: readonly Link[], others: readonly Link[]): Link[] {
  const left = new Map<string, number>();
  for (const { identity } of others) left.set(identity, (left.get(identity) ?? 0) + 1);
  return these.filter(({ identity }) => {
    const count = left.get(identity) ?? 0;
    if (count > 0) left.set(identity, count - 1);
    return count === 0;
  });
}

/** The target without what a server or a campaign writes into it for each visitor. */
function stableHref(href: string): string {
  if (!PERSONAL.test(href)) return href;
  const [path = '', query] = href.replace(SESSION_IN_PATH, '').split(/\?(.*)/s);
  const kept = query?.split('&').filter((parameter) => {
    const [name = '', value = ''] = parameter.split(/=(.*)/s);
    return !isPersonal(name, value);
  });
  return kept === undefined || kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

function isPersonal(name: string, value: string): boolean {
  if (TRACKING.test(name)) return true;
  if (TOKEN.test(name)) return RANDOM.test(value);
  return CACHE_BUSTER.test(name) && EPOCH.test(value);
}

/** Java's and ASP.NET's. */
const SESSION_IN_PATH = /;jsessionid=[^?#/]*|(?<=\/)\(S\([a-z0-9]{16,}\)\)\//gi;

/** Parameters that are personal whatever their value. */
const TRACKING_NAMES =
  '(?:utm|mtm|pk|piwik|matomo|hsa)_\\w+|(?:fb|g|d|ms|tw|tt|y)clid|gclsrc|[gw]braid|li_fat_id|mc_[ce]id|mkt_tok|igshid|igsh|_openstat|_hsenc|_hsmi|_ga|_gl|srsltid|vero_id|wt_mc|s_cid|epik|at_(?:medium|campaign)|no_?cache|cachebust(?:er)?|_';
/** Those that are where the value is random: `sid=12` may be the number of a story. */
const TOKEN_NAMES =
  '(?:php|asp\\.?net_|j)?sess(?:ion)?_?(?:id)?|sid|_?(?:csrf|xsrf)[\\w-]*|\\w{0,20}_token|token|nonce|_?wpnonce|form_key|signature|x-amz-[\\w-]+';
/** Those that are where the value is a time in seconds or milliseconds: `v=3` is a version. */
const CACHE_BUSTER_NAMES = 'v|ver|version|t|ts|time|timestamp|cb|r|rnd|rand(?:om)?|expires';

const TRACKING = new RegExp(`^(?:${TRACKING_NAMES})$`, 'i');
const TOKEN = new RegExp(`^(?:${TOKEN_NAMES})$`, 'i');
const CACHE_BUSTER = new RegExp(`^(?:${CACHE_BUSTER_NAMES})$`, 'i');
const RANDOM = /^(?=\D*\d)(?=[^a-z]*[a-z])[\w.~%+=-]{10,}$/i;
const EPOCH = /^1\d{9}(?:\d{3})?$/;
/** Most targets have nothing of this, and are not parsed. */
const PERSONAL = new RegExp(
  `;jsessionid=|/\\(S\\(|[?&](?:${TRACKING_NAMES}|${TOKEN_NAMES}|${CACHE_BUSTER_NAMES})=`,
  'i',
);
