import { hashSecret, newSecret, shownPrefix } from '../accounts/keys.ts';
import { findOne } from '../accounts/lookup.ts';
import { type Outside, timestamp } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { Catalog, CatalogData, FeedRecord } from '../storage/catalog.ts';
import type { Watches as WatchPort } from '../storage/watches.ts';
import type { FeedCreation, FeedReport } from '../../shared/api/feed.ts';
import { tagFault } from '../../shared/api/watch-labels.ts';
import { FEEDS_PER_ORGANIZATION } from '../../shared/limits.ts';

interface MintedFeed {
  readonly report: FeedReport;
  /** Shown once, kept nowhere. */
  readonly secret: string;
}

interface FeedsDeps {
  readonly catalog: Catalog;
  readonly watches: Pick<WatchPort, 'watch'>;
  readonly outside: Outside;
}

/**
 * Feeds of a tap, a watch or a tag that are read without a key: readers of feeds have an address and nothing else. Whoever has
 * the address reads the feed, so its secret is as long as a key and kept as a hash; several feeds of one thing are revoked one by
 * one. Only the operator makes them.
 */
export class Feeds {
  readonly #deps: FeedsDeps;
  #index: { readonly of: readonly FeedRecord[]; readonly byHash: ReadonlyMap<string, FeedRecord> } | undefined;

  constructor(deps: FeedsDeps) {
    this.#deps = deps;
  }

  /** The oldest first. */
  async list(organizationId: string): Promise<FeedReport[]> {
    return Promise.all(feedsOf(this.#deps.catalog.data, organizationId).map((feed) => this.#report(feed)));
  }

  /** @throws {Problem} not_found, invalid_field, feed_limit_reached */
  async add(organizationId: string, { kind, of: wanted, name }: FeedCreation): Promise<MintedFeed> {
    const { catalog, outside } = this.#deps;
    const subject = await this.#subject(organizationId, kind, wanted);
    const secret = newSecret('svcf_', outside);
    const record: FeedRecord = {
      id: outside.uuid(),
      organizationId,
      name: name?.trim() ?? subject.name,
      kind,
      of: subject.id,
      prefix: shownPrefix(secret, 'svcf_'),
      hash: hashSecret(secret),
      createdAt: new Date(outside.now()).toISOString(),
    };
    await catalog.update((draft) => {
      if (feedsOf(draft, organizationId).length >= FEEDS_PER_ORGANIZATION) {
        throw new Problem('feed_limit_reached', { limit: FEEDS_PER_ORGANIZATION });
      }
      // It may have been revoked meanwhile, and its feeds with it.
      if (kind === 'tap') findOne('tap', tapsOf(draft, organizationId), subject.id);
      draft.feeds.push(record);
    });
    return { report: await this.#report(record), secret };
  }

  /** `wanted`: an id, a name, a shown prefix (`svcf_Ab3d`) or the beginning of an id. @throws {Problem} */
  async remove(organizationId: string, wanted: string): Promise<void> {
    await this.#deps.catalog.update((draft) => {
      const { id } = findOne('feed', feedsOf(draft, organizationId), wanted, ({ prefix }) => prefix);
      draft.feeds = draft.feeds.filter((feed) => feed.id !== id);
    });
  }

  /** Undefined for a secret that is unknown or was revoked; as with a tap's token, the time says nothing of a guess. */
  bySecret(secret: string): FeedRecord | undefined {
    const { feeds } = this.#deps.catalog.data;
    if (this.#index?.of !== feeds) {
      this.#index = { of: feeds, byHash: new Map(feeds.map((feed) => [feed.hash, feed])) };
    }
    return this.#index.byHash.get(hashSecret(secret));
  }

  async #subject(organizationId: string, kind: FeedRecord['kind'], wanted: string): Promise<Named> {
    if (kind === 'tap') return findOne('tap', tapsOf(this.#deps.catalog.data, organizationId), wanted);
    if (kind === 'tag') return { id: tagOf(wanted), name: wanted.trim() };
    const watch = await this.#deps.watches.watch(wanted);
    if (watch?.organizationId !== organizationId) throw new Problem('not_found', { resource: 'watch' });
    return { id: watch.id, name: watch.title ?? watch.url };
  }

  async #report(feed: FeedRecord): Promise<FeedReport> {
    const { id, name, kind, of, prefix, createdAt } = feed;
    const subject = { of, of_name: await this.#nameOf(feed) };
    return { id, name, kind, ...subject, prefix, created_at: timestamp(Date.parse(createdAt)) };
  }

  async #nameOf({ kind, of }: FeedRecord): Promise<string | null> {
    if (kind === 'tag') return of;
    if (kind === 'tap') return this.#deps.catalog.data.taps.find(({ id }) => id === of)?.name ?? null;
    return (await this.#deps.watches.watch(of))?.url ?? null;
  }
}

interface Named {
  readonly id: string;
  readonly name: string;
}

function feedsOf(data: CatalogData, organizationId: string): readonly FeedRecord[] {
  return data.feeds.filter((feed) => feed.organizationId === organizationId);
}

function tapsOf(data: CatalogData, organizationId: string): CatalogData['taps'] {
  return data.taps.filter((tap) => tap.organizationId === organizationId);
}

/** @throws {Problem} invalid_field */
function tagOf(wanted: string): string {
  const tag = wanted.trim();
  const fault = tagFault(tag);
  if (fault === undefined) return tag;
  throw new Problem('invalid_field', { field: 'of', message: `The tag ${fault}.` });
}
