import type { Label, Labels } from '../../shared/label/label.ts';
import type { Facts, Page, Zone } from '../../shared/page/page.ts';

/** A page as JSON, under the names that queries have for its fields; what the page does not say is left out. */
export function pageObject(page: Page, labels: Labels, zone?: Zone): object {
  const { url, title, publishTime, futureTime } = page;
  const inZone = (thing: { readonly zone: Zone }): boolean => zone === undefined || thing.zone === zone;
  return {
    ...(url !== '' && { url }),
    ...(title !== undefined && { title }),
    ...(publishTime && { publish_time: publishTime.local, published_at: new Date(publishTime.instant).toISOString() }),
    ...(futureTime && { future_publish_time: futureTime.local }),
    ...(labels.language && { language: labels.language.value }),
    page_type: labels.pageTypes.map(({ value }) => value),
    page_category: labels.categories.map(({ value }) => value),
    labels: fieldLabels(labels),
    segments: page.segments.filter(inZone),
    anchors: page.anchors.filter(inZone),
    links: page.links,
    facts: factsObject(page.facts),
  };
}

export interface FieldLabel extends Label {
  readonly field: 'language' | 'page_type' | 'page_category';
}

/** The labels in one list, each under the field that queries find it in. */
export function fieldLabels({ language, pageTypes, categories }: Labels): FieldLabel[] {
  const all = [
    ...(language ? [['language', language] as const] : []),
    ...pageTypes.map((label) => ['page_type', label] as const),
    ...categories.map((label) => ['page_category', label] as const),
  ];
  return all.map(([field, { value, reason }]) => ({ field, value, reason }));
}

function factsObject(facts: Facts): object {
  const { siteName, schemaTypes, ogType, isFamilyFriendly, ...rest } = facts;
  return {
    ...rest,
    schema_types: schemaTypes,
    ...(siteName !== undefined && { site_name: siteName }),
    ...(ogType !== undefined && { og_type: ogType }),
    ...(isFamilyFriendly !== undefined && { is_family_friendly: isFamilyFriendly }),
  };
}
