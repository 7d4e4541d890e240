import { validate } from '../../src/shared/query/validate.ts';
import { print } from '../../src/shared/query/syntax/print.ts';

/** The service as one would explain it: lists, and sentences about them. No limits but those that are tested. */
export interface ModelOrganization {
  readonly id: string;
  activeTaps: number;
  rules: number;
  isUnlimited: boolean;
  /** In thousandths, and milliseconds since 1970. */
  grants: { left: number; readonly expiresAt: number }[];
}

/** Of a match, in thousandths of a credit. */
export const PRICE = 5;

export interface ModelKey {
  readonly organization: ModelOrganization;
  readonly id: string;
  readonly key: string;
  isRevoked: boolean;
}

export interface ModelTap {
  readonly organization: ModelOrganization;
  readonly id: string;
  readonly token: string;
  name: string;
  status: 'active' | 'paused';
  isRevoked: boolean;
  /** By their offsets. */
  readonly events: string[];
  /** What was paid for an event, by its offset: those that were delivered, and no other. */
  readonly prices: Map<number, number>;
}

export interface ModelRule {
  readonly tap: ModelTap;
  readonly id: string;
  value: string;
  tag: string | undefined;
  quality: boolean;
  nsfw: boolean;
  isGone: boolean;
}

export interface ModelFilter {
  readonly organization: ModelOrganization;
  readonly name: string;
  value: string;
}

type PickedList = 'organizations' | 'keys' | 'taps' | 'rules';

/** Ids, of filters their names. */
export type Records = Readonly<Record<'taps' | 'rules' | 'filters', readonly string[]>>;

/** What is gone stays in the lists of taps, keys and rules, so that requests for it go on. */
export class Model {
  readonly organizations: ModelOrganization[] = [];
  readonly keys: ModelKey[] = [];
  readonly taps: ModelTap[] = [];
  readonly rules: ModelRule[] = [];
  filters: ModelFilter[] = [];
  /** How long the lists were when steps were chosen that are taken at once; undefined: as long as they are. */
  #shown: Readonly<Record<PickedList, number>> | undefined;

  /** One of a list, by a number that was drawn before anyone knew how long the list would be. */
  pick<List extends PickedList>(list: List, index: number): Model[List][number] {
    const items = this[list];
    const item = items[index % (this.#shown?.[list] ?? items.length)];
    if (item === undefined) throw new Error(`there are no ${list}`);
    return item;
  }

  /** To try a step on, or several that were chosen at the same moment. */
  copy(): Model {
    const { organizations, keys, taps, rules, filters } = this;
    const copy = Object.assign(new Model(), structuredClone({ organizations, keys, taps, rules, filters }));
    copy.#shown = {
      organizations: organizations.length,
      keys: keys.length,
      taps: taps.length,
      rules: rules.length,
    };
    return copy;
  }

  /** What became of a copy is what is. */
  become({ organizations, keys, taps, rules, filters }: Model): void {
    Object.assign(this, { organizations, keys, taps, rules, filters });
  }

  tapsOf(organization: ModelOrganization): ModelTap[] {
    return this.taps.filter((tap) => tap.organization === organization && !tap.isRevoked);
  }

  rulesOf(tap: ModelTap): ModelRule[] {
    return this.rules.filter((rule) => rule.tap === tap && !rule.isGone);
  }

  hasRoomForTap(organization: ModelOrganization): boolean {
    return this.tapsOf(organization).filter((tap) => tap.status === 'active').length < organization.activeTaps;
  }

  hasRoomForRule(organization: ModelOrganization): boolean {
    const all = this.tapsOf(organization).flatMap((tap) => this.rulesOf(tap));
    return all.length < organization.rules;
  }

  filter(organization: ModelOrganization, name: string): ModelFilter | undefined {
    return this.filters.find((filter) => filter.organization === organization && filter.name === name);
  }

  /** The rules that refer to a filter. The queries of the model have a `$` where a reference begins, and nowhere else. */
  uses(organization: ModelOrganization, name: string): ModelRule[] {
    const all = this.tapsOf(organization).flatMap((tap) => this.rulesOf(tap));
    return all.filter((rule) => namesIn(rule.value).includes(name));
  }

  /** A query with its filters written out; undefined where one of them is unknown. */
  expanded(organization: ModelOrganization, query: string): string | undefined {
    if (namesIn(query).some((name) => !this.filter(organization, name))) return undefined;
    return query.replaceAll(REFERENCE, (_, name: string) => `(${this.filter(organization, name)?.value ?? ''})`);
  }

  isAccepted(organization: ModelOrganization, query: string): boolean {
    const text = this.expanded(organization, query);
    return text !== undefined && validate(text).valid;
  }

  /** Pays for what was not paid before, as far as the balance goes: how far that is. */
  pay({ organization, prices }: ModelTap, from: number, to: number, now: number): number {
    for (let offset = from; offset < to; offset += 1) {
      if (prices.has(offset)) continue;
      const price = organization.isUnlimited ? 0 : PRICE;
      if (balanceOf(organization, now) < price) return offset;
      spend(organization, price, now);
      prices.set(offset, price);
    }
    return to;
  }

  /** What there is, in the order in which it was made. */
  get records(): Records {
    const taps = this.taps.filter((tap) => !tap.isRevoked);
    const rules = this.rules.filter((rule) => !rule.isGone);
    return {
      taps: taps.map(({ id }) => id),
      rules: rules.map(({ id }) => id),
      filters: this.filters.map(({ organization, name }) => `${organization.id} ${name}`),
    };
  }

  /** What is registered, as the system tells it: the rules of active taps, and no other. */
  get registered(): ReadonlyMap<string, string> {
    const active = this.taps.filter((tap) => tap.status === 'active' && !tap.isRevoked);
    const rules = active.flatMap((tap) => this.rulesOf(tap));
    return new Map(rules.map((rule) => [rule.id, registeredText(this, rule)]));
  }
}

export function liveGrants({ grants }: ModelOrganization, now: number): ModelOrganization['grants'] {
  return grants.filter(({ left, expiresAt }) => left > 0 && expiresAt > now);
}

export function balanceOf(organization: ModelOrganization, now: number): number {
  return liveGrants(organization, now).reduce((sum, { left }) => sum + left, 0);
}

/** The one that expires first is spent first; those that never do, last. */
function spend(organization: ModelOrganization, price: number, now: number): void {
  for (let due = price; due > 0; due -= 1) {
    const [first, ...others] = liveGrants(organization, now);
    const next = others.reduce((a, b) => (a && b.expiresAt < a.expiresAt ? b : a), first);
    if (next) next.left -= 1;
  }
}

function registeredText(model: Model, { tap, value, quality, nsfw }: ModelRule): string {
  const { query } = validate(model.expanded(tap.organization, value) ?? '');
  return `${tap.id} ${query ? print(query) : 'no query'} ${quality} ${nsfw}`;
}

const REFERENCE = /\$([\w-]+)/g;

function namesIn(query: string): string[] {
  return [...query.matchAll(REFERENCE)].map(([, name = '']) => name);
}
