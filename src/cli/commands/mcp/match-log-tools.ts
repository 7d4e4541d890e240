import { Type } from 'typebox';
import { type OpenedTap, openTap } from '../../client/found.ts';
import { UsageError } from '../../runtime/failure.ts';
import { upToRetention } from '../option-values.ts';
import type { PastMatch } from '../../../shared/documents/past-match.ts';
import { eachPastMatch } from '../past-matches.ts';
import type { Session } from '../session.ts';
import { findWatch, openWatches, operatorOnly } from '../watch/watch-names.ts';
import { CheckWithDiff, orNull } from './answer-schemas.ts';
import { ANSWER_LENGTH, bounded } from './bounded.ts';
import { only } from './list-tools.ts';
import { type Answer, tool, type Tool } from './tool.ts';

/** What has happened: matches of taps and changes of watches, each with a cursor to go on from, and the digest of both. */

const Since = Type.Optional(
  Type.String({ default: '24h', description: 'how far back: 30m, 24h, 7d, as far as it is kept' }),
);

const Match = Type.Object({
  id: Type.String({ description: '`after` of a later call goes on behind it' }),
  tap: Type.String(),
  tap_id: Type.String(),
  at: Type.String(),
  url: Type.String(),
  title: Type.String(),
  tags: Type.Array(Type.String(), { description: 'of the rules that matched; the query of a rule without a tag' }),
  categories: Type.Array(Type.String()),
  chunks: Type.Array(Type.Object({ typ: Type.String({ description: 'ins or del' }), text: Type.String() })),
});

const cursor = {
  cursor: orNull(
    Type.Union([Type.String(), Type.Integer()], { description: '`after` of the next call; null: nothing yet' }),
  ),
  more: Type.Boolean({ description: 'whether there is more behind the cursor already' }),
};

const recentMatches = tool({
  name: 'recent_matches',
  title: 'Recent matches',
  description:
    'The matches of a tap, oldest first. Without `after` the newest of the time asked for; with `after` (the `cursor` of a former answer) those behind it, so that each is told once.',
  effect: 'reads',
  input: {
    tap: Type.Optional(Type.String({ description: 'name or id; may be left out when there is one tap' })),
    after: Type.Optional(Type.String({ pattern: '^\\d{1,9}-\\d{1,15}$', description: 'a cursor, such as 0-1842' })),
    since: Since,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  },
  output: {
    matches: Type.Array(Match),
    ...cursor,
    older: Type.Integer({ description: 'matches of that time that are not in the answer, being older' }),
    gap: Type.Optional(Type.String({ description: 'what is no longer kept of what was asked for' })),
  },
  call: async ({ session }, { tap, after, since = '24h', limit = 20 }) => {
    const { connection, client } = await session.connect();
    const opened = await openTap(connection, client, tap);
    if (after === undefined) return newestMatches(session, opened, { seconds: upToRetention(since), most: limit });
    return matchesBehind(session, opened, after, limit);
  },
});

async function newestMatches(
  session: Session,
  opened: OpenedTap,
  past: { readonly seconds: number; readonly most: number },
): Promise<Answer> {
  const found: PastMatch[] = [];
  const { passedOver, gap } = await eachPastMatch(session, opened, past, (match) => found.push(match));
  const told = fitting(found, 'newest');
  const older = passedOver + found.length - told.length;
  return {
    value: { matches: told.map(toWire), cursor: told.at(-1)?.id ?? null, more: false, older, ...gapIn(gap) },
  };
}

async function matchesBehind(session: Session, opened: OpenedTap, after: string, limit: number): Promise<Answer> {
  const found: PastMatch[] = [];
  const { gap } = await eachPastMatch(session, opened, { after, limit }, (match) => found.push(match));
  const told = fitting(found, 'oldest');
  const more = told.length < found.length || found.length >= limit;
  return {
    value: { matches: told.map(toWire), cursor: told.at(-1)?.id ?? after, more, older: 0, ...gapIn(gap) },
  };
}

function toWire({ tapId, ...match }: PastMatch): object {
  return { ...match, tap_id: tapId };
}

function gapIn(gap: string | undefined): { readonly gap?: string } {
  return gap === undefined ? {} : { gap };
}

