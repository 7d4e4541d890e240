import { Type } from 'typebox';
import {
  SOURCE_DEPTH,
  SOURCE_EVERY_SECONDS,
  SOURCE_PAGES,
  TAG_LENGTH,
  URL_LENGTH,
  WATCH_IGNORES,
  WATCH_OPTION_LENGTH,
  WATCH_SELECTORS,
  WATCH_TITLE_LENGTH,
} from '../../../shared/limits.ts';
import { Rule } from '../../../shared/api/rule.ts';
import { isObject } from '../../../shared/page/json-value.ts';
import { UsageError } from '../../runtime/failure.ts';
import { Check, ListedSource, ListedWatch } from './answer-schemas.ts';
import { only } from './list-tools.ts';
import { QueryText } from './query-tools.ts';
import { tool, type Tool } from './tool.ts';

/** What changes something: there only with `--write`. */

const RULE = Type.String({ minLength: 1, description: 'its id, its tag, or the beginning of its id' });

const ruleSettings = {
  tag: Type.Optional(Type.String({ maxLength: TAG_LENGTH, description: 'a label; an empty one removes it' })),
  quality: Type.Optional(
    Type.Boolean({ description: 'true (the default of a new rule): only pages of the last 7 days, no index pages' }),
  ),
  nsfw: Type.Optional(Type.Boolean({ description: 'true: adult pages, too' })),
};

interface RuleSettings {
  readonly tag?: string | undefined;
  readonly quality?: boolean | undefined;
  readonly nsfw?: boolean | undefined;
}

function ruleFlags({ tag, quality, nsfw }: RuleSettings): string[] {
  return [
    ...(tag === undefined ? [] : [`--tag=${tag}`]),
    ...(quality === undefined ? [] : [quality ? '--quality' : '--no-quality']),
    ...(nsfw === undefined ? [] : [nsfw ? '--nsfw' : '--no-nsfw']),
  ];
}

const addRule = tool({
  name: 'add_rule',
  title: 'Add a rule',
  description: 'Adds a rule to a tap, which matches from now on. Validate or try its query first.',
  effect: 'adds',
  input: {
    tap: Type.Optional(Type.String({ minLength: 1, description: 'name or id; may be left out when there is one tap' })),
    query: QueryText,
    ...ruleSettings,
  },
  output: { rule: Rule },
  call: async ({ run }, { tap, query, ...settings }) => {
    const words = ['rule', 'add', '--no-try', ...ruleFlags(settings), '--', ...(tap === undefined ? [] : [tap]), query];
    const { value, warnings } = only(await run(words));
    return { value: { rule: value }, warnings };
  },
});

const editRule = tool({
  name: 'edit_rule',
  title: 'Edit a rule',
  description: 'Changes a rule; what is not named stays as it is.',
  effect: 'replaces',
  input: { rule: RULE, query: Type.Optional(QueryText), ...ruleSettings },
  output: { rule: Rule },
  call: async ({ run }, { rule, query, ...settings }) => {
    const flags = [...(query === undefined ? [] : [`--value=${query}`]), ...ruleFlags(settings)];
    if (flags.length === 0) throw new UsageError('nothing to change: give query, tag, quality or nsfw');
    const { value, warnings } = only(await run(['rule', 'edit', '--no-try', ...flags, '--', rule]));
    return { value: { rule: value }, warnings };
  },
});

const removeRule = tool({
  name: 'remove_rule',
  title: 'Remove a rule',
  description: 'Removes a rule. Its matches stay in the log of its tap.',
  effect: 'replaces',
  input: { rule: RULE },
  output: { id: Type.String(), removed: Type.Boolean() },
  call: async ({ run }, { rule }) => only(await run(['rule', 'remove', '--yes', '--', rule])),
});

