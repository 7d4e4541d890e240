import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Accounts } from '../accounts/accounts.ts';
import type { Keys } from '../accounts/keys.ts';
import { organizationOf } from '../http/auth.ts';
import { pathId } from '../http/path-id.ts';
import { timestamp } from '../outside.ts';
import type { KeyRecord, MemberRecord } from '../storage/catalog.ts';
import { type Key, type KeyCreated, KeyCreation } from '../../shared/api/organization.ts';

/** `/admin/keys`: the management keys of an organization. */
export function keyRoutes(app: FastifyInstance, keys: Keys, { organizations, members }: Accounts): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.route({
    method: 'GET',
    url: '/admin/keys',
    handler: async (request) => {
      const { id } = organizations.find(organizationOf(request));
      return { data: keys.list(id).map((key) => toWire(key, members.list(id))) };
    },
  });
  routes.route({
    method: 'POST',
    url: '/admin/keys',
    schema: { body: KeyCreation },
    handler: async (request, reply) => {
      const { organizationId, memberId } = organizations.operator(organizationOf(request));
      const { name, member } = request.body;
      const holder = member === undefined ? memberId : members.find(organizationId, member).id;
      const { record, key } = await keys.create(name, holder);
      const data = toWire(record, members.list(organizationId));
      return reply.code(201).send({ data, key } satisfies KeyCreated);
    },
  });
  routes.route({
    method: 'DELETE',
    url: '/admin/keys/:id',
    schema: { params: pathId },
    handler: async (request, reply) => {
      await keys.revoke(organizations.find(organizationOf(request)).id, request.params.id);
      return reply.code(204).send();
    },
  });
}

function toWire({ id, name, prefix, memberId, createdAt }: KeyRecord, members: readonly MemberRecord[]): Key {
  const member = members.find((one) => one.id === memberId)?.name ?? '';
  return { id, name, prefix, member, created_at: timestamp(Date.parse(createdAt)) };
}
