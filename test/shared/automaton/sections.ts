/** Parts of a site, as alternatives of a regex: sixteen that begin in many ways. */
export const SECTIONS = [
  'news',
  'sport',
  'politics',
  'business',
  'culture',
  'science',
  'travel',
  'opinion',
  'weather',
  'health',
  'education',
  'climate',
  'economy',
  'technology',
  'football',
  'cinema',
] as const;
