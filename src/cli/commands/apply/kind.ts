import type { Source } from '../../../shared/api/crawl.ts';
import type { Tap } from '../../../shared/api/tap.ts';
import type { WatchReport } from '../../../shared/api/watch.ts';
import { type Client, inSteps } from '../../client/client.ts';
import { findTap } from '../../client/found.ts';
import type { Connection } from '../../runtime/context.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure } from '../../runtime/failure.ts';
import { YamlFields, type YamlText } from '../yaml-text.ts';

/**
 * What a file for `hydrant apply` may speak of: each kind is a section of it, a list. A kind knows how an entry of the
 * file is read, what is there already, which steps lead from the one to the other, and how they are done. The table of
 * them is `kinds.ts`; a new one is an entry there.
 */
export interface Kind {
  /** The section: `rules`. */
  readonly section: string;
  /** `rule` */
  readonly noun: string;
  /** Whether the operator alone may speak of it. */
  readonly isOperators: boolean;
  /** What is there, as the file has it; nothing of it is a secret. */
  readonly exported: (world: World) => Promise<object[]>;
  /** Reads the section. @throws {UsageError} with the line of what is wrong in it */
  readonly read: (world: World, text: YamlText, entries: readonly unknown[]) => Section;
}

/** A section that was read; no daemon was asked yet. */
export interface Section {
  /** From what is there to what the file says. `strays`: what is there, and not in the file. */
  readonly plan: () => Promise<Plan>;
}

export interface Plan {
  readonly steps: readonly Step[];
  readonly strays: readonly Step[];
  /** A sentence: what is permanently lost with the strays. */
  readonly lost?: string | undefined;
  /** Sentences: what no step can make so. */
  readonly notes?: readonly string[];
}

export interface Step {
  readonly sign: '+' | '~' | '-';
  readonly noun: string;
  readonly name: string;
  /** The fields that change. */
  readonly fields: readonly string[];
  /** What is shown of it: the fields, where the kind has no better words. */
  readonly words: readonly string[];
  /** Where the file asks for it; undefined for what it does not name. */
  readonly line: number | undefined;
  readonly do: () => Promise<unknown>;
  /** Steps with the same lot are done by it, together. */
  readonly lot?: Lot;
}

/** Does steps that need none of each other. @returns for each of them, in their order, why it was refused */
export type Lot = (tell: (done: number) => void) => Promise<readonly Refusal[]>;
export type Refusal = Failure | undefined;

/** The daemon, and what the sections of a file tell each other of it. */
export class World {
  readonly client: Client;
  /** Over its socket, and not with a management key. */
  readonly isOperator: boolean;
  /** What the file is going to make: names of taps, and the texts of saved filters by name. */
  readonly taps = new Set<string>();
  readonly filters = new Map<string, string>();
  #taps: Promise<readonly Tap[]> | undefined;
  #sources: Promise<readonly Source[]> | undefined;
  #watches: Promise<readonly WatchReport[]> | undefined;

  constructor(client: Client, { credential }: Pick<Connection, 'credential'>) {
    this.client = client;
    this.isOperator = credential.kind === 'operator';
  }

