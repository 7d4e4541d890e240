import { findOne } from './lookup.ts';
import type { Outside } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { Catalog, CatalogData, Draft, MemberRecord } from '../storage/catalog.ts';
import { MEMBERS_PER_ORGANIZATION } from '../../shared/limits.ts';

/**
 * The members of an organization. An admin may have management keys, which act as that member; other members may not (spec,
 * Authentication 1). Removing a member, or making an admin a plain member, deletes their keys in the same write. Taps belong to
 * the organization, so their tokens and open streams stay; watches belong to the member. The last admin cannot be removed.
 */
export class Members {
  readonly #catalog: Catalog;
  readonly #outside: Outside;
  readonly #followers: ((memberId: string) => Promise<void>)[] = [];

  constructor(deps: { catalog: Catalog; outside: Outside }) {
    this.#catalog = deps.catalog;
    this.#outside = deps.outside;
  }

  list(organizationId: string): readonly MemberRecord[] {
    return ofOrganization(this.#catalog.data, organizationId);
  }

  /** `wanted`: an id, a name or the beginning of an id. @throws {Problem} */
  find(organizationId: string, wanted: string): MemberRecord {
    return findOne('member', this.list(organizationId), wanted);
  }

  async add(organizationId: string, given: string, role: MemberRecord['role']): Promise<MemberRecord> {
    const name = given.trim();
    const createdAt = new Date(this.#outside.now()).toISOString();
    const member: MemberRecord = { id: this.#outside.uuid(), organizationId, name, role, createdAt };
    await this.#catalog.update((draft) => {
      const others = ofOrganization(draft, organizationId);
      if (others.some((other) => other.name === name)) {
        throw new Problem('invalid_field', { field: 'name', message: `There is a member "${name}" already.` });
      }
      if (others.length >= MEMBERS_PER_ORGANIZATION) {
        throw new Problem('member_limit_reached', { limit: MEMBERS_PER_ORGANIZATION });
      }
      draft.members.push(member);
    });
    return member;
  }

  async setRole(organizationId: string, wanted: string, role: MemberRecord['role']): Promise<MemberRecord> {
    return this.#catalog.update((draft) => {
      const member = findOne('member', ofOrganization(draft, organizationId), wanted);
      if (role === 'member') {
        checkLastAdmin(draft, member);
        dropKeys(draft, member.id);
      }
      member.role = role;
      return structuredClone(member);
    });
  }

  async remove(organizationId: string, wanted: string): Promise<void> {
    const memberId = await this.#catalog.update((draft) => {
      const member = findOne('member', ofOrganization(draft, organizationId), wanted);
      checkLastAdmin(draft, member);
      dropKeys(draft, member.id);
      draft.members = draft.members.filter(({ id }) => id !== member.id);
      return member.id;
    });
    for (const follow of this.#followers) await follow(memberId);
  }

  /** Called after each removal, once it is saved: what is a member's own goes too, and who removes him waits for it. */
  onRemoved(follower: (memberId: string) => Promise<void>): void {
    this.#followers.push(follower);
  }
}

function ofOrganization<Data extends { members: readonly MemberRecord[] }>(
  { members }: Data,
  organizationId: string,
): Data['members'][number][] {
  return members.filter((member) => member.organizationId === organizationId);
}

function dropKeys(draft: Draft<CatalogData>, memberId: string): void {
  draft.keys = draft.keys.filter((key) => key.memberId !== memberId);
}

function checkLastAdmin(data: CatalogData, member: MemberRecord): void {
  if (member.role !== 'admin') return;
  const admins = ofOrganization(data, member.organizationId).filter(({ role }) => role === 'admin');
  if (admins.length === 1) throw new Problem('last_admin', { name: member.name });
}
