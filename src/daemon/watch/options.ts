import { lookupIn } from '../filters/references.ts';
import { Problem } from '../problem.ts';
import type { CatalogData } from '../storage/catalog.ts';
import type { WatchOptions } from '../../shared/api/watch.ts';
import { NO_OPTIONS } from '../../shared/api/watch-values.ts';
import { checkPattern } from '../../shared/page/select/ignored-lines.ts';
import { checkSelector } from '../../shared/page/select/selectors.ts';
import { unknownFilterIn, validate } from '../../shared/query/validate.ts';

/**
 * The options of a watch with what is given of them, or as they were. Only what is given is checked: an option that was
 * accepted once stays, also when a later release would refuse it.
 * @throws {Problem} `invalid_field`, `invalid_query` or `unknown_filter`, which name the option and the place in it.
 */
export function optionsWith(
  given: Partial<WatchOptions> = {},
  { catalog, organizationId, former = NO_OPTIONS }: OptionsPlace,
): WatchOptions {
  for (const [index, selector] of (given.select ?? []).entries()) {
    refuseWrong('select', index, selector, checkSelector(selector));
  }
  for (const [index, text] of (given.ignore ?? []).entries()) {
    refuseWrong('ignore', index, text, text.startsWith('/') ? checkPattern(text) : checkSelector(text));
  }
  if (typeof given.trigger === 'string') checkTrigger(given.trigger, catalog, organizationId);
  const { select, ignore, only, trigger, confirm } = { ...former, ...given };
  return { select, ignore, only, trigger, confirm };
}

interface OptionsPlace {
  readonly catalog: CatalogData;
  readonly organizationId: string;
  /** Absent: `NO_OPTIONS`. */
  readonly former?: WatchOptions;
}

/**
 * The options as the judge takes them: saved filters in the trigger are written out as they are now. Without one of them
 * the trigger says nothing, and every change counts: better one too many than one that is never told.
 */
export function analysisOptions(options: WatchOptions, catalog: CatalogData, organizationId: string): WatchOptions {
  const { trigger } = options;
  if (trigger === null || !trigger.includes('$')) return options;
  const { valid, expanded } = validate(trigger, lookupIn(catalog, organizationId));
  return { ...options, trigger: valid ? expanded : null };
}

function refuseWrong(field: 'select' | 'ignore', index: number, text: string, complaint: string | undefined): void {
  if (complaint === undefined) return;
  const message = `The ${field} field, entry ${index + 1}, ${JSON.stringify(text)}: ${complaint}`;
  throw new Problem('invalid_field', { field, message });
}

function checkTrigger(trigger: string, catalog: CatalogData, organizationId: string): void {
  const validation = validate(trigger, lookupIn(catalog, organizationId));
  const { valid, diagnostics, expanded: query } = validation;
  const name = unknownFilterIn(validation);
  if (name !== undefined) throw new Problem('unknown_filter', { field: 'trigger', name, query, diagnostics });
  if (!valid) throw new Problem('invalid_query', { field: 'trigger', query, diagnostics });
}
