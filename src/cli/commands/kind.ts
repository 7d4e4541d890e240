import type { Tap } from '../../shared/api/tap.ts';
import { type Client, findTap } from '../client/client.ts';
import { YamlFields, type YamlText } from './yaml-text.ts';

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
  readonly plan: () => Promise<{ readonly steps: readonly Step[]; readonly strays: readonly Step[] }>;
}

export interface Step {
  readonly sign: '+' | '~' | '-';
  readonly noun: string;
  readonly name: string;
  /** The fields that change. */
  readonly fields: readonly string[];
  /** Where the file asks for it; undefined for what it does not name. */
  readonly line: number | undefined;
  readonly do: () => Promise<unknown>;
}

/** The daemon, and what the sections of a file tell each other of it. */
export class World {
  readonly client: Client;
  /** What the file is going to make: names of taps, and the texts of saved filters by name. */
  readonly taps = new Set<string>();
  readonly filters = new Map<string, string>();
  #taps: Promise<readonly Tap[]> | undefined;

  constructor(client: Client) {
    this.client = client;
  }

  /** Those that there are; asked for once. */
  knownTaps(): Promise<readonly Tap[]> {
    return (this.#taps ??= this.client.taps());
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
): Promise<{ steps: Step[]; strays: Step[] }> {
  for (const entry of placed) await terms.check?.(entry, world);
  const present = await terms.present(world);
  const items = placed.map(({ item }) => item);
  const pairs = terms.pair?.(items, present) ?? byName(items, present, terms.nameOf);
  const { noun, nameOf } = terms;
  const steps = placed.flatMap(({ item, line }): Step[] => {
    const there = pairs.get(item);
    const about = { noun, name: nameOf(item), line };
    if (there === undefined) return [{ ...about, sign: '+', fields: [], do: () => terms.add(world, item) }];
    const fields = terms.differing(item, there);
    if (fields.length === 0) return [];
    return [{ ...about, sign: '~', fields, do: () => terms.change(world, item, there) }];
  });
  const spoken = new Set(pairs.values());
  const strays = present
    .filter((one) => !spoken.has(one))
    .map((one): Step => {
      return { sign: '-', noun, name: nameOf(one), fields: [], line: undefined, do: () => terms.remove(world, one) };
    });
  return { steps, strays };
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
