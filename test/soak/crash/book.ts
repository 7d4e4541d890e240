import type { Findings } from './findings.ts';

/** What something was, and when: it began between `since` and `sure`, and ended between `until` and `gone`. */
interface State {
  /** Undefined: there is none. */
  readonly value: string | undefined;
  readonly since: number;
  /** Infinity as long as it is not acknowledged. */
  sure: number;
  until: number;
  gone: number;
}

/**
 * What a client wrote, and what it was told of it. A write that was acknowledged has to be there in each later life; one
 * that was refused has not; of one whose answer never came either may be, and the next look settles which.
 */
export class Book {
  readonly #name: string;
  readonly #findings: Findings;
  readonly #states = new Map<string, State[]>();
  readonly #ids = new Map<string, string>();
  /** Why a write of a key was taken for not made, for whoever reads that it was made after all. */
  readonly #unmade = new Map<string, string>();
  acknowledged = 0;

  constructor(name: string, findings: Findings) {
    this.#name = name;
    this.#findings = findings;
  }

  /** Keys with a value, of which nothing is in doubt. */
  get settled(): string[] {
    return [...this.#states].flatMap(([key, states]) => {
      const last = states.at(-1);
      return last?.value !== undefined && last.sure !== Infinity ? [key] : [];
    });
  }

  /** Nobody has said yet whether its last write has happened. */
  isInDoubt(key: string): boolean {
    return this.#states.get(key)?.at(-1)?.sure === Infinity;
  }

  id(key: string): string {
    return this.#ids.get(key) ?? '';
  }

  /** `send` answers the status and, of something new, its id; undefined where no answer came. */
  async write(
    key: string,
    value: string | undefined,
    send: () => Promise<{ readonly status: number; readonly id?: string } | undefined>,
  ): Promise<number | undefined> {
    const states = this.#states.get(key) ?? [ABSENT()];
    this.#states.set(key, states);
    const before = states.at(-1);
    const next: State = { value, since: performance.now(), sure: Infinity, until: Infinity, gone: Infinity };
    if (before) before.until = next.since;
    states.push(next);
    const answer = await send();
    if (answer === undefined || answer.status >= 500) return answer?.status;
    if (answer.status >= 400) {
      this.#unmade.set(key, `refused with ${answer.status}`);
      this.#undo(states);
      return answer.status;
    }
    this.#settle(states);
    if (answer.id !== undefined) this.#ids.set(key, answer.id);
    this.acknowledged += 1;
    return answer.status;
  }

  /** Holds the book against what the daemon says there is, while nothing is being written. */
  look(listed: ReadonlyMap<string, { readonly id: string; readonly value: string }>): void {
    for (const [key, states] of this.#states) {
      const found = listed.get(key);
      if (found) this.#ids.set(key, found.id);
      this.#compare(key, states, found?.value);
    }
    for (const [key, { value }] of listed) {
      if (this.#states.has(key)) continue;
      this.#findings.contradict(`${this.#name} ${key} (${value}) was made by nobody`);
      this.#states.set(key, [{ ...ABSENT(), value }]);
    }
  }

  /** Values that a key had during all of a time: one, or none where it changed or nothing is sure. */
  throughout(from: number, to: number): Map<string, string> {
    const found = new Map<string, string>();
    for (const [key, states] of this.#states) {
      const state = states.find(({ sure, until }) => sure <= from && until >= to);
      if (state?.value !== undefined) found.set(key, state.value);
    }
    return found;
  }

  /** Values that a key may have had at some moment of a time. */
  within(from: number, to: number): { readonly key: string; readonly value: string }[] {
    return [...this.#states].flatMap(([key, states]) =>
      states.flatMap(({ value, since, gone }) =>
        value !== undefined && since <= to && gone >= from ? [{ key, value }] : [],
      ),
    );
  }

  #compare(key: string, states: State[], found: string | undefined): void {
    const last = states.at(-1);
    if (last === undefined) return;
    const isSure = last.sure !== Infinity;
    if (found === last.value) {
      if (!isSure) this.#settle(states);
      return;
    }
    const before = states.at(-2);
    if (!isSure && found === before?.value) {
      this.#unmade.set(key, `not answered, and not there in ${this.#findings.when}`);
      this.#undo(states);
      return;
    }
    const wanted = isSure ? shown(last.value) : `${shown(before?.value)} or ${shown(last.value)}`;
    const unmade = this.#unmade.get(key);
    const since = unmade === undefined ? '' : `; a write of it was ${unmade}`;
    this.#findings.lose(`${this.#name} ${key} is ${shown(found)}, and was acknowledged as ${wanted}${since}`);
    // Told once.
    states.push({ ...ABSENT(), value: found });
  }

  #settle(states: readonly State[]): void {
    const at = performance.now();
    const [before, last] = [states.at(-2), states.at(-1)];
    if (last) last.sure = at;
    if (before) before.gone = at;
  }

  #undo(states: State[]): void {
    states.pop();
    const last = states.at(-1);
    if (last) last.until = Infinity;
  }
}

const ABSENT = (): State => ({ value: undefined, since: -Infinity, sure: -Infinity, until: Infinity, gone: Infinity });

function shown(value: string | undefined): string {
  return value === undefined ? 'not there' : `“${value}”`;
}
