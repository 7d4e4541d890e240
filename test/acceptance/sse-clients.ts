import { spawn, spawnSync } from 'node:child_process';
import { fetchEventSource } from '@microsoft/fetch-event-source';
import { EventSourcePolyfill } from 'event-source-polyfill';
import { EventSource } from 'eventsource';
import { createEventSource } from 'eventsource-client';
import { vi } from 'vitest';

/** What a client of others makes of a stream: what it hands to its user, in the order it does. */
export class Seen {
  readonly updates: string[] = [];
  /** Data of the updates. */
  readonly matches: string[] = [];
  readonly types: string[] = [];
  /** Names of events without data: the daemon sends none. */
  readonly empty: string[] = [];
  /** Data of events named `error`. */
  readonly errors: string[] = [];
  /** Of each answer, in order. */
  readonly statuses: number[] = [];

  take(type: string, data: string, id: string | undefined): void {
    this.types.push(type);
    if (data === '') this.empty.push(type);
    if (type === 'update') {
      this.updates.push(id ?? '');
      this.matches.push(data);
    }
    if (type === 'error') this.errors.push(data);
  }
}

export interface Opened {
  readonly seen: Seen;
  close(): void;
}

/** Opens a stream and keeps it, as the client's manual says: it comes back by itself where the client does. */
export type OpenClient = (url: string, token: string) => Opened;

/** All real clients at hand; curl only where it is installed. */
export const clients: Readonly<Record<string, OpenClient>> = {
  eventsource: openEventSource,
  'eventsource-client': openEventSourceClient,
  '@microsoft/fetch-event-source': openFetchEventSource,
  ...(spawnSync('curl', ['--version']).status === 0 && { 'curl -N': openCurl }),
};

const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

function openEventSource(url: string, token: string): Opened {
  const seen = new Seen();
  const source = new EventSource(url, {
    fetch: async (input, init) => {
      const response = await fetch(input, { ...init, headers: { ...init.headers, ...bearer(token) } });
      seen.statuses.push(response.status);
      return response;
    },
  });
  for (const type of ['connected', 'update', 'end', 'error', 'message'] as const) {
    // The connection's own errors come under the same name, without data.
    source.addEventListener(type, (event: Event) => {
      if ('data' in event) seen.take(type, String(event.data), 'lastEventId' in event ? String(event.lastEventId) : '');
    });
  }
  return { seen, close: () => source.close() };
}

function openEventSourceClient(url: string, token: string): Opened {
  const seen = new Seen();
  const source = createEventSource({
    url,
    headers: bearer(token),
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      seen.statuses.push(response.status);
      return response;
    },
    onMessage: ({ event = 'message', data, id }) => seen.take(event, data, id),
  });
  return { seen, close: () => source.close() };
}

function openFetchEventSource(url: string, token: string): Opened {
  const seen = new Seen();
  const closing = new AbortController();
  // It is made for browsers, and asks for no more than this of one.
  const page = { hidden: false, addEventListener: () => {}, removeEventListener: () => {} };
  Object.assign(globalThis, { window: globalThis, document: page });
  const opened = fetchEventSource(url, {
    headers: bearer(token),
    signal: closing.signal,
    openWhenHidden: true,
    fetch: (input, init) => fetch(input, init),
    onopen: async (response) => {
      seen.statuses.push(response.status);
      if (response.status !== 200) throw new Error(`refused with ${response.status}`);
    },
    onmessage: ({ event, data, id }) => seen.take(event, data, id),
    // By itself it takes the end of the answer for the end of the stream.
    onclose: () => {
      throw new Error('come back');
    },
    onerror: () => 500,
  });
  opened.catch(() => {});
  return { seen, close: () => closing.abort() };
}

/** It says on the console what it lost. */
export function silenceThePolyfill(): void {
  vi.spyOn(console, 'error').mockImplementation(() => {});
}

/** `event-source-polyfill` sends no header to resume: the last id stands in the query. */
export function openPolyfill(url: string, token: string): Opened {
  const seen = new Seen();
  const source = new EventSourcePolyfill(url, { headers: bearer(token) });
  for (const type of ['open', 'connected', 'update', 'end', 'error', 'message']) {
    // What it says of its connection comes under the same names: with a status where there was an answer.
    source.addEventListener(type, ({ status, data, lastEventId }) => {
      if (status !== undefined) seen.statuses.push(status);
      if (data !== undefined) seen.take(type, data, lastEventId);
    });
  }
  return { seen, close: () => source.close() };
}

/** `curl -N` in a loop, as in a shell script: the last id goes into the next request. */
function openCurl(url: string, token: string): Opened {
  const seen = new Seen();
  let lastId: string | undefined;
  let running: ReturnType<typeof spawn> | undefined;
  let isClosed = false;
  const again = (): void => {
    if (isClosed) return;
    const resume = lastId === undefined ? [] : ['-H', `Last-Event-ID: ${lastId}`];
    const words = ['-sN', '-i', '-H', `Authorization: Bearer ${token}`, ...resume, url];
    const child = spawn('curl', words, { stdio: ['ignore', 'pipe', 'inherit'] });
    running = child;
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const blocks = (rest + text).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) lastId = readBlock(seen, block) ?? lastId;
    });
    child.on('close', () => setTimeout(again, 500));
  };
  again();
  return {
    seen,
    close: () => {
      isClosed = true;
      running?.kill();
    },
  };
}

/** A head of HTTP or a frame of SSE; the id of an event. */
function readBlock(seen: Seen, block: string): string | undefined {
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(block) ?? [];
  if (status !== undefined) seen.statuses.push(Number(status));
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const event = status === undefined ? field('event') : undefined;
  if (event === undefined) return undefined;
  seen.take(event, field('data') ?? '', field('id'));
  return field('id');
}
