import type { FeedCreated, FeedCreation, FeedReport } from '../../shared/api/feed.ts';
import { type Asking, listOf, oneOf, orNull, shaped, text } from './shape.ts';

const isFeed = shaped<FeedReport>({
  id: text,
  name: text,
  kind: oneOf('tap', 'watch', 'tag'),
  of: text,
  of_name: orNull(text),
  prefix: text,
  created_at: text,
});
const isFeedCreated = shaped<FeedCreated>({
  data: isFeed,
  addresses: shaped<FeedCreated['addresses']>({ atom: text, json: text }),
});

/** Feeds by address: `/admin/feeds`. @throws as `Client` */
export class FeedEndpoints {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async list(): Promise<FeedReport[]> {
    return this.#asking.ask(listOf(isFeed), 'GET', '/admin/feeds');
  }

  async add(creation: FeedCreation): Promise<FeedCreated> {
    return this.#asking.askWhole(isFeedCreated, 'POST', '/admin/feeds', creation);
  }

  async remove(id: string): Promise<void> {
    await this.#asking.tell('DELETE', `/admin/feeds/${encodeURIComponent(id)}`);
  }
}
