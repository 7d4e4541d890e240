import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { resolve } from '../src/cli/runtime/connection.ts';
import type { Connection } from '../src/cli/runtime/context.ts';
import { changeContexts, type Contexts, readContexts } from '../src/cli/runtime/contexts.ts';
import { Failure } from '../src/cli/runtime/failure.ts';
import { report } from '../src/cli/text/report.ts';
import { attemptLater, type Broken, type Stopwatch, timedLater } from './fuzz-attempt.ts';
import { ownDirectory } from './fuzz-directory.ts';
import { inputFrom } from './fuzz-mutation.ts';

const KEY = 'svcm_aSecretThatIsInNoMessage';
const MATERIAL = {
  documents: [
    `{"current":"staging","contexts":[{"name":"staging","url":"https://hydrant.example.com/","key":"${KEY}"},{"name":"other","url":"http://127.0.0.1:7878"}]}`,
    `{"contexts": [{"name": "a.b", "url": "http://[::1]:7878/base/", "key": "${KEY}"}], "current": "a.b"}`,
    '{"current":"local","contexts":[]}',
  ],
  pieces: [
    ...'{ } [ ] , : " \\ null true 0 1e999 "" "\\ud800" "\\u0000" "\\u001b[2J" "local" "staging" // file:///etc/x javascript: http://a:b@c/ http://x?a http://x#a svc_ svcm_ __proto__ constructor'.split(
      ' ',
    ),
    '"name":"staging"',
    '"name":"../x"',
    '"url":"http://x"',
    '"key":null',
    `"key":"${KEY}"`,
    '"current":{}',
    '"contexts":{}',
    '"__proto__":{"current":"staging"}',
  ],
  heavyLength: 100_000,
};

/** Of processor time: for whatever is small, and more for each character. */
const LIMIT_MS = 60;
const MS_A_CHARACTER = 0.002;
/** Where the files of this thread are written: one at a time. */
const root = ownDirectory();
const directory = join(root, 'hydrant');
mkdirSync(directory, { mode: 0o700 });
const path = join(directory, 'contexts.json');
const ENVIRONMENT = { XDG_CONFIG_HOME: root };
const FORM = { json: false, paint: (_colour: unknown, text: string): string => text, width: 80, stack: false };

export function inputOf(seed: number, number: number): string {
  return inputFrom(MATERIAL, seed, number);
}

/**
 * The file of the contexts: a daemon of the web or of this machine is meant, or the refusal says what is wrong in lines
 * that move no cursor and repeat no key. What is read and written again is the same, in one file for its owner alone.
 */
export async function check(input: string, stopwatch: Stopwatch = () => undefined): Promise<Broken | undefined> {
  writeFileSync(path, input, { mode: 0o600 });
  const limit = LIMIT_MS + input.length * MS_A_CHARACTER;
  const read = await attemptLater('throws', () => timedLater('read', limit, stopwatch, reading));
  if ('check' in read) return read;
  const { contexts, connection, refusals } = read.result;
  return refusals.map(refused).find(Boolean) ?? (connection && meant(connection)) ?? (contexts && written(contexts));
}

interface Reading {
  readonly contexts: Contexts | undefined;
  readonly connection: Connection | undefined;
  readonly refusals: readonly Failure[];
}

async function reading(): Promise<Reading> {
  const refusals: Failure[] = [];
  const tried = async <Result>(run: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refusals.push(error);
      return undefined;
    }
  };
  const contexts = await tried(() => readContexts(ENVIRONMENT));
  const connection = await tried(() => resolve({}, ENVIRONMENT, () => Promise.resolve('')));
  return { contexts, connection, refusals };
}

function refused(failure: Failure): Broken | undefined {
  const text = report(failure, FORM);
  const isPlain = !/\p{Cc}/u.test(text.replaceAll('\n', '')) && text.length > 'error: '.length;
  if (!isPlain) return { check: 'refusal', detail: JSON.stringify(text.slice(0, 800)) };
  return text.includes(KEY) ? { check: 'secret', detail: text.slice(0, 800) } : undefined;
}

/** A key goes where its file says: to an address without one of its own. */
function meant({ target, credential }: Connection): Broken | undefined {
  if (target.kind === 'socket') return undefined;
  const { protocol, username, password } = new URL(target.url);
  const isWeb = /^https?:$/.test(protocol) && username === '' && password === '';
  return isWeb && credential.kind !== 'operator' ? undefined : { check: 'target', detail: target.url };
}

async function written(contexts: Contexts): Promise<Broken | undefined> {
  await changeContexts(ENVIRONMENT, () => contexts);
  const again = await readContexts(ENVIRONMENT);
  if (!isDeepStrictEqual(again, contexts)) return { check: 'twice', detail: JSON.stringify(again).slice(0, 500) };
  const others = readdirSync(directory).filter((name) => !/^contexts\.json(?:\.lock)?$/.test(name));
  const isOpen = (statSync(path).mode & 0o077) !== 0;
  return others.length > 0 || isOpen ? { check: 'file', detail: others.join(', ') } : undefined;
}
