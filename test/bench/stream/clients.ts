import { connect, type Socket } from 'node:net';
import { answerEach } from './talk.ts';

/** The clients' half of the benchmark: bare sockets that count events, in a process of their own. */
export type ClientCalls = {
  /** Opens streams, so many at a time; answered when all have begun. */
  readonly open: (asked: OpenAsked) => Promise<number>;
  /** Resolves when all that read have so many events together. */
  readonly until: (events: number) => Promise<number>;
  /** Sorted milliseconds between an event's making and its arrival, of each twentieth client, and forgets them. */
  readonly delays: () => number[];
  readonly closeAll: () => number;
};

export interface OpenAsked {
  readonly port: number;
  readonly count: number;
  readonly query: string;
  readonly atOnce: number;
  /** Never takes a byte of the answer. */
  readonly stalls?: boolean;
}

const MARK = '\nevent: update\n';
const sockets = new Set<Socket>();
let events = 0;
let delays: number[] = [];
let whenEnough: { events: number; resolve: (events: number) => void } | undefined;

function read(socket: Socket, isSampled: boolean): void {
  let rest = '';
  socket.on('data', (chunk: Buffer) => {
    const now = process.hrtime.bigint();
    const text = rest + chunk.toString('latin1');
    // What was counted is cut off; a mark that is cut in two is found with the next chunk.
    let last = 0;
    for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, last)) {
      events += 1;
      last = at + MARK.length;
    }
    if (isSampled) {
      for (const [, made = ''] of text.matchAll(/"t=(\d+);/g)) delays.push(Number(now - BigInt(made)) / 1e6);
      // With the moment, which stands after the mark.
      rest = /"t=\d*$/.exec(text)?.[0] ?? text.slice(Math.max(last, text.length - MARK.length + 1));
    } else {
      rest = text.slice(Math.max(last, text.length - MARK.length + 1));
    }
    if (whenEnough && events >= whenEnough.events) whenEnough.resolve(events);
  });
}

function open({ port, query, stalls = false }: OpenAsked, index: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // More than one source address: one has 28,000 ports.
    const socket = connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${2 + (index % 8)}` });
    sockets.add(socket);
    socket.on('error', reject).on('close', () => sockets.delete(socket));
    socket.write(`GET /v1/stream${query} HTTP/1.1\r\nhost: h\r\naccept: text/event-stream\r\n\r\n`);
    const isSampled = index % 20 === 0;
    socket.once('readable', () => {
      if (stalls) socket.pause();
      else read(socket, isSampled);
      resolve();
    });
  });
}

answerEach<ClientCalls>({
  open: async (asked) => {
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < asked.count) await open(asked, next++);
    };
    await Promise.all(Array.from({ length: asked.atOnce }, worker));
    return asked.count;
  },
  until: (wanted) =>
    new Promise((resolve) => {
      whenEnough = { events: wanted, resolve };
      if (events >= wanted) resolve(events);
    }),
  delays: () => {
    const sorted = delays.toSorted((a, b) => a - b);
    delays = [];
    return sorted;
  },
  closeAll: () => {
    for (const socket of sockets) socket.destroy();
    events = 0;
    whenEnough = undefined;
    return 0;
  },
});
