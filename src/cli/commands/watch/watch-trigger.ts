import { validate } from '../../../shared/query/validate.ts';
import { Failure } from '../../failure.ts';
import { invalidQuery } from '../query-report.ts';

/**
 * A trigger as far as it can be judged here: a saved filter that it names is the daemon's to know.
 * @param where what goes before the message, where there are several: whose trigger it is
 * @throws {Failure} with the place in the query
 */
export function checkTrigger(query: string, where = ''): void {
  const wrong = validate(query).diagnostics.filter((found) => found.code !== 'filter_not_allowed');
  if (!wrong.some(({ severity }) => severity === 'error')) return;
  const { code, exitCode, message, details } = invalidQuery(wrong, query);
  throw new Failure(code, exitCode, where + message, details);
}
