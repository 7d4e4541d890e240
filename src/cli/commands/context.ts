import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { choose, credentialOf, daemonUrl, isSsh, readKey, sshTarget } from '../runtime/connection.ts';
import {
  checkName,
  contextsFile,
  findContext,
  LOCAL,
  changeContexts,
  type Contexts,
  readContexts,
  type StoredContext,
} from '../runtime/contexts.ts';
import { UsageError } from '../runtime/failure.ts';
import { confirm, type Action, type Session } from './session.ts';
import { withExamples } from './help.ts';
import { askSecret } from './secret-input.ts';

/** Daemons by name: the one on this machine is there without any, those elsewhere are kept with their keys. */
export function contextCommand(action: Action): CommandUnknownOpts {
  const noun = withExamples(
    new Command('context'),
    'hydrant context add home https://hydrant.example.org',
    'hydrant context use home',
  )
    .alias('contexts')
    .description('daemons elsewhere, by name, with their keys');
  for (const declare of [list, add, use, show, rename, remove]) declare(noun, action);
  return noun;
}

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
  const keyless = isSsh(url) ? 'operator' : 'none';
  const access = key === undefined ? keyless : credentialOf(key, `the context ${name}`).kind;
  return { name, in_use: name === current, url, access, key_prefix: key?.slice(0, PREFIX) ?? null };
}

function shownLocal(current: string): ShownContext {
  return { name: LOCAL, in_use: current === LOCAL, url: null, access: 'operator', key_prefix: null };
}

function list(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('list'), 'hydrant context list')
    .description('list the contexts; * is the one in use')
    .action(
      action(async ({ context, out }) => {
        const { current, contexts } = await readContexts(context.environment);
        out.list([shownLocal(current), ...contexts.map((one) => shown(one, current))], {
          id: ({ name }) => name,
          columns: [
            { title: '', show: (one) => (one.in_use ? '*' : ''), plain: (one) => (one.in_use ? '*' : '') },
            { title: 'name', show: ({ name }) => name },
            { title: 'url', show: ({ url }) => url ?? 'the daemon on this machine', plain: ({ url }) => url ?? '' },
            { title: 'access', show: ({ access }) => access },
            {
              title: 'key',
              show: (one) => (one.key_prefix === null ? '' : `${one.key_prefix}…`),
              plain: (one) => one.key_prefix ?? '',
            },
          ],
          none: '',
        });
      }),
    );
}

function add(noun: CommandUnknownOpts, action: Action): void {
  withExamples(
    noun.command('add'),
    'hydrant context add home https://hydrant.example.org',
    'hydrant context add home https://hydrant.example.org --key-file - --use < key.txt',
    'hydrant context add home ssh://me@hydrant.example.org/var/lib/hydrant',
  )
    .alias('create')
    .description('save a daemon and its key under a name; prompts for the key without echoing it')
    .argument('<name>', 'its name')
    .argument('<url>', 'the address of the daemon, or ssh://[user@]host[:port][/data-dir]')
    .option('--use', 'use it for later commands')
    .option('--no-key', 'do not save a key; it comes from HYDRANT_KEY or --key-file each time')
    .action(
      action(async (session, [wanted, address], flags) => {
        const { context, out } = session;
        const name = checkName(wanted);
        const url = isSsh(address) ? new URL(sshTarget(address, context.environment).url) : daemonUrl(address);
        checkNew(await readContexts(context.environment), name);
        const key = flags.key && url.protocol !== 'ssh:' ? await newKey(session, url) : undefined;
        const added: StoredContext = { name, url: url.href.replace(/\/+$/, ''), ...(key !== undefined && { key }) };
        const isUsed = flags.use === true;
        const { current } = await changeContexts(context.environment, (before) => {
          // While the key was typed another command may have added it.
          checkNew(before, name);
          return { current: isUsed ? name : before.current, contexts: [...before.contexts, added] };
        });
        out.done(shown(added, current), {
          id: name,
          notice: `context ${name} added${isUsed ? ' and in use' : ''}${isOpen(url) ? '; its key travels unencrypted' : ''}`,
          next: isUsed ? 'hydrant tap list' : `hydrant context use ${name}`,
        });
      }),
    );
}

function checkNew({ contexts }: Contexts, name: string): void {
  if (!contexts.some((one) => one.name === name)) return;
  throw new UsageError(`there is a context \`${name}\` already`, { hint: `first: hydrant context remove ${name}` });
}

