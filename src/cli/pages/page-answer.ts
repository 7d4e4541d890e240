import { accountOf } from '../../shared/page/account.ts';
import { labels } from '../../shared/label/labels.ts';
import { printableJson } from '../text/printable.ts';
import { PageProblem, readPageFile, typeOfName } from './page-source.ts';
import { asKnown, readPage } from './read-page.ts';
import type { Facts, Page, Zone } from '../../shared/page/page.ts';
import type { Label, Labels } from '../../shared/label/label.ts';

/** What a page that was kept in a file says. Never rejects: one page that breaks our code hides no other. */
export async function answer({ file, url, at, zone }: Task): Promise<Answer> {
  try {
    const bytes = await readPageFile(file);
    const page = await readPage({ url: url ?? '', contentType: typeOfName(file), bytes }, at);
    return { line: printableJson({ file, ...pageObject(asKnown(page), await labels(page), zone) }), failed: false };
  } catch (error) {
    const reason = error instanceof PageProblem ? error.reason : 'internal';
    return refusal({ file, url }, reason, error instanceof Error ? error.message : String(error));
  }
}

export function refusal(which: object, reason: string, detail: string): Answer {
  return { line: printableJson({ ...which, error: { reason, detail } }), failed: true };
}

/** One line of `hydrant extract --jsonl`, as the threads are asked for it. */
export interface Task {
  readonly file: string;
  /** The address that the file had. */
  readonly url: string | null;
  /** When it was visited, milliseconds since 1970. */
  readonly at: number;
  readonly zone?: Zone;
}

export interface Answer {
  /** The page as JSON on one line, printable; or why there is none, in the same form. */
  readonly line: string;
  readonly failed: boolean;
}

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
    account: accountOf(page),
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
