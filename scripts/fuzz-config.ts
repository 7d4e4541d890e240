import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveSettings } from '../src/daemon/settings.ts';
import { StartFailure } from '../src/daemon/start-failure.ts';
import { configName, settings } from '../src/shared/settings.ts';
import { attemptLater, type Broken, type Stopwatch, timedLater } from './fuzz-attempt.ts';
import { ownDirectory } from './fuzz-directory.ts';
import { inputFrom } from './fuzz-mutation.ts';

const DEFAULTS = Object.fromEntries(settings.map((setting) => [configName(setting.name), setting.default]));

const MATERIAL = {
  documents: [
    JSON.stringify(DEFAULTS, null, 2),
    '{"listen": "[::1]:9000", "port": 7878, "allowPrivate": ["10.0.0.0/8"], "plans": {"Free": {"rules": 5, "activeTaps": null}}}',
    '{"logLevel": "debug", "plans": {"Own": {"rules": null, "activeTaps": 1, "watchedUrls": 1, "checksAMonth": 1, "fastestMinutes": 5}}}',
  ],
  pieces: [
    ...'{ } [ ] , : " \\ null true 0 -1 1.5 1e999 65536 "" "\\ud800" "\\u0000" "\\u001b[2J" "::1" "[::" "0.0.0.0:0" "1.2.3.4:99999" // NaN \n'.split(
      ' ',
    ),
    '"plans":{"":{}}',
    '"plans":[]',
    '"plans":{"Free":null}',
    '"plans":{"__proto__":{"rules":1}}',
    '"rules":-1',
    '"__proto__":{"port":1}',
    '"constructor":{}',
    '"toString":1',
    '"config":"x"',
    '"port":"7878"',
    '"listen":" "',
    ...settings.map((setting) => `"${configName(setting.name)}":`),
  ],
  heavyLength: 100_000,
};

/** Of processor time: for whatever is small, and more for each character. */
const LIMIT_MS = 60;
const MS_A_CHARACTER = 0.002;
/** Where the files of this thread are written: one at a time. */
const directory = ownDirectory();
const path = join(directory, 'hydrantd.json');

export function inputOf(seed: number, number: number): string {
  return inputFrom(MATERIAL, seed, number);
}

/** A config file: every setting has a value of its type, or one line names the file and what is wrong in it. */
export async function check(input: string, stopwatch: Stopwatch = () => undefined): Promise<Broken | undefined> {
  writeFileSync(path, input);
  const limit = LIMIT_MS + input.length * MS_A_CHARACTER;
  const read = await attemptLater('throws', () => timedLater('read', limit, stopwatch, resolved));
  if ('check' in read) return read;
  const { values, refusal } = read.result;
  if (values) return typed(values);
  const isClear =
    refusal.kind === 'configuration' && refusal.message.length < 1_500 && !/\p{Cc}/u.test(refusal.message);
  const isNamed = refusal.message.includes(path) || refusal.message.includes('--');
  return isClear && isNamed ? undefined : { check: 'refusal', detail: JSON.stringify(refusal.message.slice(0, 1_000)) };
}

type Resolved =
  | { readonly values: object; readonly refusal?: undefined }
  | { values?: undefined; refusal: StartFailure };

async function resolved(): Promise<Resolved> {
  try {
    return { values: await resolveSettings({ config: path }, { HOME: '/home/ada' }) };
  } catch (refusal) {
    if (refusal instanceof StartFailure) return { refusal };
    throw refusal;
  }
}

function typed(values: object): Broken | undefined {
  const stray = Object.entries(values).find(([name, value]) => name !== 'plans' && !isSetting(value));
  return stray && { check: 'value', detail: JSON.stringify(stray).slice(0, 500) };
}

function isSetting(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0;
  if (Array.isArray(value)) return value.every((part) => isPlain(part));
  return isPlain(value);
}

/** Without what begins a line or moves a cursor; C1 is left to those that know what the text is. */
function isPlain(value: unknown): boolean {
  return typeof value === 'string' && !value.match(/\p{Cc}/gu)?.some((found) => found < '\u0080');
}
