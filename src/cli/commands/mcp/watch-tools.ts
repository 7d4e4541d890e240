import { Type } from 'typebox';
import { Check, CheckWithDiff, Hunks } from './answer-schemas.ts';
import { only } from './list-tools.ts';
import { tool, type Tool } from './tool.ts';

/** What is known of one watched URL. */

const WATCH = Type.String({ minLength: 1, description: 'its URL, its title, its id, or the beginning of its id' });
const Named = Type.Object({ id: Type.String(), url: Type.String() });

const Version = Type.Object({ n: Type.Integer(), at: Type.String() });

const watchDiff = tool({
  name: 'watch_diff',
  title: 'Diff of a watch',
  description:
    'What has changed on a watched page: its newest change, the change that one check found, or all between two checks. It stays unseen for the operator.',
  effect: 'reads',
  input: {
    watch: WATCH,
    checks: Type.Optional(
      Type.String({
        pattern: '^\\d{1,9}(\\.\\.\\d{0,9})?$',
        description: '12: the change that check 12 found; 3..12: all between two checks; 3..: all since one',
      }),
    ),
    since: Type.Optional(Type.String({ description: 'all that changed since: 2h, 7d, 2026-02-27' })),
  },
  output: {
    watch: Named,
    check: Type.Optional(CheckWithDiff),
    from: Type.Optional(Version),
    to: Type.Optional(Version),
    hunks: Type.Optional(Hunks),
    changes: Type.Optional(Type.Array(Type.Object({}), { description: 'with a management key, instead of the rest' })),
  },
  call: async ({ run, tell }, { watch, checks, since }) => {
    const words = ['watch', 'diff', '--keep-unseen', ...(since === undefined ? [] : [`--since=${since}`])];
    const named = ['--', watch, ...(checks === undefined ? [] : [checks])];
    const { value } = only(await run([...words, ...named]));
    return { value: withoutLines(value), lines: await tell([...words, ...named]) };
  },
});

/** Of two versions the diff is told; the whole texts are what `watch_text` is for. */
function withoutLines(value: object): object {
  const bare = (version: unknown): unknown =>
    typeof version === 'object' && version !== null && 'lines' in version ? { ...version, lines: undefined } : version;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key === 'from' || key === 'to' ? bare(one) : one]),
  );
}

const watchLog = tool({
  name: 'watch_log',
  title: 'Log of a watch',
  description: 'The checks of a watched URL, newest first: what each came to, and why it failed.',
  effect: 'reads',
  input: {
    watch: WATCH,
    only: Type.Optional(Type.Union([Type.Literal('changes'), Type.Literal('failures')])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 30 })),
  },
  output: {
    checks: Type.Array(Type.Union([Check, Type.Object({ has_changes: Type.Boolean(), created_at: Type.String() })])),
  },
  call: async ({ run }, { watch, only: wanted, limit = 30 }) => {
    const flags = [`--limit=${limit}`, ...(wanted === undefined ? [] : [`--${wanted}`])];
    const { values } = await run(['watch', 'log', ...flags, '--', watch]);
    return { value: { checks: values } };
  },
});

const watchText = tool({
  name: 'watch_text',
  title: 'Text of a watch',
  description: 'The lines of a watched page as a check left them: what is compared.',
  effect: 'reads',
  input: {
    watch: WATCH,
    check: Type.Optional(Type.Integer({ minimum: 1, description: 'the number of a check (default: the newest)' })),
  },
  output: { n: Type.Integer(), at: Type.String(), lines: Type.Array(Type.String()) },
  call: async ({ run }, { watch, check }) =>
    only(await run(['watch', 'text', '--', watch, ...(check === undefined ? [] : [String(check)])])),
});

export const watchTools: readonly Tool[] = [watchDiff, watchLog, watchText];
