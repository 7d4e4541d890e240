import { type Operator, STEADY } from './operator.ts';
import { queryFor } from './rule-windows.ts';
import type { Told } from './told.ts';

/** Taps whose rules come and go, and one that is paused now and then. */
export const CHANGING = 'changing';
export const PAUSING = 'pausing';

interface Around {
  readonly operator: Operator;
  readonly names: readonly string[];
  /** Where sources and watches of no page may be made. */
  readonly origins: { readonly crawled: readonly string[]; readonly watched: readonly string[] };
  readonly steady: Told;
}

type Chore = (around: Around) => Promise<unknown>;

/** One thing that somebody does at the operator, whichever. */
export async function chore(around: Around): Promise<void> {
  await around.operator.any(CHORES)?.(around);
}

export async function writeRule({ operator, names }: Pick<Around, 'operator' | 'names'>): Promise<number | undefined> {
  const some = Array.from({ length: 3 }, () => operator.any(names) ?? '');
  const query = queryFor([...new Set(some)]);
  const known = changeable(operator);
  if (known.length < MOST_RULES)
    return operator.writeRule(operator.next('r'), operator.any([CHANGING, PAUSING]) ?? '', query);
  const tag = operator.any(known) ?? '';
  const [tap = ''] = (operator.rules.throughout(performance.now(), performance.now()).get(tag) ?? '').split(' ');
  return operator.writeRule(tag, tap, operator.any([query, undefined]));
}

const CHORES: readonly Chore[] = [
  writeRule,
  writeRule,
  writeRule,
  async ({ operator }) => {
    const [status] = [...operator.taps.throughout(performance.now(), performance.now())].flatMap(([name, value]) =>
      name === PAUSING ? [value] : [],
    );
    if (status !== undefined) await operator.changeTap(PAUSING, status === 'active' ? 'paused' : 'active');
  },
  async ({ operator }) => {
    const passing = operator.taps.settled.filter((name) => name.startsWith('t'));
    if (passing.length < MOST_TAPS) await operator.makeTap(operator.next('t'));
    else await operator.changeTap(operator.any(passing) ?? '', undefined);
  },
  async ({ operator, origins }) => {
    const extra = operator.sources.settled.filter((url) => url.includes('/extra-'));
    if (extra.length < MOST_SOURCES) {
      await operator.writeSource(`${operator.any(origins.crawled) ?? ''}/${operator.next('extra-')}`, true);
    } else await operator.writeSource(operator.any(extra) ?? '', false);
  },
  async ({ operator, origins }) => {
    const extra = operator.watches.settled.filter((url) => url.includes('/extra-'));
    if (extra.length < MOST_WATCHES) {
      await operator.writeWatch(`${operator.any(origins.watched) ?? ''}/${operator.next('extra-')}`, 'paused');
      return;
    }
    const status = operator.any(['active', 'paused'] as const) ?? 'paused';
    await operator.writeWatch(operator.any(extra) ?? '', status);
  },
  async ({ operator }) => {
    if (operator.grants.settled.length < MOST_GRANTS) await operator.grant(Number(operator.next('')));
  },
  async ({ operator, steady }) => {
    const saved = operator.saved.settled;
    if (saved.length >= MOST_SAVED) {
      await operator.saveMatch(operator.any(saved) ?? '', undefined);
      return;
    }
    const offset = Math.floor((operator.any(FRACTIONS) ?? 0) * steady.events.size);
    const event = steady.events.get(offset);
    if (event === undefined) return;
    const { document } = JSON.parse(event.data) as { document: { url: string } };
    // Of one whose fate is not known, the next look comes first.
    if (operator.saved.isInDoubt(document.url)) return;
    await operator.saveMatch(document.url, `0-${offset}`);
  },
];

function changeable(operator: Operator): string[] {
  return operator.rules.settled.filter((tag) => tag.startsWith('r'));
}

/** An organization may have 25 rules, and a hundred taps. */
const MOST_RULES = 12;
const MOST_TAPS = 4;
const MOST_SOURCES = 12;
const MOST_WATCHES = 10;
const MOST_GRANTS = 400;
const MOST_SAVED = 15;
const FRACTIONS = Array.from({ length: 50 }, (_, part) => part / 50);

/** What never changes: each tap has a rule of its own as long as it lives, so that its streams stay open. */
export async function furnish({ operator, names }: Pick<Around, 'operator' | 'names'>): Promise<void> {
  for (const tap of [STEADY, CHANGING, PAUSING]) await operator.makeTap(tap);
  await operator.writeRule('all', STEADY, 'title:version');
  await operator.writeRule('first', CHANGING, queryFor(names.slice(0, 1)));
  await operator.writeRule('second', PAUSING, queryFor(names.slice(0, 6)));
}
