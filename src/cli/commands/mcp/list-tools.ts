import { Type } from 'typebox';
import { URL_LENGTH } from '../../../shared/limits.ts';
import { isObject } from '../../../shared/page/json-value.ts';
import {
  ListedRule,
  ListedSource,
  ListedTap,
  ListedWatch,
  listed,
  orNull,
  page,
  part,
  Visit,
} from './answer-schemas.ts';
import { type Call, tool, type Tool } from './tool.ts';

/** What there is: each as the command of the same name lists it. */

const listTaps = tool({
  name: 'list_taps',
  title: 'List taps',
  description: 'The taps: each has rules and a stream of matches. Tokens are left out.',
  effect: 'reads',
  input: { ...page },
  output: { ...listed, taps: Type.Array(ListedTap) },
  call: async ({ run }, input) => {
    const { shown, ...rest } = part((await run(['tap', 'list'])).values[0], input);
    return { value: { ...rest, taps: shown } };
  },
});

const listRules = tool({
  name: 'list_rules',
  title: 'List rules',
  description:
    'The rules (stored Lucene queries) of one tap or of all, with what each has matched in the last 24 hours and what its filters have withheld.',
  effect: 'reads',
  input: { tap: Type.Optional(Type.String({ description: 'name or id of a tap; without it all' })), ...page },
  output: { ...listed, rules: Type.Array(ListedRule) },
  call: async ({ run }, { tap, ...input }) => {
    const { values } = await run(['rule', 'list', ...(tap === undefined ? [] : ['--', tap])]);
    const { shown, ...rest } = part(values[0], input);
    return { value: { ...rest, rules: shown } };
  },
});

const listWatches = tool({
  name: 'list_watches',
  title: 'List watches',
  description: 'The watched URLs with their interval, last check, unseen changes and problems; failing ones first.',
  effect: 'reads',
  input: {
    tag: Type.Optional(Type.String({ description: 'only those with this tag' })),
    only: Type.Optional(
      Type.Union([Type.Literal('failing'), Type.Literal('changed')], {
        description: 'failing: the last check failed; changed: with unseen changes',
      }),
    ),
    ...page,
  },
  output: { ...listed, watches: Type.Array(ListedWatch) },
  call: async ({ run }, { tag, only, ...input }) => {
    const flags = [...(tag === undefined ? [] : [`--tag=${tag}`]), ...(only === undefined ? [] : [`--${only}`])];
    const { shown, ...rest } = part((await run(['watch', 'list', ...flags])).values[0], input);
    return { value: { ...rest, watches: shown } };
  },
});

const listSources = tool({
  name: 'list_sources',
  title: 'List sources',
  description: 'The sources of the crawl with their scope, pages, last and next visit; failing ones first.',
  effect: 'reads',
  input: { failing: Type.Optional(Type.Boolean({ default: false, description: 'only those that fail' })), ...page },
  output: { ...listed, sources: Type.Array(ListedSource) },
  call: async ({ run }, { failing, ...input }) => {
    const { values } = await run(['crawl', 'list', ...(failing === true ? ['--failing'] : [])]);
    const { shown, ...rest } = part(values[0], input);
    return { value: { ...rest, sources: shown } };
  },
});

const crawlWhy = tool({
  name: 'crawl_why',
  title: 'Why a URL is crawled, or not',
  description:
    'What the crawl knows of a URL: the sources that cover it, the verdict of robots.txt, its last visits, when it is due, its last change and what each rule made of it.',
  effect: 'reads',
  input: { url: Type.String({ maxLength: URL_LENGTH }) },
  output: {
    url: Type.String(),
    host: Type.String(),
    trap: orNull(Type.String()),
    sources: Type.Array(
      Type.Object({ id: Type.String(), url: Type.String(), holds: Type.Boolean(), because: orNull(Type.String()) }),
    ),
    robots: Type.Object({ verdict: Type.String(), detail: orNull(Type.String()) }),
    page: orNull(Type.Object({ due_at: Type.String(), failures: Type.Integer(), answers: Type.Array(Visit) })),
    last_change: Type.Optional(Type.Object({ changed_at: orNull(Type.String()) })),
  },
  call: async ({ run }, { url }) => only(await run(['crawl', 'why', '--', url])),
});

const status = tool({
  name: 'status',
  title: 'Status of the daemon',
  description: 'How the daemon is doing: crawl, watches, rules, streams, memory, and its problems.',
  effect: 'reads',
  input: {},
  output: {
    version: Type.String(),
    started_at: Type.String(),
    organization: Type.String(),
    crawl: Type.Object({
      sources: Type.Integer(),
      pages: Type.Integer(),
      visits: Type.Integer(),
      failures: Type.Integer(),
    }),
    watch: Type.Object({ watches: Type.Integer(), failing: Type.Integer(), checks: Type.Integer() }),
    match: Type.Object({ taps: Type.Integer(), rules: Type.Integer(), events: Type.Integer() }),
    problems: Type.Array(Type.Object({ at: Type.String(), message: Type.String() })),
  },
  call: async ({ run }) => only(await run(['status'])),
});

/** Of a command that prints one object. */
export function only({ values, warnings }: Awaited<ReturnType<Call['run']>>): {
  readonly value: object;
  readonly warnings: readonly string[];
} {
  const [value] = values;
  return { value: isObject(value) ? value : {}, warnings };
}

export const listTools: readonly Tool[] = [listTaps, listRules, listWatches, listSources, crawlWhy, status];
