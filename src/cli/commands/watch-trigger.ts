import { unknownFilterIn, validate } from '../../shared/query/validate.ts';
import { invalidQuery } from './query-report.ts';

/** Saved filters are the daemon's: a query that names one is its to judge. @throws {Failure} with the place in the query */
export function checkTrigger(query: string): void {
  const validation = validate(query);
  if (validation.valid || unknownFilterIn(validation) !== undefined) return;
  throw invalidQuery(validation.diagnostics, query);
}
