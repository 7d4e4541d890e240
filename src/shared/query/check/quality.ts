import { QUALITY_AGE_SECONDS } from '../../limits.ts';

/** What pages for adults are labelled; rules leave them out unless they say `nsfw`. */
export const ADULT = '/Adult';

/** Scheme, host, and what comes before the last part of the path that is looked at. */
const BEFORE = String.raw`[a-z][a-z0-9+.\-]*:\/\/[^\/?#]*(\/[^?#]*)?`;

/** One part of a path. */
const PART = String.raw`[^\/?#]+`;

/** The number of a further page. Longer ones are years and the numbers of articles and products. */
const NUMBER = '[0-9]{1,3}';

/** Where the path ends. */
const END = String.raw`\/?([?#].*)?`;

/**
 * Addresses that the `quality` filter removes (spec, Rule), as regexes of the query language over the whole address:
 * the matcher and `effective_lucene` both read them here. Upper case counts as lower case, a fragment as nothing.
 */
export const QUALITY_EXCLUSIONS: readonly string[] = [
  // A query string that says something.
  String.raw`[^?#]*\?[^#]+(#.*)?`,
  // `/page/2`, and its other spellings `/page-2` and `/page2.html`.
  String.raw`${BEFORE}\/[Pp][Aa][Gg][Ee][Ss]?\/[0-9]+([\/?#].*)?`,
  String.raw`${BEFORE}\/[Pp][Aa][Gg][Ee]\-?[0-9]+(\.[A-Za-z]{3,5})?${END}`,
  // `/p/2`, and `/section/world/2/`.
  String.raw`${BEFORE}\/([Pp]|${anyCase('section')}[Ss]?\/[^?#]+)\/${NUMBER}${END}`,
  // Indexes of tags and categories.
  String.raw`${BEFORE}\/([Tt][Aa][Gg][Ss]?|[Cc][Aa][Tt][Ee][Gg][Oo][Rr]([Yy]|[Ii][Ee][Ss]))([\/?#].*)?`,
  // `/topics/ferries` and its kind, and their further pages. What stands deeper, `/topics/ferries/a-new-line`, is an article.
  String.raw`${BEFORE}\/((${anyCase('topic')}|${anyCase('label')}|${anyCase('author')})[Ss]?|${anyCase('tagged')})\/${PART}(\/${NUMBER})?${END}`,
];

/** The dialect has no flag for it. */
function anyCase(word: string): string {
  return Array.from(word, (letter) => `[${letter.toUpperCase()}${letter}]`).join('');
}

/** What a rule asks for beside its query, as text in front of which the query stands. */
export function effective(lucene: string, { quality, nsfw }: { quality: boolean; nsfw: boolean }): string {
  const added = [
    ...(quality ? [`+age:[0 TO ${QUALITY_AGE_SECONDS}]`] : []),
    ...(quality ? QUALITY_EXCLUSIONS.map((pattern) => `-url:/${pattern}/`) : []),
    ...(nsfw ? [] : [`-page_category:"${ADULT}"`]),
  ];
  return added.length === 0 ? lucene : [`+(${lucene})`, ...added].join(' ');
}
