import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Fetched, PageRequest, Validators } from '../../../src/daemon/fetch/fetched.ts';
import { check } from '../../../src/daemon/watch/check.ts';
import { answer, body, failure, HOUR, MINUTE, page, status, url, WatchWorld } from './watch-world.ts';

const BEGIN = Date.UTC(2026, 1, 13, 12);
const WORDS = 'harbour ferry tide lamp copper orchard ledger meadow bridge signal paper river cargo winter'.split(' ');

/** What a server sends to be asked with, of a page that it changed then. Only `stuck` is wrong. */
type Tagging = 'nothing' | 'etag' | 'date' | 'etag of the date' | 'stuck';

/** A server with a clock of its own, and a page that its author edits; it answers as RFC 9110 has it. */
class Server {
  lines = ['One of the', 'Two of the', 'Three of the', 'Four of the', 'Five of the'].map((line) => `${line} harbour.`);
  fault: 'none' | 'dns' | 'error' | 'challenge' | 'empty' = 'none';
  readonly tagging: Tagging;
  /** Milliseconds that its clock is ahead of the true time. */
  readonly aheadMs: number;
  /** What stood at each place so far. */
  readonly #texts: string[][] = this.lines.map((line) => [line]);
  #changedAt = BEGIN;
  #edits = 0;

  constructor(tagging: Tagging, aheadMs: number) {
    this.tagging = tagging;
    this.aheadMs = aheadMs;
  }

