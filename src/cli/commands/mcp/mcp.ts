import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from '../../runtime/failure.ts';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

const ABOUT = `
A client starts it and speaks to it over stdin and stdout, with a configuration
such as:
  {"mcpServers":{"hydrant":{"command":"hydrant","args":["mcp"]}}}
It reads by default; --write adds the tools that add, edit and remove rules, add
sources and watches, and check a watch now. --context, --url, --key-file and
--data-dir say which daemon is meant, as for every command; some tools need the
daemon's socket, on its own machine or over SSH.

Text of pages is marked as untrusted in every answer. Tokens and keys are in
none. The daemon may be started later, or restarted: each call finds it anew.
`;

/** `hydrant mcp`: what the command line does, as tools of the Model Context Protocol. */
export function mcpCommand(action: Action): CommandUnknownOpts {
  return withExamples(new Command('mcp'), 'hydrant mcp', 'hydrant mcp --write', 'hydrant mcp --context home --no-fetch')
    .description('serve tools and resources to AI clients (Model Context Protocol, over stdio)')
    .option('--write', 'also the tools that change something')
    .option('--no-fetch', 'no tool fetches a page itself')
    .addHelpText('after', ABOUT)
    .action(
      action(async (session, _words, { write, fetch }) => {
        if (session.context.io.stdin.isTTY === true) {
          throw new UsageError(
            '`hydrant mcp` is started by a client, which speaks to it over stdin; this is a terminal',
            {
              hint: 'give it to the client as a command: {"command":"hydrant","args":["mcp"]}; see docs/mcp.md',
            },
          );
        }
        if (session.flags.jq !== undefined || session.flags.template !== undefined) {
          throw new UsageError('stdout is for messages of the protocol, which --jq and --template cannot filter');
        }
        // The server and its schemas are loaded only here.
        const { serveMcp } = await import('./mcp-server.ts');
        return serveMcp(session, { writes: write === true, fetches: fetch });
      }),
    );
}
