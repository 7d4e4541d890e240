import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { tapIn } from './news.ts';
import { type Arrival, type Conduct, droppedIn, type Misdeed, type Piece } from './receiver.ts';

/** `<SECRET>` of all webhooks. */
export const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const signer = new Webhook(SIGNING_SECRET);

/** Of one sink. */
export interface WebReceiver {
  /** The path that it is reached by. */
  readonly name: string;
  readonly kind: 'webhook' | 'ntfy';
  readonly conduct: Conduct;
  readonly arrivals: Arrival[];
  /** It never takes what has this word in its title. */
  readonly refuses?: string;
}

/** Real servers of HTTP on loopback, one for all sinks: what a receiver is told, and what it does. */
export class WebReceivers {
  life = 0;
  readonly faults: string[] = [];
  readonly #server: Server;
  readonly #receivers: readonly WebReceiver[];

  static async start(receivers: readonly WebReceiver[]): Promise<WebReceivers> {
    const all = new WebReceivers(receivers);
    all.#server.listen(0, '127.0.0.1');
    await once(all.#server, 'listening');
    return all;
  }

  private constructor(receivers: readonly WebReceiver[]) {
    this.#receivers = receivers;
    this.#server = createServer((request, response) => {
      // Nothing is here for whoever asks: a watch that fails.
      if (request.method === 'GET') return void response.writeHead(404).end();
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => this.#answer(request, response, Buffer.concat(chunks).toString()));
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What waits for an answer goes with the daemon that asked. */
  dropAll(): void {
    this.#server.closeAllConnections();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const message = read(request, body);
    const receiver = this.#receivers.find(({ name, kind }) =>
      kind === 'ntfy' ? request.url === '/' && message.topic === name : request.url === `/${name}`,
    );
    if (receiver === undefined) {
      this.faults.push(`nobody asked for ${String(request.url)}`);
      response.writeHead(404).end();
      return;
    }
    if (receiver.kind === 'webhook') this.#checkSignature(request, body);
    const isRefused = receiver.refuses !== undefined && message.title.includes(receiver.refuses);
    const misdeed = isRefused ? 'refuse' : receiver.conduct.next();
    const { topic: _, ...said } = message;
    receiver.arrivals.push({ life: this.life, ...said, fate: fateOf(misdeed) });
    behave(misdeed, request, response);
  }

  /** The time in it is the daemon's own: whether that is near is not for this clock to say. */
  #checkSignature({ headers }: IncomingMessage, body: string): void {
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const wanted = signer.sign(String(headers['webhook-id']), at, body);
    if (headers['webhook-signature'] !== wanted)
      this.faults.push(`a wrong signature of ${String(headers['webhook-id'])}`);
  }
}

function fateOf(misdeed: Misdeed | undefined): Arrival['fate'] {
  if (misdeed === undefined || misdeed === 'garbage') return 'accepted';
  return misdeed === 'cut short' ? 'unclear' : 'failed';
}

function behave(misdeed: Misdeed | undefined, request: IncomingMessage, response: ServerResponse): void {
  switch (misdeed) {
    case undefined:
      response.writeHead(200).end('taken');
      return;
    case 'busy':
      response.writeHead(429, { 'retry-after': '1' }).end('too many');
      return;
    case 'hang':
      return;
    case 'redirect':
      response.writeHead(302, { location: '/elsewhere' }).end();
      return;
    case 'gone':
      response.writeHead(410).end();
      return;
    case 'refuse':
      response.writeHead(400).end('not this one');
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' }).end(GARBAGE);
      return;
    case 'cut short':
      response.writeHead(200, { 'content-length': 4_096 });
      response.write('taken, and so on', () => void request.socket.destroy());
      return;
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    default:
      response.writeHead(500).end('it broke');
  }
}

const GARBAGE = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 89) % 256));

type Said = Omit<Arrival, 'life' | 'fate'>;

interface Read extends Said {
  readonly topic: string;
}

interface Wired {
  readonly type: string;
  readonly data: {
    readonly id: string;
    readonly title: string;
    readonly more?: number;
    readonly items: readonly {
      readonly type: string;
      readonly title: string;
      readonly url?: string;
      readonly labels: { readonly tap?: string };
      readonly alike?: { readonly count: number; readonly urls: readonly string[] };
    }[];
  };
}

function read({ url }: IncomingMessage, body: string): Read {
  return url === '/' ? readNtfy(body) : { ...readWebhook(body), topic: '' };
}

/** Also what a program is given on its standard input. */
export function readWebhook(body: string): Said {
  const { type, data } = JSON.parse(body) as Wired;
  const matches = data.items.filter((item) => item.type === 'match');
  const of = (tap = '', address = ''): Piece => ({ tap, url: address });
  // What says the same may be of another tap, which its address tells.
  const alike = matches.flatMap(({ labels, alike: same }) =>
    (same?.urls ?? []).map((one) => of(tapIn(one) ?? labels.tap, one)),
  );
  return {
    id: data.id,
    type,
    title: data.title,
    leads: matches.map(({ labels, url }) => of(labels.tap, url)),
    alike,
    count: matches.reduce((sum, { alike: same }) => sum + 1 + (same?.count ?? 0), data.more ?? 0),
    dropped: data.items.reduce((sum, item) => sum + (item.type === 'notice' ? droppedIn(item.title) : 0), 0),
  };
}

interface Published {
  readonly topic: string;
  readonly title: string;
  readonly click?: string;
  readonly sequence_id: string;
}

/** A stand-in for ntfy: what it is sent is read as its documentation has it. The tap is not told; the title begins with its name. */
function readNtfy(body: string): Read {
  const { topic, title, click = '', sequence_id: id } = JSON.parse(body) as Published;
  const [tap = ''] = title.split(' ');
  return { topic, id, type: 'match', title, leads: [{ tap, url: click }], alike: [], count: 1, dropped: 0 };
}
