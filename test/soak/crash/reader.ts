import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Findings } from './findings.ts';
import type { Told } from './told.ts';

/**
 * A client of a stream that comes back for what it has not had: by `Last-Event-ID` (SSE) or by `offset` (lines of JSON).
 * Each event has to be the one after the one before it, over all lives. A slow one leaves its socket full now and then.
 */
export class Reader {
  readonly name: string;
  readonly told: Told;
  readonly #findings: Findings;
  readonly #form: Form;
  readonly #isSlow: boolean;
  #request: ClientRequest | undefined;
  #text = '';
  /** The offset that comes next. */
  next = 0;
  isOpen = false;

  constructor({ name, told, findings, form = 'sse', isSlow = false }: ReaderShape) {
    this.name = name;
    this.told = told;
    this.#findings = findings;
    this.#form = form;
    this.#isSlow = isSlow;
  }

  /** Resolves with the status; 0 where nobody answers. */
  open(url: string, token: string): Promise<number> {
    this.isOpen = true;
    this.#text = '';
    const isLines = this.#form === 'lines';
    const resumes = !isLines && this.next > 0;
    const headers = {
      authorization: `Bearer ${token}`,
      accept: isLines ? 'application/x-ndjson' : 'text/event-stream',
      ...(resumes && { 'last-event-id': `0-${this.next - 1}` }),
    };
    const path = `${url}/v1/stream${resumes ? '' : `?offset=${this.next}`}`;
    this.#request?.destroy();
    return new Promise((resolve) => {
      const opened = request(path, { headers, agent: false }, (response) => {
        this.#follow(opened, response);
        resolve(response.statusCode ?? 0);
      });
      this.#request = opened;
      const over = (): void => {
        this.#over(opened);
        resolve(0);
      };
      opened.on('error', over).on('close', over);
      opened.end();
    });
  }

  close(): void {
    this.#request?.destroy();
    this.isOpen = false;
  }

  /** What a connection of a former life still holds, and its end, which may come late, are nothing to the one of today. */
  #isToday(opened: ClientRequest): boolean {
    return this.#request === opened;
  }

  #over(opened: ClientRequest): void {
    if (this.#isToday(opened)) this.isOpen = false;
  }

  #follow(opened: ClientRequest, response: IncomingMessage): void {
    response.setEncoding('utf8');
    response.on('error', () => this.#over(opened));
    response.on('close', () => this.#over(opened));
    response.on('data', (chunk: string) => {
      if (!this.#isToday(opened)) return;
      this.#read(chunk);
      if (!this.#isSlow) return;
      response.pause();
      setTimeout(() => response.resume(), SLOW_MS).unref();
    });
  }

  #read(chunk: string): void {
    const frames = (this.#text + chunk).split(this.#form === 'lines' ? '\n' : '\n\n');
    this.#text = frames.pop() ?? '';
    for (const frame of frames) {
      const found = this.#form === 'lines' ? lineOf(frame) : frameOf(frame);
      if (found) this.#take(found);
    }
  }

  #take({ id, data }: Update): void {
    const [partition, offset] = id.split('-').map(Number);
    const place = `${this.name}: ${id} where 0-${this.next} comes next`;
    if (partition !== 0 || offset === undefined) this.#findings.contradict(place);
    else if (offset < this.next) this.#findings.double(place);
    else if (offset > this.next) this.#findings.lose(place);
    if (offset === undefined) return;
    this.next = offset + 1;
    this.told.take(offset, data);
  }
}

type Form = 'sse' | 'lines';

interface ReaderShape {
  readonly name: string;
  readonly told: Told;
  readonly findings: Findings;
  readonly form?: Form;
  readonly isSlow?: boolean;
}

interface Update {
  readonly id: string;
  readonly data: string;
}

/** A heartbeat is a comment without a blank line: it stands before the next frame. */
function frameOf(frame: string): Update | undefined {
  const [, id, data] = /^id: (\S+)\nevent: update\ndata: (.*)$/.exec(frame.replace(/^(?::.*\n)+/, '')) ?? [];
  return id === undefined || data === undefined ? undefined : { id, data };
}

function lineOf(line: string): Update | undefined {
  if (!line.startsWith('{"event":"update"')) return undefined;
  const { id, data } = JSON.parse(line) as { id: string; data: unknown };
  return { id, data: JSON.stringify(data) };
}

const SLOW_MS = 150;
