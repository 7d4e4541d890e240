import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VIEW_LINK_SECONDS, VIEW_SESSION_SECONDS, VIEW_SIGN_INS_A_MINUTE } from '../../../src/shared/limits.ts';
import { ViewSessions } from '../../../src/daemon/view/sessions.ts';
import { HeldOutside } from '../taps/house.ts';
import { cookieOf, OpenView } from './open-view.ts';

let view: OpenView;
beforeEach(async () => {
  view = await OpenView.open();
});
afterEach(() => view.close());

describe('sign-in', () => {
  test('is by a link, which is good once, and is spent by its button alone', async () => {
    const code = await view.link();
    for (let look = 0; look < 3; look += 1) {
      const { status, text } = await view.ask(`/ui/enter?code=${code}`);
      expect([status, text.includes(code)]).toEqual([200, true]);
    }
    const first = await view.ask('/ui/enter', { form: { code } });
    expect([first.status, first.headers.get('location')]).toEqual([303, '/ui/']);
    expect((await view.ask('/ui/', { cookie: cookieOf(first) })).status).toBe(200);
    const second = await view.ask('/ui/enter', { form: { code } });
    expect([second.status, second.headers.getSetCookie()]).toEqual([401, []]);
  });

  test('is by a link for five minutes', async () => {
    const [early, late] = [await view.link(), await view.link()];
    view.house.clock.ms += VIEW_LINK_SECONDS * 1_000 - 1;
    expect((await view.ask('/ui/enter', { form: { code: early } })).status).toBe(303);
    view.house.clock.ms += 1;
    expect((await view.ask('/ui/enter', { form: { code: late } })).status).toBe(401);
  });

  test('is by a management key, which is neither in the page nor in the cookie', async () => {
    const answer = await view.ask('/ui/sign-in', { form: { key: view.house.key } });
    expect(answer.status).toBe(303);
    expect(JSON.stringify([...answer.headers])).not.toContain(view.house.key);
    const wrong = await view.ask('/ui/sign-in', { form: { key: `${view.house.key}x` } });
    expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([401, []]);
    expect(wrong.text).not.toContain(view.house.key);
    const { token } = await view.house.taps.create(view.house.organizationId, 'news');
    expect((await view.ask('/ui/sign-in', { form: { key: token } })).status).toBe(401);
  });

  test('may be tried ten times a minute from one address, whatever is tried', async () => {
    for (let attempt = 0; attempt < VIEW_SIGN_INS_A_MINUTE; attempt += 1) {
      expect((await view.ask('/ui/sign-in', { form: { key: `svcm_${attempt}` } })).status).toBe(401);
    }
    const refused = await view.ask('/ui/sign-in', { form: { key: view.house.key } });
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.getSetCookie()]).toEqual([
      429,
      '60',
      [],
    ]);
    view.house.clock.ms += 60_000;
    expect((await view.ask('/ui/sign-in', { form: { key: view.house.key } })).status).toBe(303);
  });

  test('begins a session of its own: a cookie that was planted is none, and the former session is over', async () => {
    const name = (await view.operator()).split('=')[0] ?? '';
    const planted = `${name}=svcs_${'a'.repeat(40)}`;
    expect((await view.ask('/ui/', { cookie: planted })).status).toBe(303);
    const code = await view.link();
    const first = cookieOf(await view.ask('/ui/enter', { cookie: planted, form: { code } }));
    expect(first).not.toBe(planted);
    expect((await view.ask('/ui/', { cookie: planted })).status).toBe(303);
    const again = await view.ask('/ui/sign-in', { cookie: first, form: { key: view.house.key } });
    expect(cookieOf(again)).not.toBe(first);
    expect((await view.ask('/ui/', { cookie: first })).status).toBe(303);
    expect((await view.ask('/ui/', { cookie: cookieOf(again) })).status).toBe(200);
  });
});

