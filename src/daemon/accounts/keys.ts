import { findOne } from './lookup.ts';
import type { Outside } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { Catalog, KeyRecord, MemberRecord } from '../storage/catalog.ts';
import { ACTIVE_KEYS_PER_ORGANIZATION } from '../../shared/limits.ts';
import { createCipheriv, createDecipheriv, createHash, hkdfSync, timingSafeEqual } from 'node:crypto';

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
    return managerOf(this.recordOf(key));
  }

  /** The same of a key that was authenticated before, by its id. */
  holder(id: string): Manager | undefined {
    return managerOf(this.#catalog.data.keys.find((record) => record.id === id));
  }

  /** Undefined for a key that is unknown or was revoked. */
  recordOf(key: string): KeyRecord | undefined {
    const hash = hashSecret(key);
    return this.#catalog.data.keys.find((record) => sameHash(record.hash, hash));
  }
}

function managerOf(record: KeyRecord | undefined): Manager | undefined {
  return record && { kind: 'manager', organizationId: record.organizationId, memberId: record.memberId };
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

/**
 * Management keys, tap tokens, the addresses of feeds, and the links and sessions of the web view: a prefix that says which it is, and 40 random characters, 238 bits.
 * So much randomness needs no slow hash: a plain SHA-256 cannot be searched, and one request costs one hash.
 */
type SecretPrefix = 'svcm_' | 'svc_' | 'svcf_' | 'svcl_' | 'svcs_';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 40;
/** Characters of the random part that may be shown, so that people recognize a key. */
const SHOWN = 4;
/** Bytes from here up are thrown away: 256 is no multiple of 62, and a plain remainder would favour A to H. */
const UNBIASED_BELOW = 256 - (256 % ALPHABET.length);

export function newSecret(prefix: SecretPrefix, outside: Outside): string {
  let letters = '';
  while (letters.length < LENGTH) {
    for (const byte of outside.randomBytes(LENGTH - letters.length)) {
      if (byte < UNBIASED_BELOW) letters += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return prefix + letters;
}

/** `svcm_`, `svc_` or `svcf_` and the first four characters. */
export function shownPrefix(secret: string, prefix: SecretPrefix): string {
  return secret.slice(0, prefix.length + SHOWN);
}

/** SHA-256, hex. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Takes the same time wherever two hashes differ. */
export function sameHash(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LEAST_SECRET_BYTES = 32;

/**
 * Keeps tap tokens readable for their owner (spec, Authentication 2), and secrets of sinks for the daemon, and for nobody who only
 * holds the catalog file: AES-256-GCM with a key derived from the instance's secret, which lies in a file of its own.
 * Form: `v1.` and base64url of nonce (12 bytes), tag (16) and ciphertext. Nonces are random: a collision becomes
 * likely after some 2^48 seals, and an instance makes one per tap.
 */
export class Seal {
  readonly #key: Uint8Array;
  readonly #outside: Outside;

  /** `secret`: at least 32 random bytes. `purpose`: what is sealed for one cannot be opened for another. */
  constructor(secret: Uint8Array, outside: Outside, purpose = 'hydrant tap tokens') {
    if (secret.length < LEAST_SECRET_BYTES) {
      throw new Error(`The instance's secret has ${secret.length} bytes; it needs at least ${LEAST_SECRET_BYTES}.`);
    }
    this.#key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), purpose, 32));
    this.#outside = outside;
  }

  seal(text: string): string {
    const nonce = this.#outside.randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url')}`;
  }

  /** @throws {Error} when it was altered, or sealed with another secret. */
  open(sealed: string): string {
    const [version, encoded = ''] = sealed.split('.', 2);
    const bytes = Buffer.from(encoded, 'base64url');
    if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('This is not a sealed token.');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const hidden = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8');
  }
}
