import { hash } from 'node:crypto';
import { Problem } from '../problem.ts';
import type { OwnRequests } from '../requests/own-requests.ts';
import { checkRender, type RenderRefusal } from '../requests/rendering.ts';
import type { Signing } from '../requests/sign-ins.ts';
import type { Draft, SourceRecord } from '../storage/catalog.ts';
import type { StoredRequest } from '../storage/stored-request.ts';
import type { SourceChange } from '../../shared/api/crawl.ts';
import type { RenderOptions } from '../../shared/api/render.ts';

/**
 * How the page of a source is read, where that is otherwise than the crawl reads: with a request of its operator's, or as a
 * browser shows it. For one page alone: by a wider scope, links would lead to whatever who is signed in may do, and a
 * site of thousands of pages would be rendered.
 */
export interface OwnPage {
  readonly signing?: Signing;
  readonly render?: RenderOptions;
}

export function ownPage({ id, url, request, render }: SourceRecord): OwnPage | undefined {
  if (!request && !render) return undefined;
  return { ...(request && { signing: { id, url, request } }), ...(render && { render }) };
}

/**
 * A word for the way in which a page is read; undefined: as the crawl reads. What was read another way is another page, and no
 * ground for a comparison.
 */
export function wayOf({ signing, render }: OwnPage): string | undefined {
  const words = [...(signing ? [signing.request.version] : []), ...(render ? ['rendered'] : [])];
  return words.length === 0 ? undefined : words.join(' ');
}

/**
 * What stands behind the hash of each body that is remembered of a page (hexadecimal digits): by another way the same bytes, or
 * a 304, say nothing of the version that is kept. Empty for a page that is read as the crawl reads.
 */
export function wayKey(own: OwnPage | undefined): string {
  const way = own && wayOf(own);
  return way === undefined ? '' : hash('sha256', way).slice(0, KEY_LENGTH);
}

const KEY_LENGTH = 8;

/** Whether what is remembered was read as the page is read now. */
export function isReadAlike(bodyHash: string | undefined, own: OwnPage | undefined): boolean {
  return bodyHash === undefined || bodyHash.slice(HASH_LENGTH) === wayKey(own);
}

/** Of `FetchedBody.hash`. */
const HASH_LENGTH = 32;

export type OwnChange = Pick<SourceChange, 'request' | 'render'>;

/** What an operator says of it, on its way into the catalog. */
export class OwnPages {
  readonly #requests: Pick<OwnRequests, 'changed'>;
  readonly #renderRefusal: RenderRefusal | undefined;

  constructor({ requests, renderRefusal }: OwnPagesDeps) {
    this.#requests = requests;
    this.#renderRefusal = renderRefusal;
  }

  /** What takes time to be known, before the catalog is written. @throws {Problem} */
  async check(changes: readonly OwnChange[]): Promise<void> {
    // Of ten thousand in one request all are alike, as a rule.
    const wanted = new Map(changes.flatMap(({ render }) => (render ? [[JSON.stringify(render), render]] : [])));
    for (const render of wanted.values()) await checkRender(render, this.#renderRefusal);
  }

  /** @throws {Problem} */
  change(source: Draft<SourceRecord>, { request: asked, render }: OwnChange): void {
    if (asked) {
      refuseWider(source, 'request', 'The request field is for sources of scope page alone');
      const request = this.#requests.changed(source.request, asked);
      if (request) source.request = structuredClone(request) as Draft<StoredRequest>;
      else delete source.request;
    }
    if (render) {
      refuseWider(source, 'render', 'Only sources of scope page are rendered');
      source.render = render;
    } else if (render === null) delete source.render;
  }
}

export interface OwnPagesDeps {
  readonly requests: Pick<OwnRequests, 'changed'>;
  /** Absent: every page can be rendered. */
  readonly renderRefusal?: RenderRefusal;
}

function refuseWider({ scope }: Pick<SourceRecord, 'scope'>, field: keyof OwnChange, rule: string): void {
  if (scope === 'page') return;
  throw new Problem('invalid_field', { field, message: `${rule}, and this one has scope ${scope}.` });
}
