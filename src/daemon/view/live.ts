import type { ServerResponse } from 'node:http';
import type { CatalogData } from '../storage/catalog.ts';
import type { Hub } from '../stream/hub.ts';
import { SSE, type StreamFormat } from '../stream/format.ts';
import type { Sink } from '../stream/connection.ts';
import { matchIn } from '../feeds/feed-state.ts';
import { VIEW_STREAM_SECONDS } from '../../shared/limits.ts';
import type { Html } from './html.ts';
import type { PastMatch } from '../../shared/documents/past-match.ts';
import { labelsOf } from './timeline-log.ts';

/**
 * A format of the stream whose `update` is a match as the timeline shows it, made once for all who look at the tap. Its id is the
 * time of the match: after a break the browser sends it, and what came meanwhile is sent again; the script knows what it has.
 */
export function timelineFormat(
  catalog: { readonly data: CatalogData },
  shown: (match: PastMatch) => Html,
): StreamFormat {
  return {
    ...SSE,
    name: 'timeline',
    update: (tapId, partition, event) => {
      const match = matchIn(event, { tapId, bounds: { partition }, ...labelsOf(tapId, catalog.data) });
      const lines = match === undefined ? [] : shown(match).toString().split('\n');
      return Buffer.from(`id: ${event.at}\nevent: update\n${lines.map((line) => `data: ${line}\n`).join('')}\n`);
    },
  };
}

interface Asked {
  readonly tapIds: readonly string[];
  readonly format: StreamFormat;
  /** How far back to begin, in milliseconds. */
  readonly sinceMs: number;
  /** Aborted when the session ends. */
  readonly ended: AbortSignal;
}

/** Streams of several taps as one response, whose head is written already. */
export async function openTimeline(hub: Hub, response: ServerResponse, asked: Asked): Promise<void> {
  const { tapIds, format, sinceMs, ended } = asked;
  const socket = new TimelineSocket(response);
  const end = (): void => socket.end();
  ended.addEventListener('abort', end, { once: true });
  socket.onClose(() => ended.removeEventListener('abort', end));
  const position = { sinceMs: Math.max(1, sinceMs) };
  const request = { format, position, timeoutMs: VIEW_STREAM_SECONDS * 1_000, limit: Infinity, hasRules: true };
  for (const tapId of tapIds) await hub.connect({ ...request, tapId }, socket);
}

/** One response for all of its connections: the first of them that ends ends it. */
class TimelineSocket implements Sink {
  readonly #response: ServerResponse;
  #isEnded = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    // Each connection waits for its end, and for room.
    response.setMaxListeners(0);
    response.on('error', () => {
      // A browser that resets its connection; 'close' follows.
    });
  }

  /** Counted with its first connection alone would be exact; an upper bound is enough for who looks at memory. */
  get buffered(): number {
    return this.#response.writableLength;
  }

  begin(): void {
    // The head is written: it says nothing of a place in one log.
  }

  write(bytes: Uint8Array): boolean {
    return this.#isEnded || this.#response.write(bytes);
  }

  onDrain(listener: () => void): void {
    this.#response.on('drain', listener);
  }

  onClose(listener: () => void): void {
    if (this.#response.closed || this.#response.destroyed) listener();
    else this.#response.once('close', listener);
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }
}
