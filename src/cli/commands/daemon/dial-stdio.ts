import { once } from 'node:events';
import { connect } from 'node:net';
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { localSocket } from '../../runtime/connection.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure, systemReason } from '../../runtime/failure.ts';
import { withExamples } from '../help.ts';
import type { Action } from '../session.ts';

/**
 * `hydrant dial-stdio`: what a context over SSH runs on the daemon's machine. Bytes go from stdin to the daemon's socket and
 * back to stdout, nothing else does; it ends when the daemon closes the connection, or nobody reads stdout any more.
 */
export function dialCommand(action: Action): CommandUnknownOpts {
  return withExamples(new Command('dial-stdio'), 'ssh hydrant.example.org hydrant dial-stdio < request.txt')
    .description("connect stdin and stdout to the daemon's socket; contexts over SSH run it")
    .action(
      action(async ({ context: { environment, io }, flags }) => {
        const path = await localSocket(flags, environment, 'dial-stdio');
        const socket = connect(path);
        try {
          await once(socket, 'connect');
        } catch (error) {
          const why = `cannot reach the daemon at ${path}: ${systemReason(error)}`;
          throw new Failure('unreachable', exitCode.unreachable, why, { hint: 'start it with: hydrant serve' });
        }
        // The end of stdin is not passed on: the daemon takes it for that of a client who wants no answer. It closes the
        // connection itself, after an answer that nothing follows.
        io.stdin.pipe(socket, { end: false });
        socket.pipe(io.stdout);
        // Whoever was there has gone: no fault of this side, and there is nobody to tell.
        socket.on('error', () => socket.destroy());
        await once(socket, 'close');
        io.stdin.destroy();
      }),
    );
}
