import type { Configured, SinkField, SinkKind, Texts } from './sink-kind.ts';
import { readSinkQuery } from './sink-query.ts';
import { parseTemplate } from './template.ts';
import { findOne } from '../accounts/lookup.ts';
import { Problem } from '../problem.ts';
import type { CatalogData, SinkRecord } from '../storage/catalog.ts';
import type { SinkChange, SinkWatches } from '../../shared/api/notify.ts';
import { atMostFault, digestFault, quietFault, zoneFault } from '../../shared/api/notify-settings.ts';
import { tagsFault, uniqueTags } from '../../shared/api/watch-labels.ts';
import { unknownFilterIn } from '../../shared/query/validate.ts';

type Settings = Pick<
  SinkRecord,
  'taps' | 'query' | 'watches' | 'problems' | 'digest' | 'quiet' | 'zone' | 'atMost' | 'template'
>;

/**
 * What a request says of a sink's settings, over those that hold.
 * @throws {Problem} invalid_field, invalid_query, unknown_filter, not_found (a tap)
 */
export function changedSettings(
  before: Settings,
  change: Omit<SinkChange, 'name' | 'options' | 'secrets'>,
  data: CatalogData,
  organizationId: string,
): Settings {
  const { at_most: atMost, taps, ...rest } = change;
  const given = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  ) as Partial<Settings>;
  const after: Settings = { ...before, ...given, ...(atMost !== undefined && { atMost }) };
  check('digest', after.digest, digestFault);
  check('quiet', after.quiet, quietFault);
  check('at_most', after.atMost, atMostFault);
  check('zone', after.zone, zoneFault);
  if (after.query !== null && after.query !== before.query) checkQuery(after.query, data, organizationId);
  const parsed = after.template === null ? undefined : parseTemplate(after.template);
  if (parsed?.ok === false) refuse('template', `Of the template, ${parsed.detail}.`);
  const carried = taps === undefined ? before.taps : tapIds(taps, data, organizationId);
  return { ...settingsOf(after), taps: carried, watches: checkedWatches(after.watches) };
}

/** Nothing else of what they stand among. */
function settingsOf({ taps, query, watches, problems, digest, quiet, zone, atMost, template }: Settings): Settings {
  return { taps, query, watches, problems, digest, quiet, zone, atMost, template };
}

function check(field: string, value: string | null, faultOf: (text: string) => string | undefined): void {
  const fault = value === null ? undefined : faultOf(value);
  if (fault !== undefined) refuse(field, `${field} ${fault}.`);
}

/**
 * What is said of a kind's fields.
 * @throws {Problem} invalid_field
 */
export function checkFields(kind: SinkKind, configured: Configured): void {
  const { options, secrets } = configured;
  checkNames(kind, options, false);
  checkNames(kind, secrets, true);
  for (const field of kind.fields) checkField(field, field.isSecret ? secrets : options);
  const fault = kind.fault?.(configured);
  if (fault !== undefined) refuse('options', fault);
}

function checkNames({ name: kind, fields }: SinkKind, given: Texts, isSecret: boolean): void {
  for (const name of Object.keys(given)) {
    const known = fields.find((field) => field.name === name);
    const place = placeOf({ name, isSecret });
    if (!known) {
      const names = fields.filter((field) => field.isSecret === isSecret).map((field) => field.name);
      const what = isSecret ? 'secret' : 'option';
      refuse(place, `A ${kind} sink has no ${what} ${JSON.stringify(name)}; it has ${names.join(', ') || 'none'}.`);
    }
    if (known.isSecret === isSecret) continue;
    refuse(
      place,
      isSecret ? `${name} is no secret: give it among the options.` : `${name} is a secret: give it among the secrets.`,
    );
  }
}

function checkField(field: SinkField, given: Texts): void {
  const { name, isRequired, description, check } = field;
  const value = given[name];
  if (value === undefined) {
    if (isRequired) refuse(placeOf(field), `${name} is needed: ${description}.`);
    return;
  }
  // Into headers and lines of commands they would go as they are.
  const isPlain = !/[\0\r\n]/.test(value) || (field.isMultiline === true && !value.includes('\0'));
  const fault = isPlain ? check?.(value) : 'must have no line breaks';
  if (fault !== undefined) refuse(placeOf(field), `${name} ${fault}.`);
}

function placeOf({ name, isSecret }: Pick<SinkField, 'name' | 'isSecret'>): string {
  return `${isSecret ? 'secrets' : 'options'}.${name}`;
}

function tapIds(taps: NonNullable<SinkChange['taps']>, data: CatalogData, organizationId: string): SinkRecord['taps'] {
  if (taps === 'all') return 'all';
  const own = data.taps.filter((tap) => tap.organizationId === organizationId);
  return [...new Set(taps.map((wanted) => findOne('tap', own, wanted).id))];
}

function checkedWatches(watches: SinkWatches): SinkWatches {
  if (typeof watches === 'string') return watches;
  const fault = tagsFault(watches.tags);
  if (fault !== undefined) refuse('watches', `watches.tags ${fault}.`);
  return { tags: uniqueTags(watches.tags) };
}

function checkQuery(text: string, data: CatalogData, organizationId: string): void {
  const validation = readSinkQuery(text, data, organizationId);
  const { query, diagnostics, expanded } = validation;
  const name = unknownFilterIn(validation);
  if (name !== undefined) throw new Problem('unknown_filter', { field: 'query', name, query: expanded, diagnostics });
  if (!query) throw new Problem('invalid_query', { query: expanded, diagnostics, field: 'query' });
}

export function refuse(field: string, message: string): never {
  throw new Problem('invalid_field', { field, message });
}
