import { checkPattern, isPattern } from '../../../shared/page/select/ignored-lines.ts';
import { quoted } from '../../../shared/text/printable.ts';
import { cssOfXPath } from '../../../shared/page/select/xpath/css-of-xpath.ts';
import { isJsonPath } from '../../../shared/page/select/json-path.ts';
import { checkSelector } from '../../../shared/page/select/selectors.ts';
import { Failure, UsageError } from '../../runtime/failure.ts';
import { validate } from '../../../shared/query/validate.ts';
import { invalidQuery } from '../query-report.ts';

/**
 * `--select` and `--ignore` as the daemon would check them: before anything is sent or fetched.
 * @throws {UsageError} with the flag, and what is wrong at which character
 */
export function checkSelectors({ select, ignore, waitFor }: SelectFlags): void {
  if (waitFor !== undefined) refuseWrong('--wait-for', waitFor, checkSelector(waitFor));
  for (const selector of select || []) refuseWrong('--select', selector, checkSelector(selector));
  for (const entry of ignore || []) {
    refuseWrong('--ignore', entry, isPattern(entry) ? checkPattern(entry) : checkSelector(entry));
  }
}

/** What an XPath means, as CSS. @throws {UsageError} where CSS cannot say it */
export function cssOf(xpath: string): readonly string[] {
  const css = cssOfXPath(xpath);
  if (css.isOk) return css.selectors;
  const hint = css.element === undefined ? {} : { hint: `--select ${quoted(css.element)} selects the elements` };
  throw new UsageError(`--xpath \`${xpath}\` cannot be followed: ${css.reason}`, hint);
}

/** @throws {UsageError} for what is no JSONPath */
export function checkPaths(jsonpath: readonly string[]): void {
  for (const path of jsonpath) {
    if (!isJsonPath(path))
      throw new UsageError(`--jsonpath \`${path}\`: a JSONPath begins with $, such as $.items[*].price`);
    refuseWrong('--jsonpath', path, checkSelector(path));
  }
}

/** False: none, by `--no-select`. */
interface SelectFlags {
  readonly select?: readonly string[] | false | undefined;
  readonly ignore?: readonly string[] | false | undefined;
  readonly waitFor?: string | undefined;
}

/** Who writes an XPath is given it as CSS, where there is such a selector. */
function refuseWrong(flag: string, entry: string, sentence: string | undefined): void {
  if (sentence === undefined) return;
  const css = /^\(?\.?\//.test(entry) ? cssOfXPath(entry) : undefined;
  const hint = css?.isOk === true ? { hint: `as CSS: ${flag} ${quoted(css.selectors.join(', '))}` } : {};
  throw new UsageError(`${flag} \`${entry}\`: ${sentence}`, hint);
}

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
