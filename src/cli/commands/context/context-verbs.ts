import { choose, credentialOf, daemonUrl, readKey } from '../../connection.ts';
import type { Environment } from '../../context.ts';
import {
  checkName,
  contextsFile,
  findContext,
  LOCAL,
  readContexts,
  type StoredContext,
  writeContexts,
} from '../../contexts.ts';
import { UsageError } from '../../failure.ts';
import { askSecret } from '../ask-secret.ts';
import { confirm } from '../confirm.ts';
import type { Session } from '../session.ts';

/** A context as it is shown: everything but the key. */
interface ShownContext {
  readonly name: string;
  readonly in_use: boolean;
  /** Null for the daemon on this machine. */
  readonly url: string | null;
  /** What the key opens: `manager`, `tap`; `operator` needs none, `none` is kept. */
  readonly access: 'operator' | 'manager' | 'tap' | 'none';
  /** The first characters of the key, as `hydrant key list` shows them. */
  readonly key_prefix: string | null;
}

/** Characters of a key that tell it from others and do not help to guess it. */
const PREFIX = 9;

function shown({ name, url, key }: StoredContext, current: string): ShownContext {
  const access = key === undefined ? 'none' : credentialOf(key, `the context ${name}`).kind;
  return { name, in_use: name === current, url, access, key_prefix: key?.slice(0, PREFIX) ?? null };
}

function shownLocal(current: string): ShownContext {
  return { name: LOCAL, in_use: current === LOCAL, url: null, access: 'operator', key_prefix: null };
}

export async function listContexts({ context, out }: Session): Promise<void> {
  const { current, contexts } = await readContexts(context.environment);
  out.list([shownLocal(current), ...contexts.map((one) => shown(one, current))], {
    id: (one) => one.name,
    columns: [
      { title: '', show: (one) => (one.in_use ? '*' : ''), plain: (one) => (one.in_use ? '*' : '') },
      { title: 'name', show: (one) => one.name },
      { title: 'url', show: (one) => one.url ?? 'the daemon on this machine', plain: (one) => one.url ?? '' },
      { title: 'access', show: (one) => one.access },
      {
        title: 'key',
        show: (one) => (one.key_prefix === null ? '' : `${one.key_prefix}…`),
        plain: (one) => one.key_prefix ?? '',
      },
    ],
    none: '',
  });
}

export interface NewContext {
  readonly name: string;
  readonly url: string;
  readonly use: boolean;
  readonly withKey: boolean;
}

export async function addContext(session: Session, wanted: NewContext): Promise<void> {
  const { context, out } = session;
  const { environment } = context;
  const name = checkName(wanted.name);
  const url = daemonUrl(wanted.url);
  const before = await readContexts(environment);
  if (before.contexts.some((one) => one.name === name)) {
    throw new UsageError(`there is a context \`${name}\` already`, { hint: `first: hydrant context remove ${name}` });
  }
  const key = wanted.withKey ? await newKey(session, url) : undefined;
  const added: StoredContext = {
    name,
    url: url.href.replace(/\/+$/, ''),
    ...(key !== undefined && { key }),
  };
  const current = wanted.use ? name : before.current;
  await writeContexts(environment, { current, contexts: [...before.contexts, added] });
  out.done(shown(added, current), {
    id: name,
    notice: `context ${name} added${wanted.use ? ' and in use' : ''}${openly(url) ? '; its key travels unencrypted' : ''}`,
    next: wanted.use ? 'hydrant tap list' : `hydrant context use ${name}`,
  });
}

async function newKey({ context, flags }: Session, url: URL): Promise<string> {
  const instead = 'give --key-file <file> (- reads stdin), or --no-key to keep none';
  const { keyFile } = flags;
  const text =
    keyFile === undefined
      ? await askSecret(context, `Key for ${url.host}`, instead)
      : await readKey(keyFile, () => context.readInput('the key'));
  if (text === undefined) throw new UsageError('no key was given, and nothing was kept', { hint: instead });
  credentialOf(text, keyFile === undefined ? 'what was typed' : keyFile === '-' ? 'stdin' : keyFile);
  return text.trim();
}

function openly({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

export async function useContext({ context, out }: Session, name: string): Promise<void> {
  const { environment } = context;
  const before = await readContexts(environment);
  const found = name === LOCAL ? undefined : findContext(before, name);
  await writeContexts(environment, { ...before, current: name });
  const where = found?.url ?? 'the daemon on this machine';
  const over = ['HYDRANT_URL', 'HYDRANT_CONTEXT'].find((variable) => (environment[variable] ?? '').trim() !== '');
  out.done(found ? shown(found, name) : shownLocal(name), {
    id: name,
    notice: `commands mean ${where}${over === undefined ? '' : `, but for this shell: ${over} is set and counts more`}`,
  });
}

export async function showContext({ context, flags, out }: Session, name: string | undefined): Promise<void> {
  const { environment } = context;
  if (name !== undefined) {
    const all = await readContexts(environment);
    const one = name === LOCAL ? shownLocal(all.current) : shown(findContext(all, name), all.current);
    return out.one(one, { id: one.name, lines: [...linesOf(one), `kept in  ${contextsFile(environment)}`] });
  }
  const choice = await choose(flags, environment);
  if (choice.kind === 'url') {
    const said = { name: null, url: choice.url, by: choice.by };
    return out.one(said, { id: choice.url, lines: [`url      ${choice.url}`, `by       ${choice.by}`] });
  }
  const one = choice.kind === 'local' ? shownLocal(LOCAL) : shown(choice.context, choice.context.name);
  return out.one(
    { ...one, in_use: true, by: choice.by },
    { id: one.name, lines: [...linesOf(one), `by       ${choice.by}`] },
  );
}

function linesOf({ name, url, access, key_prefix: prefix }: ShownContext): string[] {
  return [
    `name     ${name}`,
    `url      ${url ?? 'the daemon on this machine'}`,
    `access   ${access}${prefix === null ? '' : `, ${prefix}…`}`,
  ];
}

export async function renameContext({ context, out }: Session, name: string, to: string): Promise<void> {
  const { environment } = context;
  const before = await readContexts(environment);
  const found = findContext(before, name);
  if (before.contexts.some((one) => one.name === checkName(to))) {
    throw new UsageError(`there is a context \`${to}\` already`);
  }
  const contexts = before.contexts.map((one) => (one === found ? { ...one, name: to } : one));
  const current = before.current === name ? to : before.current;
  await writeContexts(environment, { current, contexts });
  out.done(shown({ ...found, name: to }, current), { id: to, notice: `context ${name} is ${to} now` });
}

export async function removeContext(session: Session, name: string): Promise<void> {
  const { environment }: { environment: Environment } = session.context;
  const before = await readContexts(environment);
  const found = findContext(before, name);
  await confirm(session, `Forget the context ${name} (${found.url}) and its key?`);
  const current = before.current === name ? LOCAL : before.current;
  await writeContexts(environment, { current, contexts: before.contexts.filter((one) => one !== found) });
  session.out.done(
    { name, removed: true },
    {
      id: name,
      notice: `context ${name} removed${before.current === name ? '; commands mean the daemon on this machine again' : ''}`,
    },
  );
}
