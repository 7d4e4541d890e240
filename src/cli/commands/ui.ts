import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { UiSession } from '../../shared/api/ui.ts';
import { count } from '../../shared/text/plural.ts';
import { found } from '../client/found.ts';
import { Refused } from '../client/transport.ts';
import { exitCode } from '../runtime/exit-code.ts';
import { Failure, UsageError } from '../runtime/failure.ts';
import type { Column } from '../text/table.ts';
import { relative } from '../text/time.ts';
import { withExamples } from './help.ts';
import type { Action } from './session.ts';

const ABOUT = `
The view is a part of the daemon: start it with hydrant serve --ui. The link
opens it in one browser, once, for the operator; it expires after five
minutes. From another machine, sign in with a management key instead.

With --open the link is an argument of the browser, and other users of the
machine can see those: they could be faster than you.
`;

/** `hydrant ui`: the link that opens the web view, and who is signed in there. */
export function uiCommand(action: Action): CommandUnknownOpts {
  const ui = withExamples(
    new Command('ui'),
    'hydrant ui',
    'hydrant ui --at https://hydrant.example.org',
    'hydrant ui sessions',
    'hydrant ui sign-out --all',
  )
    .description('the web view: a link that opens it in a browser, and who is signed in')
    .addHelpText('after', ABOUT);
  for (const declare of [link, sessions, signOut]) declare(ui, action);
  return ui;
}

function link(ui: CommandUnknownOpts, action: Action): void {
  withExamples(
    ui.command('link', { isDefault: true }),
    'hydrant ui link',
    'hydrant ui link --open',
    'hydrant ui link --at https://hydrant.example.org',
  )
    .description('print a link that opens the view in a browser, once; without a verb, this is done')
    .option('--open', 'open it in the browser of this machine')
    .option('--at <url>', 'where the browser reaches the daemon (default: where it listens)')
    .action(
      action(async ({ out, connect, context }, _words, { open, at }) => {
        const { client } = await connect();
        const made = await client.ui.link().catch(whyNone);
        const url = at === undefined ? made.url : reachedAt(made.url, at);
        out.one({ url, expires_at: made.expires_at }, { id: url, lines: [url] });
        if (open !== true) return;
        const { browse } = await import('../runtime/child-processes.ts');
        await browse(url, context.environment, process.platform);
        out.notice('opened in the browser');
      }),
    );
}

/** The link, at another address: behind a proxy, or by the name of the machine. */
function reachedAt(made: string, at: string): string {
  const { pathname, search } = new URL(made);
  const base = URL.parse(at);
  if (!base || !/^https?:$/.test(base.protocol)) throw new UsageError(`--at ${at} is not a web address`);
  return new URL(pathname + search, base.origin).href;
}

/** Daemons without the view, and those of before it, have no such route. */
function whyNone(error: unknown): never {
  if (!(error instanceof Refused) || error.status !== 404) throw error;
  throw new Failure('no_view', exitCode.refused, 'this daemon serves no web view', {
    cause: error,
    hint: 'start it with --ui, or set HYDRANT_UI=on or "ui": "on" in its config file',
  });
}

function sessions(ui: CommandUnknownOpts, action: Action): void {
  withExamples(ui.command('sessions'), 'hydrant ui sessions')
    .description('list who is signed in: browsers, and when they were last used')
    .action(
      action(async ({ out, connect }) => {
        const { client } = await connect();
        const all = await client.ui.sessions().catch(whyNone);
        out.list(all, { id: ({ id }) => id, columns: columns(out.now), none: 'nobody is signed in' });
      }),
    );
}

function columns(now: number): Column<UiSession>[] {
  const ago = (timestamp: string): string => relative(timestamp, now);
  return [
    { title: 'id', show: ({ id }) => id.slice(0, 8), plain: ({ id }) => id },
    { title: 'who', show: ({ who }) => who },
    { title: 'used', show: (one) => ago(one.last_used_at), plain: (one) => one.last_used_at },
    { title: 'since', show: (one) => ago(one.created_at), plain: (one) => one.created_at },
    { title: 'browser', show: ({ agent }) => agent },
  ];
}

function signOut(ui: CommandUnknownOpts, action: Action): void {
  withExamples(ui.command('sign-out'), 'hydrant ui sign-out 6c0f7f5e', 'hydrant ui sign-out --all')
    .description('end a session, or all of them')
    .argument('[session]', 'its id, or the beginning of its id')
    .option('--all', 'end every session')
    .action(
      action(async ({ out, connect }, [wanted], { all }) => {
        if ((wanted === undefined) === (all !== true)) throw new UsageError('specify a session, or --all');
        const { client } = await connect();
        const known = await client.ui.sessions().catch(whyNone);
        const id = wanted === undefined ? undefined : found('session', known, wanted, ({ who }) => who).id;
        const { ended } = await client.ui.end(id);
        out.done({ ended }, { id: id ?? '', notice: `${count(ended, 'session')} ended` });
      }),
    );
}
