import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../src/cli/main.ts';
import { attemptLater, type Broken, type Stopwatch, timedLater } from './fuzz-attempt.ts';
import { ownDirectory } from './fuzz-directory.ts';
import { inputFrom } from './fuzz-mutation.ts';

const MATERIAL = {
  documents: [
    'taps:\n  - name: news\n    paused: true\nrules:\n  - tap: news\n    tag: ferry\n    value: title:ferry AND NOT "a b"~2\n    quality: false\n',
    'filters:\n  - { name: harbour, value: "host:example.com" }\nsources:\n  - url: https://example.com/\n    scope: host\n    depth: 3\n    every: 10m\n    max_pages: 100\n',
    'watches:\n  - url: https://example.com/a\n    every: 6h\n    select: [main, "p.price"]\n    ignore: footer\n    only: added\n    trigger: |\n      added:ferry\n    confirm: true\n',
    '{"taps":[{"name":"news"}],"rules":[{"tap":"news","value":"*:*"}]}',
    'a: &a [x]\ntaps: &t\n  - name: >-\n      long\n      name\nrules: *t\n',
  ],
  pieces: [
    ...'- : ? | > >- |+2 & &a *a *t !!binary !!set !!timestamp !!js/function !x { } [ ] , # --- ... %YAML @ ` " \' ~ null true no 0x1F 1e999 .nan .inf 1_000 2026-02-13 \\u0000 \\x1b[2J __proto__: constructor: <<: toString:'.split(
      ' ',
    ),
    '\n',
    '\n  ',
    '\n    ',
    '\t',
    '\n- ',
    'taps:\n',
    'rules: ',
    'sources: {}',
    'watches: ~',
    'filters: [~]',
    '<<: *a',
    'name: ',
    'url: file:///etc/x',
    'every: 5m',
    'depth: -1',
    '[*a,*a,*a,*a,*a,*a,*a,*a]',
    '\n? [a, b]\n: c',
  ],
  heavyLength: 20_000,
};

/** Of processor time: the parser of YAML takes its time, and a query is judged for each rule. */
const LIMIT_MS = 400;
const MS_A_CHARACTER = 0.05;
/** What is told of a file stays in one window, as a list of its fields may. */
const LINES = 12;

export function inputOf(seed: number, number: number): string {
  return inputFrom(MATERIAL, seed, number);
}

/** A daemon that has nothing. */
const directory = ownDirectory();
const socket = join(directory, 'admin.sock');
const daemon = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json').end('{"data":[]}');
});
await new Promise<void>((resolve) => daemon.listen(socket, resolve));
daemon.unref();
writeFileSync(join(directory, 'daemon.json'), JSON.stringify({ socket, pid: 1 }));

/** What Node itself writes to the terminal. */
const warnings: string[] = [];
process.on('warning', ({ message }) => warnings.push(message));

/**
 * A file for `hydrant apply --dry-run`: there is a plan, or it is refused with its name and a line, in lines that move no
 * cursor; it is never a bug of ours.
 */
export async function check(input: string, stopwatch: Stopwatch = () => undefined): Promise<Broken | undefined> {
  const limit = LIMIT_MS + input.length * MS_A_CHARACTER;
  const ran = await attemptLater('throws', () => timedLater('apply', limit, stopwatch, () => applied(input)));
  if ('check' in ran) return ran;
  const { code, said } = ran.result;
  const [warning] = warnings.splice(0);
  if (warning !== undefined) return { check: 'warning', detail: warning };
  if (/\p{Cc}/u.test(said.replaceAll('\n', '')))
    return { check: 'cursor', detail: JSON.stringify(said.slice(0, 1_000)) };
  if (code === 0) return undefined;
  const isPlaced = /^error: (?:stdin:\d+:|stdin: |the file says nothing)/m.test(said) && code <= USAGE;
  const isShort = said.split('\n').length <= LINES && !/call stack|is not a function|undefined/.test(said);
  return isPlaced && isShort ? undefined : { check: 'refusal', detail: `${code} ${said.slice(0, 1_000)}` };
}

/** The exit codes up to it: the file is wrong, or a query in it. */
const USAGE = 2;

async function applied(input: string): Promise<{ readonly code: number; readonly said: string }> {
  const io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  io.stdin.end(input);
  const said = Promise.all([text(io.stdout), text(io.stderr)]);
  const none = (): Promise<never> => Promise.reject(new Error('not expected'));
  const programs = { serve: none, fetchPage: none, upkeep: none, daemonPath: '/nowhere' };
  const code = await main(
    ['apply', '-', '--dry-run'],
    { ...io, env: { HYDRANT_DATA_DIR: directory }, exit: () => undefined },
    programs,
  );
  io.stdout.end();
  io.stderr.end();
  return { code, said: (await said).join('') };
}
