import type { FilterDoor } from './validate.ts';
import { QUERY_LENGTH } from '../../shared/limits.ts';
import { expand } from '../../shared/query/expand.ts';

/** An organization without saved filters. */
export const noFilters: FilterDoor = {
  expand: (_organizationId, query) => {
    const { text, diagnostics } = expand(query, { filters: () => undefined }, QUERY_LENGTH);
    const span = diagnostics[0]?.span;
    return span ? { unknown: text.slice(span.start + 1, span.end) } : { text };
  },
};