/** Characters of one entry of a list that has a cursor, and of all of them: what was cut off behind would never be told. */
const ENTRY_LENGTH = 6_000;
const ENTRIES_LENGTH = ANSWER_LENGTH - 2_000;

/** As many of the entries as have room in one answer, in their order: the first ones, or the last. */
function fitting<Entry extends object>(entries: readonly Entry[], kept: 'oldest' | 'newest'): Entry[] {
  const told: Entry[] = [];
  let length = 0;
  for (const entry of kept === 'oldest' ? entries : entries.toReversed()) {
    const { value } = bounded(entry, ENTRY_LENGTH);
    length += JSON.stringify(value).length + 1;
    if (length > ENTRIES_LENGTH && told.length > 0) break;
    told.push(value as Entry);
  }
  return kept === 'oldest' ? told : told.reverse();
}

const watchChanges = tool({
  name: 'watch_changes',
  title: 'Changes of watches',
  description:
    'The changes of all watched URLs or of one, with their diffs, oldest first. Without `after` the newest; with `after` (the `cursor` of a former answer) those behind it, so that each is told once.',
  effect: 'reads',
  input: {
    watch: Type.Optional(Type.String({ description: 'its URL, its title or its id; without it all' })),
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'a cursor' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
  },
  output: {
    changes: Type.Array(
      Type.Object({
        cursor: Type.Integer(),
        watch: Type.Object({ id: Type.String(), url: Type.String(), title: Type.Optional(Type.String()) }),
        title: Type.Optional(Type.String({ description: 'of the page' })),
        check: CheckWithDiff,
      }),
    ),
    ...cursor,
  },
  call: async ({ session }, { watch, after, limit = 10 }) => {
    const watches = operatorOnly(await openWatches(session), 'the changes of watches');
    const one = watch === undefined ? {} : { watch: findWatch(await watches.list(), watch).id };
    const news = await watches.changes({ ...(after === undefined ? { newest: true } : { after }), limit, ...one });
    const changes = news.changes
      .filter((change) => change.cursor > (after ?? -1))
      .toSorted((former, latter) => former.cursor - latter.cursor);
    const told = fitting(changes, after === undefined ? 'newest' : 'oldest');
    return {
      value: {
        changes: told,
        cursor: told.at(-1)?.cursor ?? after ?? null,
        more: after !== undefined && (told.length < changes.length || changes.length >= limit),
      },
    };
  },
});

const Story = Type.Object({
  title: Type.String(),
  url: Type.String(),
  at: Type.String(),
  excerpt: Type.String(),
  taps: Type.Array(Type.String()),
  tags: Type.Array(Type.String()),
  matches: Type.Integer(),
});

const digest = tool({
  name: 'digest',
  title: 'Digest',
  description:
    'What matched in a day or more, near duplicates told once, grouped. A good first call: what happened, in a few lines a page.',
  effect: 'reads',
  input: {
    taps: Type.Optional(Type.Array(Type.String(), { maxItems: 50, description: 'names or ids; none: all' })),
    since: Since,
    by: Type.Optional(
      Type.Union([Type.Literal('tag'), Type.Literal('domain'), Type.Literal('category'), Type.Literal('tap')], {
        default: 'tag',
      }),
    ),
    watches: Type.Optional(Type.Boolean({ default: false, description: 'with the changes of watches' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 30, description: 'stories, the newest' })),
  },
  output: {
    since: Type.String(),
    until: Type.String(),
    kept_from: orNull(Type.String()),
    matches: Type.Integer(),
    stories: Type.Integer({ description: 'in all; those beyond the limit are in no group' }),
    groups: Type.Array(Type.Object({ name: Type.String(), stories: Type.Array(Story) })),
  },
  call: async ({ run }, { taps = [], since, by, watches, limit = 30 }) => {
    if (taps.includes('')) throw new UsageError('the name of a tap is empty');
    const flags = [
      `--limit=${limit}`,
      ...(since === undefined ? [] : [`--since=${since}`]),
      ...(by === undefined ? [] : [`--by=${by}`]),
      ...(watches === true ? ['--watches'] : []),
    ];
    return only(await run(['digest', ...flags, '--', ...taps]));
  },
});

export const matchLogTools: readonly Tool[] = [recentMatches, watchChanges, digest];
