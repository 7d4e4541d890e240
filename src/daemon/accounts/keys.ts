import { findOne } from './lookup.ts';
import { hashSecret, newSecret, sameHash, shownPrefix } from './secrets.ts';
import type { Outside } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { Catalog, KeyRecord, MemberRecord } from '../storage/catalog.ts';
import { ACTIVE_KEYS_PER_ORGANIZATION } from '../../shared/limits.ts';

interface MintedKey {
  readonly record: KeyRecord;
  /** The key itself: shown once, kept nowhere. */
  readonly key: string;
}

/**
 * Management keys. A key belongs to the admin who made it and acts as that member; only its SHA-256 is kept, so a
 * lost key is replaced, not recovered. The last one may be revoked too: the operator's socket needs none.
 */
export class Keys {
  readonly #catalog: Catalog;
  readonly #outside: Outside;

  constructor(deps: { catalog: Catalog; outside: Outside }) {
    this.#catalog = deps.catalog;
    this.#outside = deps.outside;
  }

  async create(name: string, memberId: string): Promise<MintedKey> {
    return this.#catalog.update((draft) => {
      const member = draft.members.find((found) => found.id === memberId);
      if (!member) throw new Problem('not_found', { resource: 'member' });
      if (member.role !== 'admin') throw new Problem('admin_needed', { name: member.name });
      const active = draft.keys.filter((key) => key.organizationId === member.organizationId).length;
      if (active >= ACTIVE_KEYS_PER_ORGANIZATION) {
        throw new Problem('key_limit_reached', { limit: ACTIVE_KEYS_PER_ORGANIZATION });
      }
      const minted = mintKey(member, name.trim(), this.#outside);
      draft.keys.push(minted.record);
      return minted;
    });
  }

  list(organizationId: string): readonly KeyRecord[] {
    return this.#catalog.data.keys.filter((key) => key.organizationId === organizationId);
  }

  /** `wanted`: an id, a name, a shown prefix (`svcm_Ab3d`) or the beginning of an id; it must mean one key only. */
  async revoke(organizationId: string, wanted: string): Promise<void> {
    await this.#catalog.update((draft) => {
      const own = draft.keys.filter((key) => key.organizationId === organizationId);
      const { id } = findOne('management key', own, wanted, ({ prefix }) => prefix);
      draft.keys = draft.keys.filter((key) => key.id !== id);
    });
  }

  /** Undefined for a key that is unknown or was revoked. */
  authenticate(key: string): Manager | undefined {
    const hash = hashSecret(key);
    const found = this.#catalog.data.keys.find((record) => sameHash(record.hash, hash));
    return found && { kind: 'manager', organizationId: found.organizationId, memberId: found.memberId };
  }
}

export function mintKey(member: MemberRecord, name: string, outside: Outside): MintedKey {
  const key = newSecret('svcm_', outside);
  const record = {
    id: outside.uuid(),
    organizationId: member.organizationId,
    memberId: member.id,
    name,
    prefix: shownPrefix(key, 'svcm_'),
    hash: hashSecret(key),
    createdAt: new Date(outside.now()).toISOString(),
  };
  return { record, key };
}

/**
 * Who is asking. Two kinds of key exist (spec, Authentication): a management key acts as the member who made it,
 * a tap token acts for one tap. Every check of ownership in the daemon is made against one of these.
 */
export interface Manager {
  readonly kind: 'manager';
  readonly organizationId: string;
  readonly memberId: string;
}

export interface TapHolder {
  readonly kind: 'tap';
  readonly tapId: string;
  readonly organizationId: string;
}