async function newKey({ context, flags }: Session, url: URL): Promise<string> {
  const instead = 'give --key-file <file> (- reads stdin), or --no-key to save none';
  const { keyFile } = flags;
  const text =
    keyFile === undefined
      ? await askSecret(context, `Key for ${url.host}`, instead)
      : await readKey(keyFile, () => context.readInput('the key'));
  if (text === undefined) throw new UsageError('no key was given, so nothing was saved', { hint: instead });
  credentialOf(text, keyFile === undefined ? 'what was typed' : keyFile === '-' ? 'stdin' : keyFile);
  return text.trim();
}

function isOpen({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function use(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('use'), 'hydrant context use home', 'hydrant context use local')
    .description('choose the daemon for later commands; local is the one on this machine')
    .argument('<name>', 'the context')
    .action(
      action(async ({ context: { environment }, out }, [name]) => {
        const { found } = await changeContexts(environment, (before) => {
          return { ...before, current: name, found: name === LOCAL ? undefined : findContext(before, name) };
        });
        const where = found?.url ?? 'the daemon on this machine';
        const over = ['HYDRANT_URL', 'HYDRANT_CONTEXT'].find((variable) => (environment[variable] ?? '').trim() !== '');
        const exception = over === undefined ? '' : `, but for this shell: ${over} is set and takes precedence`;
        out.done(found ? shown(found, name) : shownLocal(name), {
          id: name,
          notice: `commands use ${where}${exception}`,
        });
      }),
    );
}

function show(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('show'), 'hydrant context show', 'hydrant context show home')
    .description('show which daemon commands use here, and why; never shows the key')
    .argument('[name]', 'the context (default: the one in use)')
    .action(action((session, [name]) => (name === undefined ? showChoice(session) : showNamed(session, name))));
}

async function showNamed({ context: { environment }, out }: Session, name: string): Promise<void> {
  const all = await readContexts(environment);
  const one = name === LOCAL ? shownLocal(all.current) : shown(findContext(all, name), all.current);
  out.one(one, { id: one.name, lines: [...linesOf(one), `kept in  ${contextsFile(environment)}`] });
}

async function showChoice({ context, flags, out }: Session): Promise<void> {
  const choice = await choose(flags, context.environment);
  if (choice.kind === 'url') {
    const { url, by } = choice;
    return out.one({ name: null, url, by }, { id: url, lines: [`url      ${url}`, `by       ${by}`] });
  }
  const one = choice.kind === 'local' ? shownLocal(LOCAL) : shown(choice.context, choice.context.name);
  const lines = [...linesOf(one), `by       ${choice.by}`];
  out.one({ ...one, in_use: true, by: choice.by }, { id: one.name, lines });
}

function linesOf({ name, url, access, key_prefix: prefix }: ShownContext): string[] {
  return [
    `name     ${name}`,
    `url      ${url ?? 'the daemon on this machine'}`,
    `access   ${access}${prefix === null ? '' : `, ${prefix}…`}`,
  ];
}

function rename(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('rename'), 'hydrant context rename home attic')
    .description('give a context another name')
    .argument('<name>', 'the context')
    .argument('<new-name>', 'its new name')
    .action(
      action(async ({ context: { environment }, out }, [name, to]) => {
        checkName(to);
        const { found, current } = await changeContexts(environment, (before) => {
          const renamed = findContext(before, name);
          if (before.contexts.some((one) => one.name === to)) {
            throw new UsageError(`there is a context \`${to}\` already`);
          }
          const contexts = before.contexts.map((one) => (one === renamed ? { ...one, name: to } : one));
          return { found: renamed, current: before.current === name ? to : before.current, contexts };
        });
        out.done(shown({ ...found, name: to }, current), { id: to, notice: `context ${name} is ${to} now` });
      }),
    );
}

function remove(noun: CommandUnknownOpts, action: Action): void {
  withExamples(noun.command('remove'), 'hydrant context remove home')
    .description('forget a context and its key; the key itself stays valid')
    .argument('<name>', 'the context')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      action(async (session, [name]) => {
        const { environment } = session.context;
        const found = findContext(await readContexts(environment), name);
        await confirm(session, `Forget the context ${name} (${found.url}) and its key?`);
        const { wasUsed } = await changeContexts(environment, (before) => {
          findContext(before, name);
          const contexts = before.contexts.filter((one) => one.name !== name);
          const isUsed = before.current === name;
          return { wasUsed: isUsed, current: isUsed ? LOCAL : before.current, contexts };
        });
        const instead = wasUsed ? '; commands use the daemon on this machine again' : '';
        session.out.done({ name, removed: true }, { id: name, notice: `context ${name} removed${instead}` });
      }),
    );
}
