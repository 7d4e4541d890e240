import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { viewRoutes } from '../../../src/daemon/view/view.ts';
import { addNeighbour } from '../taps/house.ts';
import { OpenView } from './open-view.ts';

/** What a key may not see, whatever it asks for: the texts of these stand in no answer to it. */
const SECRET = 'of-the-neighbour';

let view: OpenView;
let ids: { readonly tap: string; readonly rule: string; readonly watch: string };
let own: { readonly tap: string; readonly rule: string; readonly watch: string };
const cookies: Record<string, string | undefined> = {};
beforeAll(async () => {
  view = await OpenView.open();
  const { house } = view;
  const neighbour = await addNeighbour(house.catalog, 'Business');
  const stranger = await house.keys.create('stranger', neighbour.memberId);
  ids = await things(neighbour, SECRET);
  own = await things(house.operator, 'own');
  // The second organization has the operator choose, who looks at the first one.
  cookies['operator'] = await view.operator();
  cookies['member'] = await view.member(house.key);
  cookies['stranger'] = await view.member(stranger.key);
  cookies['tap token'] = `hydrant-${new URL(view.url).port}=${house.taps.list(house.organizationId)[0]?.token}`;
  cookies['nobody'] = undefined;
});
afterAll(() => view.close());

async function things({ organizationId, memberId }: { organizationId: string; memberId: string }, name: string) {
  const { taps, rules, watches } = view.house;
  const tap = await taps.create(organizationId, `tap-${name}`);
  const { rule } = await rules.create(
    { kind: 'tap', tapId: tap.id, organizationId },
    { value: 'ferry', tag: `rule-${name}` },
  );
  const asking = { kind: 'manager', organizationId, memberId } as const;
  const watch = await watches.create(asking, { url: `https://${name}.example/`, frequency_minutes: 180 });
  return { tap: tap.id, rule: rule.id, watch: watch.id };
}

/** A path with the things of somebody in it. */
function filled(path: string, some: typeof ids): string {
  const isOfTap = path.startsWith('/taps/');
  return `/ui${path}`.replace(':tap', some.tap).replace(':id', isOfTap ? some.rule : some.watch);
}

const table = viewRoutes.map((route) => [`${route.method} ${route.path}`, route] as const);

describe('who may ask for what', () => {
  test.each(table)('%s: without a session leads to the sign-in', async (_, { method, path }) => {
    for (const asker of ['nobody', 'tap token']) {
      const { status, headers } = await view.ask(filled(path, own), {
        cookie: cookies[asker],
        ...(method === 'POST' && { form: {} }),
      });
      expect([asker, status, headers.get('location')]).toEqual([asker, 303, '/ui/sign-in']);
    }
  });

  test.each(table.filter(([, { who }]) => who === 'operator'))('%s: is the operator’s alone', async (_, route) => {
    const form = route.method === 'POST' ? { form: {} } : {};
    const { status, text } = await view.ask(filled(route.path, own), { cookie: cookies['member'], ...form });
    expect([status, text]).toEqual([403, expect.stringContaining('This is the operator’s')]);
  });

  test.each(table.filter(([, { path }]) => path.includes(':')))(
    '%s: of another organization is not there',
    async (_, route) => {
      const form =
        route.method === 'POST' ? { form: { status: 'paused', value: 'ship', frequency_minutes: '60' } } : {};
      const asked = filled(route.path, ids);
      const before = JSON.stringify(view.house.catalog.data);
      const { status, text } = await view.ask(asked, { cookie: cookies['member'], ...form });
      expect([403, 404]).toContain(status);
      expect(text).not.toContain(SECRET);
      expect(JSON.stringify(view.house.catalog.data)).toBe(before);
    },
  );

  test.each(table.filter(([, { method, path }]) => method === 'GET' && !path.includes(':')))(
    '%s: shows nothing of another organization',
    async (_, { path, who }) => {
      const mine = await view.ask(`/ui${path}`, { cookie: cookies['member'] });
      expect([mine.status, mine.text.includes(SECRET)]).toEqual([who === 'operator' ? 403 : 200, false]);
      const theirs = await view.ask(`/ui${path}`, { cookie: cookies['stranger'] });
      expect(theirs.text).not.toContain('tap-own');
      expect(theirs.text).not.toContain('own.example');
      const all = await view.ask(`/ui${path}`, { cookie: cookies['operator'] });
      expect([all.status, all.text.includes(`tap-${SECRET}`)]).toEqual([200, false]);
    },
  );

  test('a timeline of another’s tap is not there, and neither is its stream', async () => {
    for (const path of [`/ui/?tap=${ids.tap}`, `/ui/live?tap=${ids.tap}`]) {
      const { status, text } = await view.ask(path, { cookie: cookies['member'] });
      expect([path, status, text.includes(SECRET)]).toEqual([path, 403, false]);
    }
  });

  test('a member of the organization sees his own watches, as his key does, and the operator all', async () => {
    const { house } = view;
    const memberId = house.outside.uuid();
    await house.catalog.update((draft) => {
      const createdAt = '2026-02-27T00:00:00.000Z';
      draft.members.push({
        id: memberId,
        organizationId: house.organizationId,
        name: 'colleague',
        role: 'admin',
        createdAt,
      });
    });
    const colleague = await view.member((await house.keys.create('colleague', memberId)).key);
    expect((await view.ask('/ui/watches', { cookie: colleague })).text).not.toContain('own.example');
    expect((await view.ask('/ui/watches', { cookie: cookies['member'] })).text).toContain('own.example');
    expect((await view.ask('/ui/watches', { cookie: cookies['operator'] })).text).toContain('own.example');
  });

  test('the operator chooses the organization; who has a key does not', async () => {
    const { house } = view;
    const other = house.accounts.organizations.list().find(({ id }) => id !== house.organizationId)?.id ?? '';
    for (const asker of ['operator', 'member']) {
      const { status } = await view.ask('/ui/organization', { cookie: cookies[asker], form: { organization: other } });
      expect(status).toBe(303);
    }
    expect((await view.ask('/ui/rules', { cookie: cookies['operator'] })).text).toContain(`tap-${SECRET}`);
    expect((await view.ask('/ui/rules', { cookie: cookies['member'] })).text).not.toContain(`tap-${SECRET}`);
  });
});

test('what opens a session is on the operator’s socket, and there is no route of the view without the setting', async () => {
  const { createServer } = await import('../../../src/daemon/http/server.ts');
  const { RecordingLog } = await import('../http/api.ts');
  const without = createServer({ ...view.house, log: new RecordingLog() });
  for (const url of ['/ui', '/ui/', '/ui/sign-in', '/admin/ui/links', '/admin/ui/sessions']) {
    expect((await without.inject({ method: 'GET', url })).statusCode).toBe(404);
    expect((await without.inject({ method: 'POST', url })).statusCode).toBe(404);
  }
  expect((await view.ask('/admin/ui/links', { form: {} })).status).toBe(404);
});
