import { isDeepStrictEqual } from 'node:util';
import { checkShape, migrate } from '../src/daemon/storage/catalog-schema.ts';
import { parseJson } from '../src/daemon/storage/sqlite/files/json-text.ts';
import { StartFailure } from '../src/daemon/start-failure.ts';
import { attempt, type Broken, type Stopwatch, timed } from './fuzz-attempt.ts';
import { inputFrom } from './fuzz-mutation.ts';

const at = '2026-02-27T00:00:00.000Z';
const DOCUMENT = {
  schema: 4,
  organizations: [
    { id: 'org_1', name: 'Own', plan: 'Business', limits: { rules: null, activeTaps: 3 }, createdAt: at },
  ],
  members: [{ id: 'm_1', organizationId: 'org_1', name: 'Ada', role: 'admin', createdAt: at }],
  keys: [
    { id: 'k_1', organizationId: 'org_1', memberId: 'm_1', name: 'first', prefix: 'key_ab', hash: 'aa', createdAt: at },
  ],
  taps: [
    {
      id: 't_1',
      organizationId: 'org_1',
      name: 'tap',
      status: 'active',
      createdAt: at,
      lastUsedAt: null,
      tokenPrefix: 'tap_ab',
      tokenHash: 'bb',
      tokenSealed: 'cc',
    },
  ],
  rules: [{ id: 'r_1', tapId: 't_1', value: 'ferry', tag: 'a', nsfw: false, quality: true, createdAt: at }],
  filters: [{ id: 'f_1', organizationId: 'org_1', name: 'news', value: 'a OR b', createdAt: at }],
  sources: [
    {
      id: 's_1',
      url: 'https://example.com/',
      scope: 'host',
      depth: null,
      everySeconds: 60,
      maxPages: 10,
      baseline: false,
      paused: false,
      createdAt: at,
    },
  ],
  sinks: [
    {
      id: 'k_1',
      organizationId: 'org_1',
      name: 'phone',
      kind: 'ntfy',
      options: { topic: 'alerts' },
      secretsSealed: { token: 'dd' },
      taps: ['t_1'],
      query: null,
      watches: { tags: ['prices'] },
      problems: { after: 3 },
      digest: null,
      quiet: '22:00-07:00',
      zone: 'UTC',
      atMost: '20/h',
      template: null,
      paused: false,
      createdAt: at,
    },
  ],
};
/** As the first schema had it: no filters, and fewer words of a source. */
const FIRST = {
  ...DOCUMENT,
  schema: 1,
  filters: undefined,
  sinks: undefined,
  sources: [{ id: 's_1', url: 'https://example.com/', scope: 'host', everySeconds: 60, maxPages: 10, createdAt: at }],
};

const MATERIAL = {
  documents: [
    JSON.stringify(DOCUMENT, null, 2),
    JSON.stringify(FIRST),
    JSON.stringify({ ...DOCUMENT, schema: 5 }),
    '{}',
  ],
  pieces:
    '{ } [ ] , : " \\ null true false 0 -1 1.5 1e999 999999999999999999999 "" "\\ud800" "\\u0000" "\\u001b[2J" "schema": "schema":0 "schema":99 "sources":{} "sources":[null] "sources":[[]] "rules":"" "__proto__":{} "constructor":1 "limits":{"rules":-1} "plan":"None" // /* NaN undefined \n\n'.split(
      ' ',
    ),
  heavyLength: 200_000,
};

/** Of processor time: for whatever is small, and more for each character. */
const LIMIT_MS = 60;
const MS_A_CHARACTER = 0.002;

export function inputOf(seed: number, number: number): string {
  return inputFrom(MATERIAL, seed, number);
}

/** A catalog file that someone edited: it is as it should be, or what is wrong is one short line with the place. */
export function check(input: string, stopwatch: Stopwatch = () => undefined): Broken | undefined {
  const limit = LIMIT_MS + input.length * MS_A_CHARACTER;
  const read = attempt('throws', () => timed('read', limit, stopwatch, () => readAll(input)));
  if ('check' in read) return read;
  const { what, data } = read.result;
  if (what !== undefined)
    return isPlain(new StartFailure('configuration', what).message)
      ? undefined
      : { check: 'refusal', detail: JSON.stringify(what.slice(0, 800)) };
  const again = readAll(JSON.stringify(data));
  return isDeepStrictEqual(again.data, data) ? undefined : { check: 'twice', detail: again.what ?? 'another catalog' };
}

function readAll(text: string): { readonly what?: string; readonly data?: unknown } {
  const parsed = parseJson(text);
  if (!parsed.ok) return { what: parsed.what };
  const migrated = migrate(parsed.value);
  if (migrated.kind === 'newer') return { what: `schema ${migrated.schema}` };
  if (migrated.kind === 'damaged') return { what: migrated.what };
  const checked = checkShape(migrated.value);
  return checked.ok ? { data: checked.data } : { what: checked.what };
}

/** Fit for a terminal and a line of a log. */
function isPlain(what: string): boolean {
  return what.length > 0 && what.length <= 500 && !/\p{Cc}/u.test(what);
}
