import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Configured } from '../../../src/daemon/notify/sink-kind.ts';
import { type Answer, LATER_MS, type Received, type Receiver } from '../../contract/sink-kind.ts';

/** A request as it came. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A stand-in for a service that is spoken to by HTTP, on loopback: it asks of a request what the service’s documentation asks. */
export interface Service {
  /** A sink that leads to it. */
  readonly configured: (origin: string) => Pick<Configured, 'options' | 'secrets'>;
  /** What its reader sees. `fault` is told what is wrong with the request. */
  readonly read: (asked: Asked, fault: (what: string) => void) => Received;
  readonly isProgram?: true;
  readonly answers: Partial<Record<Exclude<Answer, 'hang up' | 'repeat'>, Reply>>;
}

export async function httpReceiver(service: Service): Promise<Receiver> {
  const faults: string[] = [];
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const asked = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      if (receiver.answer === 'hang up') {
        request.socket.destroy();
        return;
      }
      try {
        received.push(service.read(asked, (what) => void faults.push(what)));
      } catch (error) {
        faults.push(String(error));
      }
      const repeated: Reply = { status: 400, body: `\u001b[2J${JSON.stringify(asked)}\n${asked.path} ${body}` };
      const answer: Reply =
        receiver.answer === 'repeat' ? repeated : (service.answers[receiver.answer] ?? { status: 500 });
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    configured: { sinkId: 'snk1', name: 'phone', ...service.configured(`http://127.0.0.1:${port}`) },
    answer: 'accept',
    isProgram: service.isProgram === true,
    runs: 60,
    received,
    faults,
    cannot: (['gone', 'later'] as const).filter((answer) => service.answers[answer] === undefined),
    close: async () => {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** The body as an object of JSON, which the header has to say it is. */
export function jsonOf({ headers, body }: Asked, fault: (what: string) => void): Record<string, unknown> {
  if (headers['content-type'] !== 'application/json') fault(`content-type ${String(headers['content-type'])}`);
  if (headers['content-length'] !== String(Buffer.byteLength(body))) fault('content-length');
  return JSON.parse(body) as Record<string, unknown>;
}

/** Only these names, each a text of at most so many characters where a number stands. */
export function checkFields(
  json: Record<string, unknown>,
  limits: Record<string, number | null>,
  fault: (what: string) => void,
): void {
  for (const [name, value] of Object.entries(json)) {
    const most = limits[name];
    if (most === undefined) fault(`${name} is no field`);
    else if (most !== null && (typeof value !== 'string' || value === '' || value.length > most)) {
      fault(`${name} has ${String(value).length} characters, or is no text`);
    }
  }
}

export function textIn(json: Record<string, unknown>, name: string): string {
  const value = json[name];
  return typeof value === 'string' ? value : '';
}

export const laterHeader = { 'retry-after': String(LATER_MS / 1_000) };
