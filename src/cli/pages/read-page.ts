import { Worker } from 'node:worker_threads';
import { credible } from '../../shared/page/metadata/credible.ts';
import { type Extraction, extractLoading, typeOf } from '../../shared/page/read/extract.ts';
import type { Body, Facts, Page, Zone } from '../../shared/page/page.ts';
import { PDF_RESOURCE_LIMITS, readInThread } from '../../shared/page/pdf/pdf-thread.ts';
import {
  isUrl,
  type PageContext,
  pageFailure,
  PageProblem,
  readPageFile,
  readSource,
  typeOfName,
} from './page-source.ts';
import type { Chunks } from '../runtime/input.ts';
import { accountOf } from '../../shared/page/account.ts';
import { labels } from '../../shared/label/labels.ts';
import { printableJson } from '../../shared/text/printable.ts';
import type { Label, Labels } from '../../shared/label/label.ts';

/** Beside this file, in the form this file is in: `.ts` when run from the sources, `.js` when built. */
const pdfEntry = new URL(`./pdf-entry${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/**
 * Stands for an address that nobody knows: without one, relative links lead nowhere, and they tell what a page is and
 * what changed on it. The name is one that nobody has (RFC 6761), and the path says nothing.
 */
const UNKNOWN = { origin: 'https://unknown.invalid', path: '/page' } as const;

/**
 * The page as a visit at that time reads it. Where its address is not known it has one that stands for it, which labels
 * and comparisons need, and which `asKnown` takes out of what is shown.
 * @param at milliseconds since 1970
 * @throws {PageProblem}
 */
export async function readPage(body: Body, at: number): Promise<Page> {
  const extraction = await readBounded(withAddress(body));
  if (!extraction.ok) throw new PageProblem(extraction.reason, extraction.detail);
  return credible(extraction.page, at);
}

/** A PDF has a thread of its own, with the limits of time and memory that the daemon has for one. */
async function readBounded(body: Body): Promise<Extraction> {
  const type = typeOf(body);
  if (type !== 'pdf') return extractLoading(body, type);
  return readInThread(new Worker(pdfEntry, { workerData: body, resourceLimits: PDF_RESOURCE_LIMITS }));
}

/** A body that has an address: one that stands for it where nobody knows it. */
export function withAddress(body: Body): Body {
  return body.url === '' ? { ...body, url: UNKNOWN.origin + UNKNOWN.path } : body;
}

/** The page with what is known of its address: '' where that is nothing, and its links from the root of its site on. */
export function asKnown(page: Page): Page {
  if (!page.url.startsWith(`${UNKNOWN.origin}/`)) return page;
  const { canonical, ...facts } = page.facts;
  return {
    ...page,
    url: '',
    anchors: page.anchors.map((anchor) => Object.assign({}, anchor, { href: fromRoot(anchor.href) })),
    links: page.links.map(fromRoot),
    facts: {
      ...facts,
      ...(canonical !== undefined && { canonical: fromRoot(canonical) }),
      alternates: facts.alternates.map((one) => Object.assign({}, one, { href: fromRoot(one.href) })),
    },
  };
}

function fromRoot(href: string): string {
  return href.startsWith(`${UNKNOWN.origin}/`) ? href.slice(UNKNOWN.origin.length) : href;
}

interface VersionOptions {
  /** The address that a file had. */
  readonly as?: string | undefined;
  /** When the later version was visited, milliseconds since 1970. */
  readonly now: number;
  /** The later version, where it is open already. */
  readonly opened?: Chunks | undefined;
}

/**
 * Two versions of one page, the earlier one optional. A file has the address of the version that was fetched, unless
 * one is given.
 * @throws {Failure} that names the version that cannot be read
 */
export async function readVersions(
  context: PageContext,
  [before, after]: readonly [string | undefined, string],
  { as, now, opened }: VersionOptions,
): Promise<{ readonly before?: Page; readonly after: Page; readonly isSame: boolean }> {
  const known = [after, before].find((source) => source !== undefined && isUrl(source));
  const address = as ?? known ?? '';
  const bodies: Body[] = [];
  const read = async (source: string, from?: Chunks): Promise<Page> => {
    try {
      const body = await readSource(context, source, address, from);
      bodies.push(body);
      return await readPage(body, now);
    } catch (error) {
      throw error instanceof PageProblem ? pageFailure(source, error) : error;
    }
  };
  if (before === undefined) return { after: await read(after, opened), isSame: false };
  const pages = { before: await read(before), after: await read(after, opened) };
  const [one, other] = bodies;
  return { ...pages, isSame: one !== undefined && other !== undefined && Buffer.compare(one.bytes, other.bytes) === 0 };
}

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
