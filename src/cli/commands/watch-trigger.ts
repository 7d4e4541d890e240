import { validate } from '../../shared/query/validate.ts';
import { invalidQuery } from './query-report.ts';

/**
 * A trigger as far as it can be judged here: a saved filter that it names is the daemon's to know.
 * @throws {Failure} with the place in the query
 */
export function checkTrigger(query: string): void {
  const wrong = validate(query).diagnostics.filter((found) => found.code !== 'filter_not_allowed');
  if (wrong.some(({ severity }) => severity === 'error')) throw invalidQuery(wrong, query);
}
