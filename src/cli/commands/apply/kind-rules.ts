import type { Rule } from '../../../shared/api/rule.ts';
import { kindOf, type World } from './kind.ts';
import { invalidQuery } from '../query-report.ts';

interface WantedRule {
  readonly tap: string;
  /** Empty: none. */
  readonly tag: string;
  readonly value: string;
  readonly quality: boolean;
  readonly nsfw: boolean;
}

interface PresentRule extends WantedRule {
  readonly id: string;
  readonly token: string;
}

/** Characters of a query that name a rule without a tag. */
const NAME_LENGTH = 60;

export const ruleKind = kindOf<WantedRule, PresentRule>({
  section: 'rules',
  noun: 'rule',
  fields: ['tap', 'tag', 'value', 'quality', 'nsfw'],
  nameOf: ({ tap, tag, value }) => `${tap}/${tag || value.slice(0, NAME_LENGTH)}`,
  present,
  read: (fields) => ({
    tap: fields.required('tap'),
    tag: fields.text('tag') ?? '',
    value: fields.required('value').trim(),
    quality: fields.flag('quality') ?? true,
    nsfw: fields.flag('nsfw') ?? false,
  }),
  check: async ({ item, fields }, world) => {
    const isThere = world.taps.has(item.tap) || (await world.knownTaps()).some(({ name }) => name === item.tap);
    if (!isThere) throw fields.fault('tap', `there is no tap \`${item.tap}\`, in the file or on the daemon`);
    await checkQuery(item, (message) => fields.fault('value', message));
  },
  pair,
  differing: (wanted, found) =>
    (['value', 'tag', 'quality', 'nsfw'] as const).filter((name) => wanted[name] !== found[name]),
  written: ({ tap, tag, value, quality, nsfw }) => ({
    tap,
    ...(tag !== '' && { tag }),
    value,
    ...(!quality && { quality }),
    ...(nsfw && { nsfw }),
  }),
  add: async (world, { tap, tag, value, quality, nsfw }) =>
    world.client.createRule(await world.tokenOf(tap), { value, quality, nsfw, ...(tag !== '' && { tag }) }),
  change: ({ client }, { tag, value, quality, nsfw }, { id, token }) =>
    client.changeRule(token, id, { value, quality, nsfw, tag: tag === '' ? null : tag }),
  remove: ({ client }, { id, token }) => client.removeRule(token, id),
});

async function present(world: World): Promise<PresentRule[]> {
  const rules: PresentRule[] = [];
  for (const { name, token } of await world.knownTaps()) {
    for (const rule of await world.client.rules(token)) rules.push({ ...toItem(rule, name), id: rule.id, token });
  }
  return rules;
}

function toItem({ value, tag = '', quality, nsfw }: Rule, tap: string): WantedRule {
  return { tap, tag, value, quality, nsfw };
}

/**
 * A rule is known by its tap and its query; where the query is another one, by its tag, if no other rule that is left
 * has the same: a tag is a label, which several rules may have.
 */
function pair(wanted: readonly WantedRule[], there: readonly PresentRule[]): ReadonlyMap<WantedRule, PresentRule> {
  const pairs = new Map<WantedRule, PresentRule>();
  const left = new Set(there);
  const join = (keyOf: (rule: WantedRule) => string | undefined, isUniqueOnly: boolean): void => {
    const open = wanted.filter((item) => !pairs.has(item));
    const candidates = Map.groupBy(left, keyOf);
    const asked = Map.groupBy(open, keyOf);
    for (const item of open) {
      const key = keyOf(item);
      const found = key === undefined ? undefined : candidates.get(key);
      const isOne = found?.length === 1 && asked.get(key)?.length === 1;
      const match = isUniqueOnly && !isOne ? undefined : found?.shift();
      if (match) pairs.set(item, match);
      if (match) left.delete(match);
    }
  };
  join(({ tap, tag, value }) => JSON.stringify([tap, tag, value]), false);
  join(({ tap, value }) => JSON.stringify([tap, value]), false);
  join(({ tap, tag }) => (tag === '' ? undefined : JSON.stringify([tap, tag])), true);
  return pairs;
}

/** A query that refers to saved filters is the daemon's to judge: what they stand for may be changed by this very file. */
async function checkQuery({ value }: WantedRule, fault: (message: string) => Error): Promise<void> {
  if (value.includes('$')) return;
  const { validate } = await import('../../../shared/query/validate.ts');
  const { valid, diagnostics } = validate(value);
  if (valid) return;
  const wrong = invalidQuery(diagnostics, value);
  throw Object.assign(wrong, { message: fault(wrong.message).message });
}
