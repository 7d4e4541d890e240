import { response } from '../../shared/archive/warc-bytes.ts';
import { seeded } from '../../fixtures/series.ts';
import { eventFor, seed, visitOf } from '../../fixtures/visits.ts';
import type { MatchDocument } from '../../../src/shared/api/match.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import type { RealDaemon } from '../../acceptance/real-daemon.ts';
import { ask } from '../crash/ask.ts';

export const TAPS = ['alpha', 'bravo', 'charlie', 'delta'] as const;
export type TapName = (typeof TAPS)[number];

/** In the title of what one receiver refuses, and in the text of what some sinks ask for. */
export const REFUSED = 'unwanted';
export const URGENT = 'urgent';

/** An event as the log has it. */
export interface Logged {
  readonly offset: number;
  readonly url: string;
  readonly isUrgent: boolean;
  readonly isRefused: boolean;
}

/** What happens: most of it written to the database between two lives, the rest sent as records of an archive while one goes on. */
export class News {
  readonly #tapIds: ReadonlyMap<TapName, string>;
  /** Of a tap's events, one in so many is one that a receiver refuses. */
  readonly #refusedEach: number;
  readonly #random = seeded(11);
  #written = 0;
  #records = 0;
  #open: Buffer | undefined;

  constructor(tapIds: ReadonlyMap<TapName, string>, refusedEach: number) {
    this.#tapIds = tapIds;
    this.#refusedEach = refusedEach;
  }

  /** Events of one tap, or in turns of all. */
  async write(storage: Storage, count: number, at: number, only?: TapName): Promise<void> {
    const page = await seed(storage.frontier, 'news');
    const taps = only === undefined ? TAPS : [only];
    const events = Array.from({ length: count }, () => {
      const tap = taps[this.#written % taps.length] ?? 'alpha';
      // Turn by turn, also where all are of one tap: a turn decides what an event says.
      this.#written += TAPS.length / taps.length;
      return eventFor(this.#tapIds.get(tap) ?? '', JSON.stringify(this.#document(tap, this.#written)));
    });
    for (let from = 0; from < events.length; from += EVENTS_A_COMMIT) {
      await storage.pages.commit(visitOf(page, { at, events: events.slice(from, from + EVENTS_A_COMMIT) }));
    }
  }

  /** A page that is new to the daemon, and matches the rules of all taps. One that was not answered is sent again. */
  async send(daemon: RealDaemon): Promise<void> {
    this.#open ??= this.#record();
    const answer = await ask(daemon, 'POST', '/admin/ingest', { bytes: this.#open });
    if (answer?.status === 200) this.#open = undefined;
  }

  #record(): Buffer {
    this.#records += 1;
    const url = `http://paper-${Math.floor(this.#records / PAGES_A_HOST)}.example/morning/${this.#records}`;
    const paragraphs = Array.from({ length: 4 }, () => `<p>${this.#words(20)}.</p>`).join('\n');
    const title = `${TAPS.join(' ')} edition ${this.#records}`;
    const body = `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${paragraphs}</main></body></html>`;
    return response({ url, at: new Date(RECORDED + this.#records * 1_000).toISOString().replace('.000', ''), body });
  }

  #document(tap: TapName, number: number): MatchDocument {
    const turn = Math.floor(number / TAPS.length);
    // Three that say the same, word for word, under other addresses.
    const isAlike = turn % ALIKE_EACH < 3;
    const isRefused = turn % this.#refusedEach === this.#refusedEach - 1;
    const isUrgent = !isAlike && turn % URGENT_EACH === 5;
    const subject = isAlike ? `echo ${Math.floor(turn / ALIKE_EACH)}` : `report ${number}`;
    const words = isAlike ? seededWords(Math.floor(turn / ALIKE_EACH)) : this.#words(16);
    return {
      url: `http://news-${turn % 7}.example/${tap}/${number}`,
      title: `${tap} ${subject}${isRefused ? ` ${REFUSED}` : ''}`,
      diff: { chunks: [{ typ: 'ins', text: `${words}${isUrgent ? ` ${URGENT}` : ''} ${subject}` }] },
    };
  }

  #words(count: number): string {
    return wordsOf(this.#random, count);
  }
}

/** Everything that the logs have, by tap. */
export async function logged(
  { eventLog }: Storage,
  tapIds: ReadonlyMap<TapName, string>,
): Promise<ReadonlyMap<TapName, readonly Logged[]>> {
  const all = new Map<TapName, Logged[]>();
  for (const [tap, id] of tapIds) {
    const events: Logged[] = [];
    const { head } = await eventLog.bounds(id);
    for (let from = 0; from < head; from = (events.at(-1)?.offset ?? head) + 1) {
      for (const { offset, document } of await eventLog.read(id, from, { events: 1_000, bytes: 4_194_304 })) {
        const { url, title = '', diff } = JSON.parse(document) as MatchDocument;
        const isUrgent = diff?.chunks.some(({ text }) => text.split(' ').includes(URGENT)) === true;
        events.push({ offset, url, isUrgent, isRefused: title.includes(REFUSED) });
      }
    }
    all.set(tap, events);
  }
  return all;
}

/** Of an address that `News.write` gave. */
export function tapIn(url: string): string | undefined {
  return /^http:\/\/news-\d\.example\/(\w+)\//.exec(url)?.[1];
}

function seededWords(number: number): string {
  return wordsOf(seeded(number + 1), 16);
}

/** No two of them are alike. */
function wordsOf(random: () => number, count: number): string {
  const pick = (from: string): string => from[Math.floor(random() * from.length)] ?? '';
  const syllable = (): string => pick('bcdfghklmnprstvz') + pick('aeiou');
  return Array.from({ length: count }, () => syllable() + syllable() + syllable() + pick('lnrst')).join(' ');
}

const EVENTS_A_COMMIT = 250;
const PAGES_A_HOST = 100;
const ALIKE_EACH = 25;
const URGENT_EACH = 20;
const RECORDED = Date.UTC(2024, 0, 1);