describe('a session', () => {
  test('is a cookie for these pages alone, which no script reads and no other site sends', async () => {
    const answer = await view.ask('/ui/enter', { form: { code: await view.link() } });
    const port = new URL(view.url).port;
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      new RegExp(`^hydrant-${port}=svcs_\\w{40}; Max-Age=2592000; Path=/ui; HttpOnly; SameSite=Strict$`),
    );
  });

  test('over TLS is sent over TLS alone, and no neighbouring host can set it', async () => {
    const behind = await OpenView.open({ trustedProxies: ['127.0.0.0/8'] });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'h.example', origin: 'https://h.example' };
    const answer = await behind.ask('/ui/enter', { form: { code: await behind.link() }, headers });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-hydrant-\d+=svcs_\w{40}; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    );
    expect((await behind.ask('/ui/', { cookie: cookie.split(';')[0], headers })).status).toBe(200);
    await behind.close();
  });

  test('ends with the sign-out, and with that the streams that it has opened; nothing of it is kept', async () => {
    const { house } = view;
    const tap = await house.taps.create(house.organizationId, 'news');
    await house.rules.create({ kind: 'tap', tapId: tap.id, organizationId: house.organizationId }, { value: 'ferry' });
    const cookie = await view.operator();
    const stream = await fetch(`${view.url}/ui/live`, { headers: { cookie } });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const page = await view.ask('/ui/', { cookie });
    expect(page.headers.get('cache-control')).toBe('no-store');
    const out = await view.ask('/ui/sign-out', { cookie, form: {} });
    expect([out.status, out.headers.get('location')]).toEqual([303, '/ui/sign-in']);
    expect(out.headers.getSetCookie()[0]).toContain('Max-Age=0');
    // To its end.
    expect(await stream.text()).toContain('event: connected');
    const later = await view.ask('/ui/', { cookie });
    expect([later.status, later.headers.get('location')]).toEqual([303, '/ui/sign-in']);
  });

  test('has twenty timelines at most', async () => {
    const { house } = view;
    const tap = await house.taps.create(house.organizationId, 'news');
    await house.rules.create({ kind: 'tap', tapId: tap.id, organizationId: house.organizationId }, { value: 'ferry' });
    const cookie = await view.operator();
    const open = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${view.url}/ui/live`, { headers: { cookie } })),
    );
    expect(open.every(({ status }) => status === 200)).toBe(true);
    expect((await view.ask('/ui/live', { cookie })).status).toBe(429);
    await view.ask('/ui/sign-out', { cookie, form: {} });
    for (const stream of open) await stream.text();
  });

  test('ends when nobody has used it for three days, and after thirty in any case', async () => {
    const clock = new HeldOutside();
    const sessions = new ViewSessions(clock);
    const idle = sessions.open({ kind: 'operator' });
    const used = sessions.open({ kind: 'operator' });
    const half = (VIEW_SESSION_SECONDS.idle / 2) * 1_000;
    for (let passed = 0; passed + half < VIEW_SESSION_SECONDS.most * 1_000; passed += half) {
      clock.ms += half;
      expect(sessions.use(used)).toBeDefined();
    }
    expect(sessions.use(idle)).toBeUndefined();
    clock.ms += half;
    expect(sessions.use(used)).toBeUndefined();
  });

  test('ends when its key is revoked', async () => {
    const { house } = view;
    const { key, record } = await house.keys.create('laptop', house.operator.memberId);
    const cookie = await view.member(key);
    expect((await view.ask('/ui/', { cookie })).status).toBe(200);
    await house.keys.revoke(house.organizationId, record.id);
    expect((await view.ask('/ui/', { cookie })).headers.get('location')).toBe('/ui/sign-in');
  });

  test('is listed for the operator, without what opens it, and ended by him', async () => {
    const cookie = await view.operator();
    await view.member(view.house.key);
    const list = await view.admin.inject({ method: 'GET', url: '/admin/ui/sessions' });
    const { data } = JSON.parse(list.body) as { data: { id: string; who: string }[] };
    expect(data.map(({ who }) => who)).toEqual([expect.stringMatching(/^key .+ \(svcm_\w{4}…\)$/), 'operator']);
    expect(list.body).not.toContain(cookie.split('=')[1]);
    const id = data[1]?.id ?? '';
    const ended = await view.admin.inject({ method: 'DELETE', url: `/admin/ui/sessions/${id}` });
    expect(JSON.parse(ended.body)).toEqual({ data: { ended: 1 } });
    expect((await view.ask('/ui/', { cookie })).status).toBe(303);
    expect((await view.admin.inject({ method: 'DELETE', url: `/admin/ui/sessions/${id}` })).statusCode).toBe(404);
  });

  test('is one of two hundred at most: the one that nobody used for longest goes', () => {
    const sessions = new ViewSessions(new HeldOutside());
    const first = sessions.open({ kind: 'operator' });
    for (let more = 0; more < 200; more += 1) sessions.open({ kind: 'operator' });
    expect(sessions.use(first)).toBeUndefined();
    expect(sessions.list(() => '')).toHaveLength(200);
  });
});

describe('what was sent from elsewhere', () => {
  const strangers: readonly (readonly [string, Record<string, string>])[] = [
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page of another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { origin: 'null' }],
    ['nobody knows where', { origin: '' }],
  ];

  test.each(strangers)('by %s does nothing', async (_, headers) => {
    const cookie = await view.operator();
    const form = { url: 'https://example.org/', frequency_minutes: '180' };
    const { status } = await view.ask('/ui/watches', { cookie, form, headers });
    expect([status, await view.house.watchService.list(view.house.organizationId)]).toEqual([403, []]);
    expect((await view.ask('/ui/sign-out', { cookie, form: {}, headers })).status).toBe(403);
    expect((await view.ask('/ui/', { cookie })).status).toBe(200);
    const signIn = await view.ask('/ui/sign-in', { form: { key: view.house.key }, headers });
    expect([signIn.status, signIn.headers.getSetCookie()]).toEqual([403, []]);
  });

  test('is what a page of ours sends, and then it does something', async () => {
    const cookie = await view.operator();
    const form = { url: 'https://example.org/', frequency_minutes: '180' };
    expect((await view.ask('/ui/watches', { cookie, form })).status).toBe(303);
    expect(await view.house.watchService.list(view.house.organizationId)).toHaveLength(1);
  });
});

describe('every answer', () => {
  const paths = ['/ui/', '/ui/sign-in', '/ui/enter', '/ui/watches', '/ui/nothing'];

  test.each(paths)('%s is framed by nobody, loads from here alone and is kept nowhere', async (path) => {
    for (const cookie of [undefined, await view.operator()]) {
      const { headers } = await view.ask(path, { cookie });
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});
