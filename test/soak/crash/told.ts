import type { Match } from '../../../src/shared/api/match.ts';
import type { Findings } from './findings.ts';
import { readTitle } from './versioned-page.ts';

export interface ToldEvent {
  readonly name: string;
  readonly version: number;
  readonly ruleIds: readonly string[];
  readonly data: string;
}

/** All that any client of a tap was ever told, by offset: what was said once is said again, word for word. */
export class Told {
  readonly tap: string;
  readonly events = new Map<number, ToldEvent>();
  readonly #findings: Findings;
  readonly #whenNew: (event: ToldEvent) => void;

  constructor(tap: string, findings: Findings, whenNew: (event: ToldEvent) => void = () => undefined) {
    this.tap = tap;
    this.#findings = findings;
    this.#whenNew = whenNew;
  }

  take(offset: number, data: string): void {
    const known = this.events.get(offset);
    if (known !== undefined) {
      if (known.data !== data) this.#findings.double(`${this.tap}: offset ${offset} was given twice`);
      return;
    }
    const { query_ids: ruleIds, document } = JSON.parse(data) as Match;
    const found = readTitle(document.title);
    if (found === undefined) {
      this.#findings.contradict(`${this.tap}: offset ${offset} is of no page of the harness: ${document.url}`);
      return;
    }
    const event = { ...found, ruleIds, data };
    this.events.set(offset, event);
    this.#whenNew(event);
  }

  /** Offsets without a gap, and the versions of each page in their order, each once. */
  check(): void {
    const newest = new Map<string, number>();
    for (let offset = 0; offset < this.events.size; offset += 1) {
      const event = this.events.get(offset);
      if (event === undefined) {
        this.#findings.lose(`${this.tap}: nobody was told of offset ${offset}`);
        continue;
      }
      const { name, version } = event;
      const before = newest.get(name) ?? -1;
      if (version === before) this.#findings.double(`${this.tap}: version ${version} of ${name}, at offset ${offset}`);
      if (version < before) this.#findings.disorder(`${this.tap}: version ${version} of ${name} after ${before}`);
      newest.set(name, Math.max(before, version));
    }
  }
}