  edit(place: number, now: number): void {
    this.#edits += 1;
    const words = [7, 3, 1].map((step) => WORDS[(this.#edits * step) % WORDS.length]);
    const text = `The ${words.join(' ')} came after ${'so '.repeat(this.#edits)}long.`;
    this.#texts[place] = [...(this.#texts[place] ?? []), text];
    this.#put(place, text, now);
  }

  /** From A to B to A, and to B again. Three texts that take turns at a place are noise (`history.ts`), so they do not. */
  takeBack(place: number, now: number): void {
    const [first, second, third] = this.#texts[place] ?? [];
    if (first === undefined || second === undefined || third !== undefined) return;
    this.#put(place, this.lines[place] === first ? second : first, now);
  }

  #put(place: number, text: string, now: number): void {
    this.lines[place] = text;
    this.#changedAt = now;
  }

  answer({ validators: sent }: PageRequest, now: number): Fetched {
    if (this.fault === 'dns') return failure('dns');
    if (this.fault === 'error') return status(500);
    if (this.fault === 'empty') return body('<main></main>');
    if (this.fault === 'challenge') return body('<title>Just a moment...</title><p>Checking your browser.</p>');
    const validators = this.#validators();
    const isKnown = JSON.stringify(sent) === JSON.stringify(validators);
    if (validators && isKnown) return { outcome: 'not_modified', url, answer: answer(304), validators };
    const head = answer(200, { madeAt: seconds(now + this.aheadMs) });
    return body(page(...this.lines), { answer: head, ...(validators && { validators }) });
  }

  #validators(): Validators | undefined {
    if (this.tagging === 'nothing') return undefined;
    const lastModified = new Date(seconds(this.#changedAt + this.aheadMs)).toUTCString();
    const validators: Readonly<Record<Exclude<Tagging, 'nothing'>, Validators>> = {
      etag: { etag: JSON.stringify(this.lines.join(' ')) },
      date: { lastModified },
      'etag of the date': { etag: `"${lastModified}"`, lastModified },
      stuck: { etag: '"1"' },
    };
    return validators[this.tagging];
  }
}

const seconds = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

/** What happens between two checks, in its order: milliseconds after the one before, or at last, right before the next. */
const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('edit' as const), at: fc.nat(4), ms: fc.nat(900) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('edit at last' as const), at: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('take back' as const), at: fc.nat(4), ms: fc.nat(900) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      fault: fc.constantFrom('none', 'none', 'dns', 'error', 'challenge', 'empty'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clock' as const), hours: fc.constantFrom(-1, 1) }) },
);
const story = fc.record({
  tagging: fc.constantFrom<Tagging>('nothing', 'etag', 'date', 'etag of the date', 'stuck'),
  aheadMs: fc.constantFrom(0, -400, -30_000, 30_000, -300_000, 300_000),
  between: fc.array(fc.array(happening, { maxLength: 3 }), { minLength: 1, maxLength: 12 }),
});
type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

describe('a watch of a page that is edited at any time', () => {
  beforeEach(() => void vi.useFakeTimers({ now: BEGIN, toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  /** The watch's clock, and the true time, which do not go on alike where the clock was set. */
  class Life {
    readonly world = new WatchWorld();
    readonly server: Server;
    setMs = 0;
    #atLast: number[] = [];

    constructor({ tagging, aheadMs }: { readonly tagging: Tagging; readonly aheadMs: number }) {
      this.server = new Server(tagging, aheadMs);
      this.world.answer = (request) => this.server.answer(request, this.trueTime);
    }

    get trueTime(): number {
      return Date.now() - this.setMs;
    }

    async live(happenings: readonly Happening[]): Promise<void> {
      for (const happened of happenings) await this.#meet(happened);
    }

    async #meet(happened: Happening): Promise<void> {
      if (happened.kind === 'edit') this.server.edit(happened.at, this.trueTime + happened.ms);
      if (happened.kind === 'edit at last') this.#atLast.push(happened.at);
      if (happened.kind === 'take back') this.server.takeBack(happened.at, this.trueTime + happened.ms);
      if (happened.kind === 'fault') this.server.fault = happened.fault;
      if (happened.kind === 'clock') {
        this.setMs += happened.hours * HOUR;
        vi.setSystemTime(Date.now() + happened.hours * HOUR);
      }
      if (happened.kind === 'clock' || happened.kind === 'restart') await this.world.supply.bringForward(Date.now());
    }

    /** When it is due, and its host may be asked. */
    async check(): Promise<string | undefined> {
      vi.setSystemTime(Math.max(Date.now() + MINUTE / 10, (await this.world.known()).due));
      for (;;) {
        const [due] = await this.world.take(1);
        if (due?.kind === 'watch') {
          for (const place of this.#atLast.splice(0)) this.server.edit(place, this.trueTime);
          return (await check(due, this.world.stages(), new AbortController().signal)).report?.outcome;
        }
        vi.setSystemTime(Date.now() + 10 * MINUTE);
      }
    }
  }

  test('tells all that changed between two checks that read it, once, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ between, ...server }) => {
        vi.setSystemTime(BEGIN);
        const life = new Life(server);
        await life.world.add();
        expect(await life.check()).toBe('baseline');
        let seen = [...life.server.lines];
        for (const happenings of between) {
          await life.live(happenings);
          const outcome = await life.check();
          const [newest] = await life.world.entries();
          const { lines, fault, tagging } = life.server;
          // It says that nothing has changed, and for a day it is believed.
          const isHidden = tagging === 'stuck' && newest?.note === 'not_modified';
          const now = fault === 'none' && !isHidden ? [...lines] : seen;
          const expected = { ins: without(now, seen), del: without(seen, now) };
          seen = now;
          expect({ outcome, ...sorted(await life.world.change()) }).toEqual({
            outcome: fault !== 'none' ? 'failed' : expected.ins.length > 0 ? 'changed' : 'unchanged',
            ...sorted(expected),
          });
        }
      }),
      { numRuns: 300 },
    );
  });
});

interface Sides {
  readonly ins: readonly string[];
  readonly del: readonly string[];
}

const without = (lines: readonly string[], others: readonly string[]): string[] =>
  lines.filter((line) => !others.includes(line));
const sorted = (change: Sides | undefined): Sides => ({
  ins: change?.ins.toSorted() ?? [],
  del: change?.del.toSorted() ?? [],
});
