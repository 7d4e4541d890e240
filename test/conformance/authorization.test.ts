import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiDocument } from './api-document.ts';
import { type Asker, ASKERS, type Scene } from './askers.ts';
import { type Route, routesOf } from './routes.ts';
import type { Api } from '../daemon/http/api.ts';
import { HOOK_MS, onEachStore } from './stores.ts';
import { addNeighbour } from '../daemon/taps/house.ts';
import { FEED_ROUTE } from '../../src/daemon/http/feeds.ts';
import { outside } from '../../src/daemon/outside.ts';

/**
 * Every route of the router × everything that can stand in its Authorization header. What is expected comes from one
 * table by the route's path; a route that the table does not know fails here, so that none is ever added without it.
 */

type Needs = 'management key' | 'tap token' | 'nothing';
interface Access {
  readonly needs: Needs;
  /** What `:id` names. */
  readonly resource?: 'tap' | 'rule' | 'watch';
}

const ACCESS: Readonly<Record<string, Access>> = {
  '/v1/taps': { needs: 'management key' },
  '/v1/taps/:id': { needs: 'management key', resource: 'tap' },
  '/v1/rules': { needs: 'tap token' },
  '/v1/rules/:id': { needs: 'tap token', resource: 'rule' },
  '/v1/stream': { needs: 'tap token' },
  '/v1/url-watch': { needs: 'management key' },
  '/v1/url-watch/:id': { needs: 'management key', resource: 'watch' },
  '/v1/validate': { needs: 'tap token' },
  '/v1/validate/public': { needs: 'nothing' },
  '/': { needs: 'nothing' },
  '/openapi.json': { needs: 'nothing' },
  '/docs': { needs: 'nothing' },
};

/** The one rule (docs/conformance.md: Authentication, Errors). */
function expected({ needs, resource }: Access, { kind, stands }: Asker, success: number): number {
  if (needs === 'nothing') return success;
  if (kind !== needs) return 401;
  if (resource === undefined || stands === 'owner') return success;
  // A watch is its member's alone (spec: URL Watch).
  if (resource === 'watch') return 404;
  if (stands === 'stranger') return 403;
  // A management key acts for its organization's taps; a tap token for its own rules alone.
  return resource === 'tap' ? success : 404;
}

const BODIES: Readonly<Record<string, object>> = {
  'POST /v1/taps': { name: 'made here' },
  'PUT /v1/taps/:id': { name: 'renamed' },
  'POST /v1/rules': { value: 'ferry' },
  'PUT /v1/rules/:id': { tag: 'boats' },
  'POST /v1/url-watch': { url: 'https://example.org/made-here', frequency_minutes: 60 },
  'PUT /v1/url-watch/:id': { frequency_minutes: 30 },
  'POST /v1/validate': { query: 'ferry' },
  'POST /v1/validate/public': { query: 'ferry' },
};

let api: Api;
let document: ApiDocument;
let routes: readonly Route[];

/** Keys of two organizations and two members, made once. */
async function people() {
  const { keys, catalog, organizationId, operator, key } = api.house;
  const revoked = await keys.create('revoked', operator.memberId);
  await keys.revoke(organizationId, revoked.record.id);
  const memberId = outside.uuid();
  await catalog.update((draft) => {
    const createdAt = '2026-02-27T00:00:00.000Z';
    draft.members.push({ id: memberId, organizationId, name: 'colleague', role: 'admin', createdAt });
  });
  const colleague = await keys.create('colleague', memberId);
  const neighbour = await addNeighbour(catalog, 'Business');
  const stranger = await keys.create('stranger', neighbour.memberId);
  return {
    key,
    keyHash: catalog.data.keys[0]?.hash ?? '',
    revokedKey: revoked.key,
    colleagueKey: colleague.key,
    strangerKey: stranger.key,
    strangerOrganizationId: neighbour.organizationId,
  };
}

/** A tap with a rule, other taps around it, and a watch; `clear` takes all of it away again. */
async function taps(strangerOrganizationId: string) {
  const { organizationId } = api.house;
  const own = await api.newTap('own');
  const colleague = await api.newTap('colleague');
  const revoked = await api.newTap('revoked');
  await api.house.taps.revoke(organizationId, revoked.id);
  const stranger = await api.house.taps.create(strangerOrganizationId, 'stranger');
  const { rule } = await api.house.rules.create({ kind: 'tap', tapId: own.id, organizationId }, { value: 'ferry' });
  const watched = { url: 'https://example.org/', frequency_minutes: 60 };
  const watch = await api.house.watches.create(api.house.operator, watched);
  const scene = {
    watchId: watch.id,
    tapId: own.id,
    ruleId: rule.id,
    token: own.token,
    revokedToken: revoked.token,
    colleagueToken: colleague.token,
    strangerToken: stranger.token,
  };
  return {
    scene,
    clear: async () => {
      for (const organization of [organizationId, strangerOrganizationId]) {
        for (const tap of api.house.taps.list(organization)) await api.house.taps.revoke(organization, tap.id);
        await api.house.storage.watches.removeWatchesOf({ organizationId: organization });
      }
    },
  };
}

