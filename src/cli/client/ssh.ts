import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import { quoted } from '../../shared/text/printable.ts';

/**
 * The daemon of another machine by SSH: `ssh HOST hydrant dial-stdio` there connects its stdin and stdout to the daemon's
 * socket. Nothing administrative listens on the network, and SSH decides who may. The program is `ssh`, with all that the
 * user has configured for it, or HYDRANT_SSH_COMMAND.
 */
export interface SshTarget {
  readonly kind: 'ssh';
  /** `ssh://user@host:22/var/lib/hydrant`, as it was given. */
  readonly url: string;
  /** For the shell: a program and its first words. */
  readonly command: string;
}

/** Bytes of what ssh says that are kept for the error. */
const SAID_BYTES = 4_096;
/** Seconds until a connection has to be there. */
const CONNECT_SECONDS = 15;

/** One connection to the daemon there. */
export function dial({ url, command }: SshTarget): Duplex {
  return new Tunnel(
    spawn('/bin/sh', ['-c', `exec ${command} "$@"`, 'ssh', ...wordsOf(new URL(url))], { stdio: 'pipe' }),
  );
}

/**
 * The stdin and stdout of ssh as a connection. It ends when ssh does, and not with its stdout: only then is known whether
 * that was the end of an answer or a failure, with what ssh has said of it.
 */
class Tunnel extends Duplex {
  readonly #child: ChildProcessWithoutNullStreams;
  #said = '';

  constructor(child: ChildProcessWithoutNullStreams) {
    super();
    this.#child = child;
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => (this.#said = (this.#said + text).slice(-SAID_BYTES)));
    child.stdout.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) child.stdout.pause();
    });
    // Its exit code says why it does not read.
    child.stdin.on('error', () => {});
    child.once('error', (error) => this.destroy(error));
    child.once('close', (code) => {
      if (code === 0 || code === null) this.push(null);
      else this.destroy(new Error(reasonOf(this.#said, code)));
    });
  }

  override _read(): void {
    this.#child.stdout.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#child.stdin.write(chunk, () => done());
  }

  override _final(done: () => void): void {
    this.#child.stdin.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#child.kill();
    // What a wrapper around ssh has started may outlive it, with our pipes in its hands: nobody here waits for that.
    for (const pipe of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) pipe.destroy();
    this.#child.unref();
    done(error);
  }
}

function wordsOf({ username, hostname, port, pathname }: URL): string[] {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const directory = decodeURIComponent(pathname).replace(/\/+$/, '');
  return [
    '-T',
    '-o',
    `ConnectTimeout=${CONNECT_SECONDS}`,
    ...(port === '' ? [] : ['-p', port]),
    '--',
    username === '' ? host : `${decodeURIComponent(username)}@${host}`,
    // For the shell there.
    `hydrant dial-stdio${directory === '' ? '' : ` --data-dir ${quoted(directory)}`}`,
  ];
}

/** The last thing that was said tells most: `Permission denied (publickey).`, or the error of the hydrant there. */
function reasonOf(said: string, code: number): string {
  const lines = said.split('\n').map((line) => line.trim());
  const error = lines.find((line) => line.startsWith('error: ')) ?? lines.findLast((line) => line !== '');
  return error?.replace(/^error: /, '') ?? `ssh ended with exit code ${code}`;
}
