import type { RuleRegistration } from './rule-registration.ts';
import { Plans } from '../accounts/plans.ts';
import type { TapHolder } from '../accounts/keys.ts';
import { hashSecret, newSecret, type Seal, shownPrefix } from '../accounts/keys.ts';
import { type Outside, timestamp } from '../outside.ts';
import { Problem } from '../problem.ts';
import { StartFailure } from '../start-failure.ts';
import type { Catalog, CatalogData, RecordChange, TapRecord } from '../storage/catalog.ts';
import type { EventLog } from '../storage/event-log.ts';
import type { Tap, TapChange } from '../../shared/api/tap.ts';

/** Ends the open connections of a revoked tap at once. */
interface Streams {
  revoke(tapId: string): void;
}

/** `last_used_at` is written once a minute at most: a busy client sends many requests a second. */
const TOUCH_EVERY_MS = 60_000;

/**
 * Taps: what a client streams from, and the token it uses. A change is saved before it takes effect (rules registered or
 * unregistered, streams ended), so a crash in between leaves the state that a restart derives from the catalog anyway. The
 * token is looked up by its hash and also kept encrypted, because the specification lets its owner read it back; a hash alone
 * would be safer.
 */
export class Taps {
  readonly #catalog: Catalog;
  readonly #seal: Seal;
  readonly #registration: RuleRegistration;
  readonly #streams: Streams;
  readonly #eventLog: Pick<EventLog, 'drop'>;
  readonly #outside: Outside;
  readonly #plans: Plans;
  readonly #touched = new Map<string, number>();
  #index: { readonly of: readonly TapRecord[]; readonly byHash: ReadonlyMap<string, TapRecord> } | undefined;

  constructor(deps: {
    catalog: Catalog;
    seal: Seal;
    registration: RuleRegistration;
    streams: Streams;
    eventLog: Pick<EventLog, 'drop'>;
    outside: Outside;
    /** Absent: those of the specification. */
    plans?: Plans;
  }) {
    this.#catalog = deps.catalog;
    this.#seal = deps.seal;
    this.#registration = deps.registration;
    this.#streams = deps.streams;
    this.#eventLog = deps.eventLog;
    this.#outside = deps.outside;
    this.#plans = deps.plans ?? new Plans();
  }

  /** At a start: one clear error now is better than a list of taps that fails on first use. @throws {StartFailure} */
  checkSeals(): void {
    for (const tap of this.#catalog.data.taps) {
      try {
        this.#seal.open(tap.tokenSealed);
      } catch (cause) {
        const message =
          `the token of tap "${tap.name}" was sealed with a different secret than that of this data directory; ` +
          'restore the secret and the catalog from the same backup, or remove the tap from the catalog';
        throw new StartFailure('configuration', message, { cause });
      }
    }
  }

