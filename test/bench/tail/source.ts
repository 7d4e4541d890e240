import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `node source.ts COUNT PER_SECOND`, the daemon's half of the benchmark in a process of its own, so that what it takes
 * is not measured as a stutter of the reader: one tap and one rule, whose stream is as many matches as are asked for,
 * and then its end. It tells its port, that the stream is open, and that all is sent; told anything, it begins to send.
 */

export type SourceWord = { readonly port: number } | 'opened' | 'sent';

/** Milliseconds between two batches. */
const BATCH_MS = 10;
const RULE = { id: 'r1', value: 'ferry OR tram', tag: 'ways', nsfw: false, quality: false };
const TEXT = 'The ferry is late again, and so is every tram that would have met it at the quay. '.repeat(9);

const [count = 0, perSecond = 0] = process.argv.slice(2).map(Number);
let stream: ServerResponse | undefined;

const tell = (word: SourceWord): void => void process.send?.(word);

const server = createServer((request, response) => {
  if (request.url?.startsWith('/v1/stream') === true) open(response);
  else response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [RULE] }));
});
server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }));
process.once('message', () => void sendAll());

function open(response: ServerResponse): void {
  stream = response;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-stream-start': '0-0; live' });
  response.write('event: connected\ndata: {}\n\n');
  tell('opened');
}

async function sendAll(): Promise<void> {
  const begin = performance.now();
  for (let sent = 0; sent < count;) {
    const due = Math.min(count, Math.floor(((performance.now() - begin) / 1_000) * perSecond));
    let batch = '';
    for (; sent < due; sent += 1) batch += frame(sent);
    if (batch !== '' && stream?.write(batch) === false) await once(stream, 'drain');
    await sleep(BATCH_MS);
  }
  tell('sent');
  stream?.end('event: end\ndata: {}\n\n');
}

/** A match of 1 KiB. */
function frame(offset: number): string {
  const url = `https://www.h${offset % 97}.example/${offset}`;
  const chunks = [
    { typ: 'ins', text: TEXT },
    { typ: 'del', text: 'Ferries leave at noon.' },
  ];
  const document = { url, title: `A ferry, number ${offset}`, language: 'en', diff: { chunks } };
  const match = { tap_id: 't', query_ids: ['r1'], matched_at: new Date().toISOString(), document };
  return `id: 0-${offset}\nevent: update\ndata: ${JSON.stringify(match)}\n\n`;
}
