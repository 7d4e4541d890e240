import { createHash } from 'node:crypto';
import type { FeedFormat, FeedSources, FeedState } from './feed-state.ts';
import type { FeedRecord } from '../storage/catalog.ts';
import { FEED_CACHE_BYTES } from '../../shared/limits.ts';

/** A feed as it is sent. */
export interface FeedDocument {
  readonly bytes: Buffer;
  /** With its quotes. */
  readonly etag: string;
  /**
   * When it came to be as it is, in whole seconds as milliseconds since 1970. Undefined: there was another one in the same
   * second, which this time could not tell from it.
   */
  readonly modifiedAt: number | undefined;
}

/**
 * Feeds as documents. One is made when it is asked for and the log has moved since it was made; whoever asks meanwhile is given
 * the one that is there, or waits for the same. One at a time is made in the whole daemon, so that readers of feeds, who need no
 * key, cost the streams little.
 */
export class FeedDocuments {
  readonly #deps: FeedSources;
  /** By feed and format; the one that was asked for longest ago first. */
  readonly #kept = new Map<string, Kept>();
  #keptBytes = 0;
  readonly #underWay = new Map<string, Promise<FeedDocument>>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: FeedSources) {
    this.#deps = deps;
  }

  /** Bytes that are kept. */
  get bytes(): number {
    return this.#keptBytes;
  }

  /** Whether what it is of is there; nothing is made or charged. */
  async isThere(record: FeedRecord): Promise<boolean> {
    const { stateOf } = await import('./feed-state.ts');
    return (await stateOf(record, this.#deps)) !== undefined;
  }

  /**
   * Undefined where what it was of is gone. Its matches are charged, those that never were.
   * @throws {Problem} out_of_credit, where there is no match that is paid for
   */
  async read(record: FeedRecord, format: FeedFormat): Promise<FeedDocument | undefined> {
    // Most daemons have no feed: what makes them is loaded with the first.
    const { stateOf } = await import('./feed-state.ts');
    const state = await stateOf(record, this.#deps);
    if (state === undefined) return undefined;
    const key = `${record.id} ${format}`;
    const kept = this.#kept.get(key);
    if (kept?.stamp === state.stamp) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept.document;
    }
    const making = `${key} ${state.stamp}`;
    const known = this.#underWay.get(making);
    if (known) return known;
    const document = this.#inTurn(() => this.#make(key, format, state)).finally(() => this.#underWay.delete(making));
    this.#underWay.set(making, document);
    return document;
  }

  async #inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    try {
      await before;
      return await work();
    } finally {
      resolve();
    }
  }

  async #make(key: string, format: FeedFormat, state: FeedState): Promise<FeedDocument> {
    const { write } = await import('./feed-state.ts');
    const { feed, isWhole } = await state.gather();
    const bytes = Buffer.from(write(feed, format));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    const before = this.#kept.get(key);
    const stamp = isWhole ? state.stamp : undefined;
    const second = Math.floor(this.#deps.outside.now() / 1_000) * 1_000;
    const isSame = before?.document.etag === etag;
    const modifiedAt = before?.second === second ? undefined : second;
    const document = isSame ? before.document : { bytes, etag, modifiedAt };
    this.#keep(key, { stamp, document, second: isSame ? before.second : second }, before);
    return document;
  }

  #keep(key: string, kept: Kept, before: Kept | undefined): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    this.#keptBytes += kept.document.bytes.length - (before?.document.bytes.length ?? 0);
    for (const [oldest, { document }] of this.#kept) {
      if (this.#keptBytes <= FEED_CACHE_BYTES) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= document.bytes.length;
    }
  }
}

interface Kept {
  /** Undefined: it is made again when it is asked for. */
  readonly stamp: string | undefined;
  readonly document: FeedDocument;
  /** In which it came to be as it is, as milliseconds since 1970. */
  readonly second: number;
}
