import type { Labels } from '../../../shared/label/label.ts';
import type { Facts, Page, Segment, Zone } from '../../../shared/page/page.ts';
import type { Paint } from '../../output.ts';
import { fieldLabels, type FieldLabel } from '../../pages/page-object.ts';
import { printable } from '../../printable.ts';
import { wrap } from '../../wrap.ts';
import { count } from '../count.ts';

export interface PageForm {
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
  /** The only zone whose text is shown. */
  readonly zone?: Zone | undefined;
}

/** A page for people: what is known of it, then its text, a piece with its zone and its kind. */
export function pageLines(page: Page, labels: Labels, form: PageForm): string[] {
  const facts = [...saidLines(page, form), ...labelLines(labels, form), ...factLines(page, form)];
  const text = page.segments.filter(({ zone }) => form.zone === undefined || zone === form.zone);
  return [...facts, '', ...segmentLines(text, form)];
}

function saidLines({ title, url, publishTime }: Page, form: PageForm): string[] {
  const heading = title === undefined ? form.paint('dim', '(no title)') : form.paint('bold', printable(title));
  const date = publishTime && `${publishTime.local}  (${new Date(publishTime.instant).toISOString()})`;
  return [heading, ...(url === '' ? [] : [printable(url)]), '', ...row('published', date ?? 'no date', form)];
}

const NAMES: Readonly<Record<FieldLabel['field'], string>> = {
  language: 'language',
  page_type: 'page type',
  page_category: 'category',
};

function labelLines(labels: Labels, form: PageForm): string[] {
  const all = fieldLabels(labels);
  return Object.entries(NAMES).flatMap(([field, name]) => {
    const found = all.filter((label) => label.field === field);
    if (found.length === 0) return row(name, form.paint('dim', 'not sure'), form);
    return found.flatMap(({ value, reason }, index) =>
      row(index === 0 ? name : '', `${printable(value)}  ${form.paint('dim', printable(reason))}`, form),
    );
  });
}

function factLines(page: Page, form: PageForm): string[] {
  const { facts, segments, anchors, links } = page;
  const inZone = (zone: Zone): string => `${zone} ${segments.filter((segment) => segment.zone === zone).length}`;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ...saidByFacts(facts),
    ['counts', listed(Object.entries(facts.counts).map(([name, often]) => `${name} ${often}`))],
    ['links', `${count(anchors.length, 'link')} with a text, ${count(links.length, 'target')} in all`],
    ['text', `${count(segments.length, 'piece')}: ${(['main', 'body', 'chrome'] as const).map(inZone).join(', ')}`],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : row(name, printable(value), form)));
}

function saidByFacts(facts: Facts): readonly (readonly [string, string | undefined])[] {
  const { isFamilyFriendly, alternates } = facts;
  return [
    ['canonical', facts.canonical],
    ['site', facts.siteName],
    ['description', facts.description],
    ['declares', facts.language],
    ['sections', listed(facts.sections)],
    ['schema.org', listed(facts.schemaTypes)],
    ['og:type', facts.ogType],
    ['robots', listed(facts.robots)],
    ['rating', listed(facts.ratings)],
    ['family', isFamilyFriendly === undefined ? undefined : `isFamilyFriendly is ${isFamilyFriendly}`],
    ['generator', facts.generator],
    ['alternates', alternates.length === 0 ? undefined : listed(alternates.map((one) => one.hreflang ?? one.href))],
  ];
}

function listed(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(', ');
}

const NAME_COLUMNS = 13;

/** @param value printable */
function row(name: string, value: string, { paint, width }: PageForm): string[] {
  const [first = '', ...others] = wrap(value, width, NAME_COLUMNS);
  return [`${paint('dim', name.padEnd(NAME_COLUMNS))}${first}`, ...others];
}

const ZONE_COLUMNS = 8;
const KIND_COLUMNS = 10;

/** The zone where it begins, the kind at each piece. */
function segmentLines(segments: readonly Segment[], { paint, width }: PageForm): string[] {
  let last: Zone | undefined;
  return segments.flatMap(({ text, kind, zone }) => {
    const shownZone = zone === last ? '' : zone;
    last = zone;
    const [first = '', ...others] = wrap(printable(text), width, ZONE_COLUMNS + KIND_COLUMNS);
    const styled = (line: string): string =>
      kind === 'heading' ? paint('bold', line) : zone === 'chrome' ? paint('dim', line) : line;
    const lead = paint('green', shownZone.padEnd(ZONE_COLUMNS)) + paint('dim', kind.padEnd(KIND_COLUMNS));
    return [lead + styled(first), ...others.map(styled)];
  });
}
