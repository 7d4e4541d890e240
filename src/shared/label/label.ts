/**
 * What a page is: its language, its kind, what it is about, and whether it is for adults. A `Page` and model data come
 * in, `Labels` come out; a label that is not sure is absent, since a rule that asks for it must be able to rely on it.
 *
 * Each label carries the reason it was given, in words for the operator: `hydrant extract` shows it.
 */
export interface Labels {
  /** One of the vocabulary's 53 codes. */
  readonly language?: Label;
  /** Values of the page-type vocabulary, the best first; with each value its parents. */
  readonly pageTypes: readonly Label[];
  /** Values of the category vocabulary, the best first; with each value its parents. Any adult signal is `/Adult`. */
  readonly categories: readonly Label[];
}

export interface Label {
  readonly value: string;
  /** `og:type article`, `stop words of the main text`, `JSON-LD Recipe`. */
  readonly reason: string;
}

export const NO_LABELS: Labels = { pageTypes: [], categories: [] };
