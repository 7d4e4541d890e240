import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Match } from '../../src/shared/api/match.ts';

export interface SseEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** A bare SSE client of the test's own: every frame it was sent, and nothing done about it unless told. */
export class SseReader {
  readonly events: SseEvent[] = [];
  #text = '';
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #whenMore: () => void = () => {};
  /** Told of each frame as it comes. */
  onEvent: (event: SseEvent) => void = () => {};
  ended = false;
  bytes = 0;

  get lastId(): string | undefined {
    return this.events.findLast((event) => event.id !== undefined)?.id;
  }

  updates(): SseEvent[] {
    return this.events.filter((event) => event.event === 'update');
  }

  /** What each update says, whatever its id. */
  documents(): string[] {
    return this.updates().map(({ data }) => JSON.stringify((JSON.parse(data) as Match).document));
  }

  /** Resolves with the status once the headers are there; a refused connection rejects. */
  open(url: string, token: string, headers: Record<string, string> = {}): Promise<number> {
    this.ended = false;
    this.#text = '';
    return new Promise((resolve, reject) => {
      const sent = { authorization: `Bearer ${token}`, ...headers };
      this.#request = request(url, { headers: sent, agent: false }, (response) => {
        this.#response = response;
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => this.#read(chunk));
        response.on('close', () => (this.ended = true));
        response.on('error', () => (this.ended = true));
        resolve(response.statusCode ?? 0);
      });
      this.#request.on('error', (error) => {
        this.ended = true;
        reject(error);
      });
      this.#request.end();
    });
  }

  /** Resolves when there are so many events of any kind. */
  async until(events: number): Promise<void> {
    while (this.events.length < events) {
      await new Promise<void>((resolve) => {
        this.#whenMore = resolve;
      });
    }
  }

  /** Stops taking bytes from the socket: the kernel's buffers fill, then the daemon's. */
  pause(): void {
    this.#response?.pause();
  }

  close(): void {
    this.#request?.destroy();
  }

  #read(chunk: string): void {
    this.bytes += chunk.length;
    const frames = (this.#text + chunk).split('\n\n');
    this.#text = frames.pop() ?? '';
    for (const frame of frames) this.#frame(frame);
    this.#whenMore();
  }

  #frame(frame: string): void {
    const fields = new Map<string, string>();
    for (const line of frame.split('\n')) {
      const found = /^([a-z]+): (.*)$/.exec(line);
      if (found) fields.set(found[1] ?? '', found[2] ?? '');
    }
    const event = fields.get('event');
    if (event === undefined) return;
    const come = { event, id: fields.get('id'), data: fields.get('data') ?? '' };
    this.events.push(come);
    this.onEvent(come);
  }
}

/** One that reads all events that are kept, or those after `lastId`. @throws where it is refused */
export async function readerFrom(daemonUrl: string, token: string, lastId?: string): Promise<SseReader> {
  const reader = new SseReader();
  const resume = lastId === undefined ? {} : { 'last-event-id': lastId };
  const status = await reader.open(`${daemonUrl}/v1/stream?offset=0`, token, resume);
  if (status !== 200) throw new Error(`the stream was answered with ${status}`);
  return reader;
}
