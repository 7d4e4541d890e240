/**
 * Query parameters that say something of the visitor or of how he came, and nothing of the page.
 *
 * Sources: the documentation of each product named. ClearURLs and the "removeparam" lists of content blockers have some
 * hundred more, for the sites of single owners; here is what one meets on all sites. Short names (`ref`, `source`, `s`)
 * choose the page on too many of them.
 */
const TRACKING_NAMES = [
  // Google Analytics; Matomo, formerly Piwik; HubSpot ads.
  // `pk_id` is a primary key elsewhere.
  '(?:utm|mtm|matomo|piwik|hsa)_\\w+',
  'pk_(?:campaign|cid|content|kwd|keyword|medium|source|vid)',
  // Ads of Google (and its linker), Meta, Microsoft, Twitter, TikTok, LinkedIn, Yandex, OpenStat, Pinterest.
  'gclid|gclsrc|dclid|[gw]braid|gad_source|gad_campaignid|srsltid|_ga|_gl',
  'fbclid|igsh|igshid|msclkid|twclid|ttclid|li_fat_id|ys?clid|_openstat|epik',
  // Letters: Mailchimp, HubSpot, Marketo, Vero.
  'mc_[ce]id|_hsenc|_hsmi|__hs(?:sc|tc|fp)|hsctatracking|mkt_tok|vero_id',
  // Web analytics: Adobe, Webtrekk, AT Internet.
  's_cid|wt_mc|at_medium|at_campaign',
];
const TRACKING = new RegExp(`^(?:${TRACKING_NAMES.join('|')})$`, 'i');

export function isTracking(name: string): boolean {
  return TRACKING.test(name);
}

/** A path without the session that Java and ASP.NET write into it. */
export function withoutSession(path: string): string {
  return path.includes(';') || path.includes('(') ? path.replace(SESSION_IN_PATH, '') : path;
}

const SESSION_IN_PATH = /;jsessionid=[^;/]*|(?<=\/)\(S\([a-z\d]{16,}\)\)\//gi;

/** PHP, Java, ASP, ASP.NET, ColdFusion: names that are a session whatever their value. */
const SESSION = /^(?:phpsessid|jsessionid|aspsessionid[a-z]*|asp\.net_sessionid|cftoken)$/i;
/** Those that are one where the value is random: `sid=12` may be the number of a story. */
const PERHAPS_SESSION = /^(?:sid|sess(?:ion)?_?(?:id)?|cfid|zenid|oscsid)$/i;
/** A UUID names a thing, such as a story. */
const RANDOM = /^(?=\D*\d)(?=[^a-z]*[a-z])(?![\da-f]{8}-[\da-f]{4}-)[\w-]{20,}$/i;

export function isSession(name: string, value: string): boolean {
  return SESSION.test(name) || (PERHAPS_SESSION.test(name) && RANDOM.test(value));
}

/** Of `name=value` in a query. */
export function parameterName(pair: string): string {
  const end = pair.indexOf('=');
  return end === -1 ? pair : pair.slice(0, end);
}
