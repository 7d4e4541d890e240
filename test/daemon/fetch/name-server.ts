import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** What a name server says of a name. A number is a response code (RFC 1035, 4.1.1): 2 SERVFAIL, 3 NXDOMAIN. */
export type Says = readonly Resource[] | number | 'nothing';

export interface Resource {
  readonly type: 'A' | 'AAAA' | 'CNAME';
  readonly value: string;
  readonly ttl?: number;
}

/** A real name server on a loopback port, which answers from a zone that the test may change, and counts. */
export class NameServer {
  readonly zone = new Map<string, Says>();
  /** `a.test A`, in the order they came. */
  readonly asked: string[] = [];
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (query, { port, address }) => {
      const answer = this.#answer(query);
      if (answer) socket.send(answer, port, address);
    });
  }

  static async listen(zone: Readonly<Record<string, Says>> = {}): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const server = new NameServer(socket);
    for (const [name, says] of Object.entries(zone)) server.zone.set(name, says);
    onTestFinished(() => void socket.close());
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  #answer(query: Buffer): Buffer | undefined {
    const { name, end } = nameAt(query, 12);
    const type = TYPES.find(([, code]) => code === query.readUInt16BE(end))?.[0] ?? 'other';
    this.asked.push(`${name} ${type}`);
    const says = this.zone.get(`${name} ${type}`) ?? this.zone.get(name) ?? 3;
    if (says === 'nothing') return undefined;
    const records =
      typeof says === 'number' ? [] : says.filter((record) => record.type === type || record.type === 'CNAME');
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (typeof says === 'number' ? says : 0), 2);
    header.writeUInt16BE(records.length, 6);
    // What follows the question (EDNS) is not repeated.
    header.writeUInt32BE(0, 8);
    return Buffer.concat([header, query.subarray(12, end + 4), ...resources(name, records)]);
  }
}

const TYPES = [
  ['A', 1],
  ['CNAME', 5],
  ['AAAA', 28],
] as const;

/** Of a CNAME, what follows belongs to the name that it gives. */
function resources(name: string, records: readonly Resource[]): Buffer[] {
  let owner = name;
  return records.map(({ type, value, ttl = 300 }) => {
    const data = dataOf(type, value);
    const fixed = Buffer.alloc(10);
    fixed.writeUInt16BE(TYPES.find(([known]) => known === type)?.[1] ?? 0, 0);
    fixed.writeUInt16BE(1, 2);
    fixed.writeUInt32BE(ttl, 4);
    fixed.writeUInt16BE(data.length, 8);
    const record = Buffer.concat([encoded(owner), fixed, data]);
    if (type === 'CNAME') owner = value;
    return record;
  });
}

function dataOf(type: Resource['type'], value: string): Buffer {
  if (type === 'CNAME') return encoded(value);
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  const [head = '', tail = ''] = value.split('::').map((part) => part);
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0');
  const all = [...groups(head), ...zeros, ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function encoded(name: string): Buffer {
  return Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)])),
    Buffer.of(0),
  ]);
}

function nameAt(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}