  list(organizationId: string): Tap[] {
    const { taps } = this.#catalog.data;
    return taps.filter((tap) => tap.organizationId === organizationId).map((tap) => this.#toWire(tap));
  }

  get(organizationId: string, id: string): Tap {
    return this.#toWire(owned(this.#catalog.data.taps, organizationId, id));
  }

  /** The answer contains the token in clear, as every later one does. */
  async create(organizationId: string, name: string): Promise<Tap> {
    const record: TapRecord = {
      id: this.#outside.uuid(),
      organizationId,
      name: name.trim(),
      status: 'active',
      ...newToken(this.#seal, this.#outside),
      createdAt: new Date(this.#outside.now()).toISOString(),
      lastUsedAt: null,
    };
    await this.#catalog.update((draft) => {
      checkActiveTaps(this.#plans, draft, organizationId);
      draft.taps.push(record);
    });
    return this.#toWire(record);
  }

  async change(organizationId: string, id: string, change: TapChange): Promise<Tap> {
    await this.#catalog.update((draft) => {
      const tap = owned(draft.taps, organizationId, id);
      if (change.status === 'active' && tap.status === 'paused') checkActiveTaps(this.#plans, draft, organizationId);
      tap.name = change.name?.trim() ?? tap.name;
      tap.status = change.status ?? tap.status;
    });
    this.#registration.sync(id);
    return this.get(organizationId, id);
  }

  async revoke(organizationId: string, id: string): Promise<void> {
    await this.#catalog.update((draft) => {
      owned(draft.taps, organizationId, id);
      draft.taps = draft.taps.filter((tap) => tap.id !== id);
      draft.rules = draft.rules.filter((rule) => rule.tapId !== id);
      draft.feeds = draft.feeds.filter(({ kind, of }) => kind !== 'tap' || of !== id);
    });
    this.#registration.sync(id);
    this.#endUse(id);
    await this.#eventLog.drop(id);
  }

  /** After changes by another process: a tap that was revoked there has its streams ended here. */
  follow(changes: readonly RecordChange[]): void {
    for (const { kind, id, after } of changes) if (kind === 'taps' && after === undefined) this.#endUse(id);
  }

  /** Undefined for a token that is unknown or was revoked. A paused tap's token stays valid. */
  byToken(token: string): TapHolder | undefined {
    const { taps } = this.#catalog.data;
    if (this.#index?.of !== taps) {
      this.#index = { of: taps, byHash: new Map(taps.map((tap) => [tap.tokenHash, tap])) };
    }
    // A table lookup takes longer for a near miss, but a guesser cannot choose the SHA-256 of a guess, so the time reveals nothing.
    const tap = this.#index.byHash.get(hashSecret(token));
    return tap && { kind: 'tap', tapId: tap.id, organizationId: tap.organizationId };
  }

  /** Notes that the tap was used now. */
  async touch(tapId: string): Promise<void> {
    const tap = this.#catalog.data.taps.find((found) => found.id === tapId);
    if (!tap) return;
    const now = this.#outside.now();
    const last = this.#touched.get(tapId) ?? (tap.lastUsedAt === null ? -Infinity : Date.parse(tap.lastUsedAt));
    // The distance, not the difference: after the clock was set back, updates must not stop until it has caught up.
    if (Math.abs(now - last) < TOUCH_EVERY_MS) return;
    this.#touched.set(tapId, now);
    await this.#catalog.update((draft) => {
      const used = draft.taps.find((found) => found.id === tapId);
      if (used) used.lastUsedAt = new Date(now).toISOString();
    });
  }

  #endUse(tapId: string): void {
    this.#streams.revoke(tapId);
    this.#touched.delete(tapId);
  }

  #toWire(tap: TapRecord): Tap {
    return {
      id: tap.id,
      name: tap.name,
      status: tap.status,
      token: this.#seal.open(tap.tokenSealed),
      token_prefix: tap.tokenPrefix,
      rules_count: this.#catalog.data.rules.filter((rule) => rule.tapId === tap.id).length,
      last_used_at: tap.lastUsedAt === null ? null : timestamp(Date.parse(tap.lastUsedAt)),
      created_at: timestamp(Date.parse(tap.createdAt)),
    };
  }
}

/** The organization's tap with this id, out of the catalog or a draft of it. */
function owned<Found extends { id: string; organizationId: string }>(
  taps: readonly Found[],
  organizationId: string,
  id: string,
): Found {
  const tap = taps.find((found) => found.id === id);
  if (!tap) throw new Problem('not_found', { resource: 'tap' });
  if (tap.organizationId !== organizationId) throw new Problem('forbidden', { resource: 'tap' });
  return tap;
}

/** Checked inside the update, so that two requests cannot both take the last free place. */
function checkActiveTaps(plans: Plans, data: CatalogData, organizationId: string): void {
  const organization = data.organizations.find((found) => found.id === organizationId);
  if (!organization) throw new Problem('not_found', { resource: 'organization' });
  const reached = plans.reached(organization, 'activeTaps');
  const active = data.taps.filter((tap) => tap.organizationId === organizationId && tap.status === 'active').length;
  if (active >= reached.limit) throw new Problem('tap_limit_reached', reached);
}

type Token = Pick<TapRecord, 'tokenPrefix' | 'tokenHash' | 'tokenSealed'>;

/** A new token in the form that the catalog keeps: prefix, hash, sealed. */
function newToken(seal: Seal, outside: Outside): Token {
  const token = newSecret('svc_', outside);
  return {
    tokenPrefix: shownPrefix(token, 'svc_'),
    tokenHash: hashSecret(token),
    tokenSealed: seal.seal(token),
  };
}

/** Replaces each token that was sealed with another secret; returns the new catalog and the names of these taps. */
export function withReadableTokens(
  data: CatalogData,
  seal: Seal,
  outside: Outside,
): { readonly data: CatalogData; readonly renewed: readonly string[] } {
  const lost = new Set(data.taps.filter((tap) => !isReadable(seal, tap)).map(({ id }) => id));
  const taps = data.taps.map((tap) => (lost.has(tap.id) ? Object.assign({}, tap, newToken(seal, outside)) : tap));
  return { data: { ...data, taps }, renewed: taps.filter(({ id }) => lost.has(id)).map(({ name }) => name) };
}

function isReadable(seal: Seal, { tokenSealed }: TapRecord): boolean {
  try {
    seal.open(tokenSealed);
    return true;
  } catch {
    return false;
  }
}
