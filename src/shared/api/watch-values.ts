/** `WatchOptions` of a watch that has none. Values stand apart from the schemas: the command line needs only the values. */
export const NO_OPTIONS = { select: [] as string[], ignore: [] as string[], only: null, trigger: null, confirm: false };

/**
 * Why a check ended as it did, beside its outcome. `not_modified`: the server said so. `same_bytes`. `same_text`: other
 * bytes, the same lines. `noise`: only what changes by itself. `only`, `trigger`: something changed, and by these options
 * it does not count. `unconfirmed`: something changed, and a second check has to confirm it. `flap`: it was gone by then.
 * `options`: the first check after the options changed found nothing else. Stored by their places: a new one is added at the end.
 */
export const CHECK_NOTES = [
  'not_modified',
  'same_bytes',
  'same_text',
  'noise',
  'only',
  'trigger',
  'unconfirmed',
  'flap',
  'options',
] as const;
export type CheckNote = (typeof CHECK_NOTES)[number];

/** What a page that is none to read looks like (`looks_like` of an account). */
export const LIKENESSES = [
  'application_shell',
  'sign_in',
  'consent',
  'challenge',
  'not_found',
  'maintenance',
  'moved',
] as const;

/** Where two readings differ in what does not count (`differs`). */
export const DIFFERENCES = ['volatile', 'order', 'boilerplate', 'hidden', 'links', 'metadata', 'markup'] as const;
