import type { RegexExam } from './regex-exam.ts';
import type { Suggestions } from '../suggest/suggestions.ts';

/** What costs time while a query is judged, shared by all readings of it and so limited in all. */
export interface Aids {
  readonly regexes: RegexExam;
  readonly suggestions: Suggestions;
}
