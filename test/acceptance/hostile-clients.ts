import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** As many connect at once: more than the kernel keeps in line are told to come back a second later. */
const AT_ONCE = 200;
const DRIP_MS = 250;
const HOST = 'Host: hydrant.example\r\n';

/** What a client does once it is connected. */
export type Attack = (socket: Socket) => void;

/** Clients that mean no good, on bare sockets: what each of them was answered, and whether the daemon has hung up. */
export class HostileClients {
  readonly #port: number;
  readonly #clients: { readonly socket: Socket; answer: string; isClosed: boolean }[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  /** Resolves when so many are connected, and were refused or have begun. */
  async send(attack: Attack, count: number): Promise<void> {
    for (let begun = 0; begun < count; begun += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, count - begun) }, () => this.#send(attack));
      await Promise.all(batch);
    }
  }

  get open(): number {
    return this.#clients.filter(({ isClosed }) => !isClosed).length;
  }

  /** The status lines of all answers, each once, and how many there were of each. */
  get statuses(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { answer } of this.#clients) {
      for (const [, status = ''] of answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)) counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }

  leave(): void {
    for (const { socket } of this.#clients) socket.destroy();
  }

  #send(attack: Attack): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(this.#port, '127.0.0.1');
      const client = { socket, answer: '', isClosed: false };
      this.#clients.push(client);
      socket.on('connect', () => {
        attack(socket);
        resolve();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.isClosed = true;
        resolve();
      });
      if (!NEVER_READ.has(attack)) {
        socket.setEncoding('latin1').on('data', (text: string) => {
          client.answer = (client.answer + text).slice(0, ANSWER_LENGTH);
        });
      }
    });
  }
}

const ANSWER_LENGTH = 4_096;

/** Writes piece after piece until the daemon hangs up. */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), DRIP_MS);
  socket.on('close', () => clearInterval(timer));
}

/** Writes as fast as it is taken, without an end. */
function pour(socket: Socket, piece: string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

export const silence: Attack = () => undefined;

export const slowHead: Attack = (socket) => {
  socket.write(`GET /v1/taps HTTP/1.1\r\n${HOST}X-Slow: `);
  drip(socket, 'x');
};

/** With a key, since a stranger's body is not waited for. */
export function slowBody(key: string): Attack {
  return (socket) => {
    socket.write(`POST /v1/taps HTTP/1.1\r\n${HOST}Authorization: Bearer ${key}\r\nContent-Length: 1000\r\n\r\n`);
    drip(socket, ' ');
  };
}

export const manyHeaders: Attack = (socket) => {
  const headers = Array.from({ length: 2_000 }, (_, index) => `x${index}: 1\r\n`).join('');
  socket.write(`GET /v1/taps HTTP/1.1\r\n${HOST}${headers}\r\n`);
};

export const endlessHeader: Attack = (socket) => {
  socket.write(`GET /v1/taps HTTP/1.1\r\n${HOST}X-Long: `);
  pour(socket, 'x'.repeat(16_384));
};

export function endlessBody(key: string): Attack {
  return (socket) => {
    const head = `Authorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    socket.write(`POST /v1/taps HTTP/1.1\r\n${HOST}${head}`);
    pour(socket, `4000\r\n${' '.repeat(0x4000)}\r\n`);
  };
}

/** Chunks of one byte, each with an extension that means nothing. */
export function chunkExtensions(key: string): Attack {
  return (socket) => {
    const head = `Authorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    socket.write(`POST /v1/taps HTTP/1.1\r\n${HOST}${head}`);
    pour(socket, `1;${'x'.repeat(1_000)}=1\r\n \r\n`);
  };
}

/** Requests for a long answer, one after the other without an end, and none of the answers is read. */
export const pipeline: Attack = (socket) => {
  socket.pause();
  pour(socket, `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(100));
};

export function idleStream(token: string): Attack {
  const attack: Attack = (socket) => {
    socket.pause();
    socket.write(`GET /v1/stream HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\n\r\n`);
  };
  NEVER_READ.add(attack);
  return attack;
}

/** A hundred keys that are none, on one connection: the next one when the last one was refused. */
export const wrongKeys: Attack = (socket) => {
  let key = 0;
  const ask = (): void => {
    key += 1;
    const token = `svc_${String(key).padStart(40, 'k')}`;
    if (key <= 100) socket.write(`GET /v1/taps HTTP/1.1\r\n${HOST}Authorization: Bearer ${token}\r\n\r\n`);
    else socket.end();
  };
  socket.on('data', ask);
  ask();
};

export const vanish: Attack = (socket) => {
  socket.write(`GET /v1/taps HTTP/1.1\r\n${HOST}`);
  socket.resetAndDestroy();
};

const NEVER_READ = new Set<Attack>([pipeline]);

/** Where one request might be taken for two, or for another one, by what stands before the daemon (RFC 9112, 11.2). */
export const SMUGGLING: Readonly<Record<string, string>> = {
  'two lengths': 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!',
  'a length and chunks': 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x',
  'chunks that are not the last coding': 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
  'a coding with a control character': 'Transfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n',
  'a space before the colon': 'Content-Length : 5\r\n\r\nhello',
  'a header that goes on in the next line': 'X-One: a\r\n Content-Length: 5\r\n\r\nhello',
  'a length with a sign': 'Content-Length: +5\r\n\r\nhello',
  'a length in hex': 'Content-Length: 0x5\r\n\r\nhello',
  'a chunk whose length is none': 'Transfer-Encoding: chunked\r\n\r\n-1\r\nhello\r\n0\r\n\r\n',
  'a chunk of more bytes than numbers have':
    'Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello\r\n0\r\n\r\n',
  'a line that ends in a return alone': 'X-One: a\rContent-Length: 5\r\n\r\nhello',
  'another Host': 'Host: other.example\r\nContent-Length: 0\r\n\r\n',
  'the same Host again': `${HOST}Content-Length: 0\r\n\r\n`,
  'a coding that is none, and chunks': 'Transfer-Encoding: xchunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a coding before the chunks': 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  'chunks twice': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
};

/** The bytes that come back for a request with such headers, and behind it one that must never be answered. */
export async function smuggle(port: number, headers: string, key: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(`POST /v1/taps HTTP/1.1\r\n${HOST}Authorization: Bearer ${key}\r\n${headers}`);
  socket.write(`GET /smuggled HTTP/1.1\r\n${HOST}\r\n`);
  await Promise.race([closed, sleep(10_000)]);
  socket.destroy();
  return text;
}
