import { Worker } from 'node:worker_threads';
import { credible } from '../../shared/page/metadata/credible.ts';
import { extract, type Extraction } from '../../shared/page/read/extract.ts';
import { mediaTypeOf } from '../../shared/page/read/media-type.ts';
import type { Body, Page } from '../../shared/page/page.ts';
import { PDF_RESOURCE_LIMITS, readInThread } from '../../shared/page/pdf/pdf-thread.ts';
import { PageProblem } from './problem.ts';

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
  if (mediaTypeOf(body.contentType, body.bytes, body.url) !== 'pdf') return extract(body);
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
