import { QUALITY_AGE_SECONDS } from '../limits.ts';

/** Scheme, host, and what comes before the last part of the path that is looked at. */
const BEFORE = String.raw`[a-z][a-z0-9+.\-]*:\/\/[^\/?#]*(\/[^?#]*)?`;

/**
 * Addresses that the `quality` filter removes (spec, Rule), as regexes of the query language over the whole address:
 * the matcher and `effective_lucene` both read them here. Upper case counts as lower case, a fragment as nothing.
 */
export const QUALITY_EXCLUSIONS: readonly string[] = [
  // A query string that says something.
  String.raw`[^?#]*\?[^#]+(#.*)?`,
  // `/page/2`, and its other spellings `/page-2` and `/page2.html`.
  String.raw`${BEFORE}\/[Pp][Aa][Gg][Ee][Ss]?\/[0-9]+([\/?#].*)?`,
  String.raw`${BEFORE}\/[Pp][Aa][Gg][Ee]\-?[0-9]+(\.[A-Za-z]{3,5})?\/?([?#].*)?`,
  // Indexes of tags and categories.
  String.raw`${BEFORE}\/([Tt][Aa][Gg][Ss]?|[Cc][Aa][Tt][Ee][Gg][Oo][Rr]([Yy]|[Ii][Ee][Ss]))([\/?#].*)?`,
];

/** What a rule asks for beside its query, as text in front of which the query stands. */
export function effective(lucene: string, { quality, nsfw }: { quality: boolean; nsfw: boolean }): string {
  const added = [
    ...(quality ? [`+age:[0 TO ${QUALITY_AGE_SECONDS}]`] : []),
    ...(quality ? QUALITY_EXCLUSIONS.map((pattern) => `-url:/${pattern}/`) : []),
    ...(nsfw ? [] : ['-page_category:"/Adult"']),
  ];
  return added.length === 0 ? lucene : [`+(${lucene})`, ...added].join(' ');
}