  /** Those that there are; asked for once. */
  knownTaps(): Promise<readonly Tap[]> {
    return (this.#taps ??= this.client.taps());
  }

  /** Those that there were at first; asked for once, as watches are. */
  knownSources(): Promise<readonly Source[]> {
    return (this.#sources ??= this.client.crawl.sources());
  }

  knownWatches(): Promise<readonly WatchReport[]> {
    return (this.#watches ??= this.client.watches.list());
  }

  /** Of a tap that may just have been made. */
  async tokenOf(tap: string): Promise<string> {
    const known = (await this.knownTaps()).find(({ name }) => name === tap);
    if (known) return known.token;
    this.#taps = undefined;
    return findTap(await this.knownTaps(), tap).token;
  }
}

/** An entry of the file, and where it stands. */
export interface Placed<Item> {
  readonly item: Item;
  readonly fields: YamlFields;
  readonly line: number;
}

export interface Terms<Item, Present> {
  readonly section: string;
  readonly noun: string;
  readonly isOperators?: boolean;
  readonly fields: readonly string[];
  readonly nameOf: (one: Item | Present) => string;
  readonly present: (world: World) => Promise<readonly Present[]>;
  readonly read: (fields: YamlFields, world: World) => Item;
  /** What only all sections together show, before anything is done. */
  readonly check?: (entry: Placed<Item>, world: World) => Promise<void>;
  /** Which entry speaks of which; absent: those of the same name, of which there is one. */
  readonly pair?: (wanted: readonly Item[], present: readonly Present[]) => ReadonlyMap<Item, Present>;
  /** Names of fields. */
  readonly differing: (wanted: Item, present: Present) => readonly string[];
  /** What is shown of a step that adds or changes. */
  readonly words?: (wanted: Item, present: Present | undefined) => readonly string[];
  /** Sentences: what the file says of one that is there, and no step can make so. */
  readonly notes?: (wanted: Item, present: Present) => readonly string[];
  /** A sentence: what goes with those that are removed. */
  readonly lost?: (removed: readonly Present[]) => string;
  /** Where no step needs another, and there are thousands: one that is refused keeps no other back. */
  readonly addAll?: (world: World, wanted: readonly Item[], tell: (done: number) => void) => Promise<Refusal[]>;
  readonly written: (present: Present) => object;
  readonly add: (world: World, wanted: Item) => Promise<unknown>;
  readonly change: (world: World, wanted: Item, present: Present) => Promise<unknown>;
  readonly remove: (world: World, present: Present) => Promise<unknown>;
}

export function kindOf<Item, Present>(terms: Terms<Item, Present>): Kind {
  const { section, noun, isOperators = false } = terms;
  return {
    section,
    noun,
    isOperators,
    exported: async (world) => (await terms.present(world)).map((one) => terms.written(one)),
    read: (world, text, entries) => {
      const placed = entries.map((entry, index): Placed<Item> => {
        const fields = new YamlFields(text, [section, index], entry, terms.fields);
        return { item: terms.read(fields, world), fields, line: fields.line };
      });
      if (!terms.pair) checkNames(placed, terms);
      return { plan: () => plan(world, placed, terms) };
    },
  };
}

function checkNames<Item, Present>(placed: readonly Placed<Item>[], { nameOf, noun }: Terms<Item, Present>): void {
  const lines = new Map<string, number>();
  for (const { item, fields, line } of placed) {
    const name = nameOf(item);
    const first = lines.get(name);
    const field = fields.has('url') ? 'url' : 'name';
    if (first !== undefined) throw fields.fault(field, `${noun} ${name} is in the file twice; first in line ${first}`);
    lines.set(name, line);
  }
}

async function plan<Item, Present>(
  world: World,
  placed: readonly Placed<Item>[],
  terms: Terms<Item, Present>,
): Promise<Plan> {
  for (const entry of placed) await terms.check?.(entry, world);
  const present = await terms.present(world);
  const items = placed.map(({ item }) => item);
  const pairs = terms.pair?.(items, present) ?? byName(items, present, terms.nameOf);
  const { noun, nameOf } = terms;
  const steps = placed.flatMap(({ item, line }): Step[] => {
    const there = pairs.get(item);
    const fields = there === undefined ? [] : terms.differing(item, there);
    if (there !== undefined && fields.length === 0) return [];
    const about = { noun, name: nameOf(item), line, fields, words: terms.words?.(item, there) ?? fields };
    if (there === undefined) return [{ ...about, sign: '+', do: () => terms.add(world, item) }];
    return [{ ...about, sign: '~', do: () => terms.change(world, item, there) }];
  });
  const spoken = new Set(pairs.values());
  const left = present.filter((one) => !spoken.has(one));
  const strays = left.map((one): Step => {
    const about = { noun, name: nameOf(one), fields: [], words: [], line: undefined };
    return { ...about, sign: '-', do: () => terms.remove(world, one) };
  });
  const lost = terms.lost?.(left);
  const notes = [...pairs].flatMap(([item, there]) => terms.notes?.(item, there) ?? []);
  const { addAll } = terms;
  if (!addAll) return { steps, strays, lost, notes };
  const unknown = items.filter((item) => !pairs.has(item));
  const adding: Lot = async (tell) => addAll(world, unknown, tell);
  const changing = lotOf(steps.filter(({ sign }) => sign === '~'));
  const removing = lotOf(strays);
  return {
    steps: steps.map((step) => inLot(step, step.sign === '+' ? adding : changing)),
    strays: strays.map((step) => inLot(step, removing)),
    lost,
    notes,
  };
}

function inLot(step: Step, lot: Lot): Step {
  return { ...step, lot };
}

function lotOf(steps: readonly Step[]): Lot {
  return async (tell) => inSteps(steps, async (step) => step.do().then(() => undefined, refusal), tell);
}

/** A daemon that is gone answers for no single step. */
export function refusal(error: unknown): Failure {
  if (error instanceof Failure && error.exitCode !== exitCode.unreachable) return error;
  throw error;
}

function byName<Item, Present>(
  wanted: readonly Item[],
  present: readonly Present[],
  nameOf: (one: Item | Present) => string,
): ReadonlyMap<Item, Present> {
  const known = new Map(present.map((one) => [nameOf(one), one]));
  return new Map(
    wanted.flatMap((item) => {
      const found = known.get(nameOf(item));
      return found === undefined ? [] : [[item, found] as const];
    }),
  );
}
