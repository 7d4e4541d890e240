/**
 * Why a page that fits a rule's query is kept from it: the `quality` filter wants a publish date, none in the future or
 * older than seven days, and no address of a list; without `nsfw` there are no adult pages (spec, Rule).
 */
export const WITHHELD_REASONS = ['no_date', 'too_old', 'future_date', 'url', 'adult'] as const;
export type Withheld = (typeof WITHHELD_REASONS)[number];