async function ask({ method, path }: Route, asker: Asker, scene: Scene) {
  const authorization = asker.authorization(scene);
  const body = BODIES[`${method} ${path}`];
  const ids = { tap: scene.tapId, rule: scene.ruleId, watch: scene.watchId };
  const id = ids[ACCESS[path]?.resource ?? 'tap'];
  const response = await fetch(api.url + path.replace(':id', id), {
    method,
    headers: authorization === undefined ? {} : { authorization },
    ...(body && { body: JSON.stringify(body) }),
  });
  // A stream that is open says nothing more.
  const isStream = response.headers.get('content-type') === 'text/event-stream; charset=utf-8';
  if (isStream) await response.body?.cancel();
  const text = isStream ? '' : await response.text();
  return { status: response.status, headers: response.headers, text };
}

/** A refusal in another form than the document's, or with a part of a key in it, whosever. */
function faultsOf({ method, path }: Route, scene: Scene, answer: { status: number; headers: Headers; text: string }) {
  const { status, headers, text } = answer;
  const faults = document.faultOf(method, path, { status, body: JSON.parse(text) as unknown });
  const said = text + JSON.stringify([...headers]);
  const secrets = Object.values(scene).filter((value) => /^svcm?_|^[0-9a-f]{64}$/.test(value));
  if (secrets.some((secret) => said.includes(secret.slice(-12)))) faults.push(`${method} ${path} repeats a secret`);
  const challenges = headers.get('www-authenticate') !== null;
  if (challenges !== (status === 401)) faults.push(`${method} ${path} answers ${status} and challenges: ${challenges}`);
  return faults;
}

onEachStore((open) => {
  beforeAll(async () => {
    api = await open({ publicValidateRate: 1_000 });
    document = await ApiDocument.of(api);
    // A feed's key is its path: test/daemon/http/feeds.test.ts asks for it as each of these askers.
    routes = routesOf(api.server).filter(({ path }) => path !== FEED_ROUTE);
  }, HOOK_MS);
  afterAll(() => api.close(), HOOK_MS);

  describe('the authorization matrix', () => {
    test('knows every route, and no route that there is not', () => {
      const paths = new Set(routes.map(({ path }) => path));
      expect(Object.keys(ACCESS).toSorted()).toEqual([...paths].toSorted());
    });

    test('every route answers every asker as the one rule says, in the documented form, and repeats no secret', async () => {
      const { strangerOrganizationId, ...keys } = await people();
      const found: string[] = [];
      const wanted: string[] = [];
      const faults: string[] = [];
      let made = await taps(strangerOrganizationId);
      for (const route of routes) {
        const access = ACCESS[route.path];
        if (!access) continue;
        const success = Object.keys(document.operation(route.method, route.path).responses)[0];
        for (const asker of ASKERS) {
          // Nobody is refused for asking often.
          api.house.clock.ms += 60_000;
          const scene = { ...keys, ...made.scene };
          const { status, headers, text } = await ask(route, asker, scene);
          const line = `${route.method} ${route.path} by ${asker.name}`;
          found.push(`${line}: ${status}`);
          wanted.push(`${line}: ${expected(access, asker, Number(success))}`);
          if (status >= 400) faults.push(...faultsOf(route, scene, { status, headers, text }));
          if (status >= 400 || route.method === 'GET') continue;
          await made.clear();
          made = await taps(strangerOrganizationId);
        }
      }
      expect(found).toEqual(wanted);
      expect(faults).toEqual([]);
      expect(found.length).toBe(routes.length * ASKERS.length);
      expect(api.log.lines).toEqual([]);
    }, 120_000);

    test('an id that nobody has is a 404, in whatever form', async () => {
      const { token } = await api.newTap();
      for (const { method, path } of routes.filter((route) => route.path.includes(':id'))) {
        const key = ACCESS[path]?.needs === 'tap token' ? token : api.house.key;
        for (const id of [
          '00000000-0000-4000-8000-000000000000',
          'none',
          '1',
          '%00',
          '..%2f..',
          '%F0%9F%A6%A9',
          '__proto__',
        ]) {
          const answer = await api.call(method, path.replace(':id', id), key, BODIES[`${method} ${path}`]);
          expect(`${method} ${path} ${id}: ${answer.status}`).toBe(`${method} ${path} ${id}: 404`);
          expect(document.faultOf(method, path, answer)).toEqual([]);
        }
      }
    });
  });
});
