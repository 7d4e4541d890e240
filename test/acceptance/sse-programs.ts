import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type OpenClient, type Opened, Seen } from './sse-clients.ts';

const folder = join(import.meta.dirname, 'clients');
/** Where Debian puts the sources of Go packages. */
const GOPATH = '/usr/share/gocode';
/** Debian's own first: another one that comes earlier in the PATH does not see Debian's packages. */
const PYTHONS = ['/usr/bin/python3', 'python3'];

export type PythonLibrary = 'requests' | 'httpx' | 'aiohttp';

/** A client of a Python library; undefined where no Python here has it. */
export function pythonClient(library: PythonLibrary): OpenClient | undefined {
  const python = PYTHONS.find((one) => spawnSync(one, ['-c', `import ${library}`]).status === 0);
  if (python === undefined) return undefined;
  return (url, token) => openProgram(python, [join(folder, 'read_stream.py'), library, url, token]);
}

/** A client of Go's `donovanhide/eventsource`, built into a folder; undefined where Go or the package is missing. */
export function goClient(into: string): OpenClient | undefined {
  const program = join(into, 'read_stream');
  const env = { ...process.env, GO111MODULE: 'off', GOPATH, GOFLAGS: '', GOCACHE: join(into, 'cache') };
  const built = spawnSync('go', ['build', '-o', program, join(folder, 'read_stream.go')], { env });
  return built.status === 0 ? (url, token) => openProgram(program, [url, token]) : undefined;
}

/** A program that prints a line of JSON for each answer, `{status}`, and for each event, `{type, data, id}`. */
function openProgram(command: string, words: readonly string[]): Opened {
  const seen = new Seen();
  // What it says of connections that it lost is no concern of the test.
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  createInterface(child.stdout).on('line', (line) => {
    const said = JSON.parse(line) as { status?: number; type?: string; data?: string; id?: string };
    if (said.status !== undefined) seen.statuses.push(said.status);
    else seen.take(said.type ?? '', said.data ?? '', said.id);
  });
  return { seen, close: () => child.kill() };
}
