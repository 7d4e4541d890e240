import type { Tap } from '../../../shared/api/tap.ts';
import { findTap } from '../../client/found.ts';
import type { Field } from '../../output.ts';
import type { Column } from '../../table.ts';
import { relative } from '../../time.ts';
import { confirm } from '../confirm.ts';
import { count } from '../count.ts';
import type { Session } from '../session.ts';
import { quoted } from '../../shell.ts';
import { printable } from '../../printable.ts';

/** What `hydrant tap <verb>` does. */
export async function list({ out, connect }: Session): Promise<void> {
  const { client } = await connect();
  out.list(await client.taps(), {
    id: (tap) => tap.id,
    columns: columns(out.now),
    none: 'no taps yet; make one with: hydrant tap create news',
  });
}

function columns(now: number): Column<Tap>[] {
  return [
    { title: 'id', show: (tap) => tap.id.slice(0, 8), plain: (tap) => tap.id },
    { title: 'name', show: (tap) => tap.name },
    { title: 'status', show: (tap) => tap.status },
    { title: 'rules', show: (tap) => String(tap.rules_count), align: 'right' },
    {
      title: 'last used',
      show: (tap) => (tap.last_used_at === null ? 'never' : relative(tap.last_used_at, now)),
      plain: (tap) => tap.last_used_at ?? '',
    },
    { title: 'created', show: (tap) => relative(tap.created_at, now), plain: (tap) => tap.created_at },
  ];
}

export async function create({ out, connect }: Session, name: string): Promise<void> {
  const { client } = await connect();
  const { data, token } = await client.createTap(name);
  out.one(
    { ...data, token },
    {
      id: data.id,
      lines: [`${printable(data.name)} · ${data.id} · token ${token}`],
      plain: [data.id],
    },
  );
  out.notice(
    `tap ${data.name} created; read its token with: hydrant tap token ${quoted(data.name)}`,
    `hydrant rule add ${quoted(data.name)} 'title:release'`,
  );
}

export async function show({ out, connect }: Session, wanted: string | undefined): Promise<void> {
  const { client } = await connect();
  const tap = findTap(await client.taps(), wanted);
  const time = (timestamp: string): string => (out.forPeople ? relative(timestamp, out.now) : timestamp);
  const fields: readonly Field[] = [
    ['id', tap.id],
    ['name', tap.name],
    ['status', tap.status],
    ['token', `${tap.token_prefix}…`],
    ['rules', String(tap.rules_count)],
    ['last used', tap.last_used_at === null ? 'never' : time(tap.last_used_at)],
    ['created', time(tap.created_at)],
  ];
  out.fields(tap, { id: tap.id, fields });
}

/** The token alone, whatever the form, so that `$(…)` can hold it. */
export async function token({ out, connect }: Session, wanted: string | undefined): Promise<void> {
  const { client } = await connect();
  const tap = findTap(await client.taps(), wanted);
  out.one({ id: tap.id, token: tap.token }, { id: tap.token, lines: [tap.token] });
}

export async function rename({ out, connect }: Session, wanted: string, name: string): Promise<void> {
  const { client } = await connect();
  const tap = findTap(await client.taps(), wanted);
  const changed = await client.changeTap(tap.id, { name });
  out.done(changed, { id: changed.id, notice: `tap ${tap.name} is now called ${changed.name}` });
}

export async function pause({ out, connect }: Session, wanted: string): Promise<void> {
  const { client } = await connect();
  const tap = findTap(await client.taps(), wanted);
  const changed = await client.changeTap(tap.id, { status: 'paused' });
  out.done(changed, {
    id: changed.id,
    notice: `tap ${changed.name} is paused: ${count(changed.rules_count, 'rule')} kept, nothing is matched`,
    next: `hydrant tap resume ${quoted(changed.name)}`,
  });
}

export async function resume({ out, connect }: Session, wanted: string): Promise<void> {
  const { client } = await connect();
  const tap = findTap(await client.taps(), wanted);
  const changed = await client.changeTap(tap.id, { status: 'active' });
  out.done(changed, {
    id: changed.id,
    notice: `tap ${changed.name} is active with ${count(changed.rules_count, 'rule')}`,
    next: `hydrant tail ${quoted(changed.name)}`,
  });
}

export async function revoke(session: Session, wanted: string): Promise<void> {
  const { client } = await session.connect();
  const tap = findTap(await client.taps(), wanted);
  const rules = count(tap.rules_count, 'rule');
  await confirm(session, `Revoke the tap ${tap.name}? This deletes ${rules} and ends its open streams.`);
  await client.revokeTap(tap.id);
  session.out.done(
    { id: tap.id, name: tap.name, revoked: true },
    { id: tap.id, notice: `tap ${tap.name} revoked, with ${rules}` },
  );
}
