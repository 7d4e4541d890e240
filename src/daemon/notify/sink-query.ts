import { lookupIn } from '../filters/filters.ts';
import type { CatalogData } from '../storage/catalog.ts';
import type { Match, MatchDocument } from '../../shared/api/match.ts';
import type { FieldValues } from '../../shared/match/document.ts';
import { matchesValues } from '../../shared/match/evaluate.ts';
import { TooMuchWork } from '../../shared/match/phrase.ts';
import { domainsOf } from '../../shared/page/domain.ts';
import type { Query } from '../../shared/query/ast.ts';
import { type Validation, validate } from '../../shared/query/validate.ts';

/** The query of a sink, as a rule's is read: with the saved filters of the organization. */
export function readSinkQuery(text: string, data: CatalogData, organizationId: string): Validation {
  return validate(text, lookupIn(data, organizationId));
}

/**
 * Whether a match is one that the query matches, too. It is asked of what was delivered of the page: the text around the hits of the
 * tap's rules and no anchors. One that takes too long is carried, as one is whose filter is gone: better one too many than one that is
 * missing.
 */
export function isAskedFor(query: Query | undefined, { document, matched_at: at }: Match): boolean {
  if (!query) return true;
  try {
    return matchesValues(query, valuesOf(document, Date.parse(at)));
  } catch (error) {
    if (error instanceof TooMuchWork) return true;
    throw error;
  }
}

function valuesOf(document: MatchDocument, at: number): FieldValues {
  const { url, title, publish_time: published, diff, language, domain_rating: dr } = document;
  const texts = (typ: 'ins' | 'del'): string[] =>
    (diff?.chunks ?? []).filter((chunk) => chunk.typ === typ).map(({ text }) => text);
  const age = published === undefined ? Number.NaN : (at - Date.parse(`${published}Z`)) / 1_000;
  return {
    texts: {
      added: texts('ins'),
      removed: texts('del'),
      url: [url],
      domain: domainsOf(url),
      ...(title !== undefined && { title: [title] }),
      ...(published !== undefined && { publish_time: [published] }),
      ...(language !== undefined && { language: [language] }),
      page_type: document.page_types ?? [],
      page_category: document.page_category ?? [],
    },
    numbers: { ...(!Number.isNaN(age) && { age: Math.max(0, age) }), ...(dr !== undefined && { dr }) },
  };
}