const addSource = tool({
  name: 'add_source',
  title: 'Add a source',
  description:
    'Crawls a page, a site, a feed or a sitemap from now on. Robots.txt is obeyed; addresses of private networks are refused by the daemon.',
  effect: 'adds',
  input: {
    url: Type.String({ minLength: 1, maxLength: URL_LENGTH }),
    scope: Type.Optional(
      Type.Union(
        [
          Type.Literal('page'),
          Type.Literal('prefix'),
          Type.Literal('host'),
          Type.Literal('domain'),
          Type.Literal('any'),
        ],
        {
          description:
            'how far links are followed: this page alone, below its directory, its host, its domain, anywhere',
        },
      ),
    ),
    depth: Type.Optional(Type.Integer({ minimum: 0, maximum: SOURCE_DEPTH, description: 'most links from the URL' })),
    every_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: SOURCE_EVERY_SECONDS,
        description: 'without it as often as each page changes',
      }),
    ),
    max_pages: Type.Optional(Type.Integer({ minimum: 1, maximum: SOURCE_PAGES })),
    baseline: Type.Optional(
      Type.Boolean({ default: false, description: 'the first visit of each page reports nothing' }),
    ),
  },
  output: {
    added: Type.Array(ListedSource),
    known: Type.Array(Type.Object({ id: Type.String(), url: Type.String() }), {
      description: 'it is a source already',
    }),
  },
  call: async ({ run }, { url, scope, depth, every_seconds: seconds, max_pages: pages, baseline }) => {
    const flags = [
      ...(scope === undefined ? [] : [`--scope=${scope}`]),
      ...(depth === undefined ? [] : [`--depth=${depth}`]),
      ...(seconds === undefined ? [] : [`--every=${seconds}s`]),
      ...(pages === undefined ? [] : [`--max-pages=${pages}`]),
      ...(baseline === true ? ['--baseline'] : []),
    ];
    return only(await run(['crawl', 'add', ...flags, '--', url]));
  },
});

const watchOption = Type.String({ minLength: 1, maxLength: WATCH_OPTION_LENGTH });

const addWatch = tool({
  name: 'add_watch',
  title: 'Add a watch',
  description: 'Checks a URL at a fixed interval from now on and keeps each change of its text.',
  effect: 'adds',
  input: {
    url: Type.String({ minLength: 1, maxLength: URL_LENGTH }),
    every: Type.Optional(
      Type.String({ default: '6h', description: '5m, 10m, 30m, 1h, 3h, 6h, 12h, 1d, 2d, 5d or 7d' }),
    ),
    select: Type.Optional(
      Type.Array(watchOption, { maxItems: WATCH_SELECTORS, description: 'CSS: watch only the elements it matches' }),
    ),
    ignore: Type.Optional(
      Type.Array(watchOption, { maxItems: WATCH_IGNORES, description: 'CSS, or /regex/ of lines, to leave out' }),
    ),
    only: Type.Optional(Type.Union([Type.Literal('added'), Type.Literal('removed')])),
    trigger: Type.Optional(
      Type.String({ maxLength: WATCH_OPTION_LENGTH, description: 'count only changes that match this query' }),
    ),
    confirm: Type.Optional(Type.Boolean({ default: false, description: 'report a change after a second check only' })),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: WATCH_TITLE_LENGTH })),
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: TAG_LENGTH }), { maxItems: 20 })),
  },
  output: {
    added: Type.Array(ListedWatch),
    known: Type.Array(Type.Object({ url: Type.String(), message: Type.String() }), {
      description: 'it is watched already',
    }),
  },
  call: async ({ run }, { url, every: interval, select = [], ignore = [], tags = [], ...options }) => {
    const { only: side, trigger, confirm, title } = options;
    const flags = [
      ...(interval === undefined ? [] : [`--every=${interval}`]),
      ...select.map((css) => `--select=${css}`),
      ...ignore.map((pattern) => `--ignore=${pattern}`),
      ...(side === undefined ? [] : [`--only=${side}`]),
      ...(trigger === undefined ? [] : [`--trigger=${trigger}`]),
      ...(confirm === true ? ['--confirm'] : []),
      ...(title === undefined ? [] : [`--title=${title}`]),
      ...tags.map((tag) => `--tag=${tag}`),
    ];
    return only(await run(['watch', 'add', '--no-wait', ...flags, '--', url]));
  },
});

const CHECK_SECONDS = 150;

const checkWatch = tool({
  name: 'check_watch',
  title: 'Check a watch now',
  description:
    'Checks a watched URL now, as far as its host and robots.txt allow it, and waits for what it finds. It counts as one check of the month.',
  effect: 'adds',
  withinMs: (CHECK_SECONDS + 30) * 1_000,
  input: {
    watch: Type.String({ minLength: 1, description: 'its URL, its title, its id, or the beginning of its id' }),
    wait_seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: CHECK_SECONDS, default: 30, description: '0: do not wait' }),
    ),
  },
  output: {
    id: Type.String(),
    url: Type.String(),
    asked: Type.Optional(Type.Boolean({ description: 'it is due now; nobody waited' })),
    check: Type.Optional(Check),
  },
  call: async ({ run }, { watch, wait_seconds: seconds = 30 }) => {
    const flags = seconds === 0 ? ['--no-wait'] : ['--wait', `--timeout=${seconds}s`];
    const { values } = await run(['watch', 'check', ...flags, '--', watch]);
    return only({ values: values.filter(isObject), warnings: [] });
  },
});

export const writeTools: readonly Tool[] = [addRule, editRule, removeRule, addSource, addWatch, checkWatch];
