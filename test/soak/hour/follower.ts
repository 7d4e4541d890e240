import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const COMES_BACK_MS = 2_000;

/**
 * A client of a stream that keeps nothing but the offset it has come to, and comes back wherever it was cut off: each
 * event has to be the next one. It reads for as long as it is told, or leaves by itself after `staysMs`.
 */
export class Follower {
  readonly faults: string[] = [];
  /** Offset of the event that has to come next. */
  next = 0;
  openings = 0;
  readonly #url: string;
  readonly #token: string;
  readonly #staysMs: number | undefined;
  #lastId: string | undefined;
  #request: ClientRequest | undefined;
  #isClosed = false;
  #comesBackMs = COMES_BACK_MS;

  constructor(url: string, token: string, staysMs?: number) {
    this.#url = `${url}/v1/stream`;
    this.#token = token;
    this.#staysMs = staysMs;
  }

  /** Until it is closed. */
  async follow(): Promise<void> {
    while (!this.#isClosed) {
      await this.#once().catch((error: Error) => this.faults.push(error.message));
      if (!this.#isClosed) await sleep(this.#comesBackMs);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#request?.destroy();
  }

  #once(): Promise<void> {
    const resumes = this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId };
    const url = this.#lastId === undefined ? `${this.#url}?offset=0` : this.#url;
    const headers = { authorization: `Bearer ${this.#token}`, ...resumes };
    return new Promise((resolve, reject) => {
      const asked = request(url, { headers, agent: false }, (response) => {
        const { statusCode, headers: told } = response;
        // All that were opened in one minute end in one minute, and a tap has 30 openings in each.
        this.#comesBackMs = statusCode === 429 ? Number(told['retry-after']) * 1_000 : COMES_BACK_MS;
        if (statusCode === 200) this.openings += 1;
        else if (statusCode !== 429) reject(new Error(`a stream was answered ${statusCode}`));
        this.#read(response);
      });
      const leaving = this.#staysMs === undefined ? undefined : setTimeout(() => asked.destroy(), this.#staysMs);
      asked.on('error', (error) => {
        if (!asked.destroyed) reject(error);
      });
      asked.on('close', () => {
        clearTimeout(leaving);
        resolve();
      });
      asked.end();
      this.#request = asked;
    });
  }

  #read(response: IncomingMessage): void {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const frames = (text + chunk).split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) this.#take(frame);
    });
    response.on('error', () => undefined);
  }

  #take(frame: string): void {
    const [, id] = /^id: (.*)$/m.exec(frame) ?? [];
    if (id === undefined || !/^event: update$/m.test(frame)) return;
    const offset = Number(id.split('-')[1]);
    if (offset !== this.next) this.faults.push(`the event ${id} came where ${this.next} was the next one`);
    this.next = offset + 1;
    this.#lastId = id;
  }
}
