import { type Desk, STEADY } from './desk.ts';
import { queryFor } from './rule-windows.ts';
import type { Told } from './told.ts';

/** Taps whose rules come and go, and one that is paused now and then. */
export const CHANGING = 'changing';
export const PAUSING = 'pausing';

interface Around {
  readonly desk: Desk;
  readonly names: readonly string[];
  /** Where sources and watches of no page may be made. */
  readonly origins: { readonly crawled: readonly string[]; readonly watched: readonly string[] };
  readonly steady: Told;
}

type Chore = (around: Around) => Promise<unknown>;

/** One thing that somebody does at the desk, whichever. */
export async function chore(around: Around): Promise<void> {
  await around.desk.any(CHORES)?.(around);
}

export async function writeRule({ desk, names }: Pick<Around, 'desk' | 'names'>): Promise<number | undefined> {
  const some = Array.from({ length: 3 }, () => desk.any(names) ?? '');
  const query = queryFor([...new Set(some)]);
  const known = changeable(desk);
  if (known.length < MOST_RULES) return desk.writeRule(desk.next('r'), desk.any([CHANGING, PAUSING]) ?? '', query);
  const tag = desk.any(known) ?? '';
  const [tap = ''] = (desk.rules.throughout(performance.now(), performance.now()).get(tag) ?? '').split(' ');
  return desk.writeRule(tag, tap, desk.any([query, undefined]));
}

const CHORES: readonly Chore[] = [
  writeRule,
  writeRule,
  writeRule,
  async ({ desk }) => {
    const [status] = [...desk.taps.throughout(performance.now(), performance.now())].flatMap(([name, value]) =>
      name === PAUSING ? [value] : [],
    );
    if (status !== undefined) await desk.changeTap(PAUSING, status === 'active' ? 'paused' : 'active');
  },
  async ({ desk }) => {
    const passing = desk.taps.settled.filter((name) => name.startsWith('t'));
    if (passing.length < MOST_TAPS) await desk.makeTap(desk.next('t'));
    else await desk.changeTap(desk.any(passing) ?? '', undefined);
  },
  async ({ desk, origins }) => {
    const extra = desk.sources.settled.filter((url) => url.includes('/extra-'));
    if (extra.length < MOST_SOURCES) {
      await desk.writeSource(`${desk.any(origins.crawled) ?? ''}/${desk.next('extra-')}`, true);
    } else await desk.writeSource(desk.any(extra) ?? '', false);
  },
  async ({ desk, origins }) => {
    const extra = desk.watches.settled.filter((url) => url.includes('/extra-'));
    if (extra.length < MOST_WATCHES) {
      await desk.writeWatch(`${desk.any(origins.watched) ?? ''}/${desk.next('extra-')}`, 'paused');
      return;
    }
    const status = desk.any(['active', 'paused'] as const) ?? 'paused';
    await desk.writeWatch(desk.any(extra) ?? '', status);
  },
  async ({ desk }) => {
    if (desk.grants.settled.length < MOST_GRANTS) await desk.grant(Number(desk.next('')));
  },
  async ({ desk, steady }) => {
    const saved = desk.saved.settled;
    if (saved.length >= MOST_SAVED) {
      await desk.saveMatch(desk.any(saved) ?? '', undefined);
      return;
    }
    const offset = Math.floor((desk.any(FRACTIONS) ?? 0) * steady.events.size);
    const event = steady.events.get(offset);
    if (event === undefined) return;
    const { document } = JSON.parse(event.data) as { document: { url: string } };
    // Of one whose fate is not known, the next look comes first.
    if (desk.saved.isInDoubt(document.url)) return;
    await desk.saveMatch(document.url, `0-${offset}`);
  },
];

function changeable(desk: Desk): string[] {
  return desk.rules.settled.filter((tag) => tag.startsWith('r'));
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
export async function furnish({ desk, names }: Pick<Around, 'desk' | 'names'>): Promise<void> {
  for (const tap of [STEADY, CHANGING, PAUSING]) await desk.makeTap(tap);
  await desk.writeRule('all', STEADY, 'title:version');
  await desk.writeRule('first', CHANGING, queryFor(names.slice(0, 1)));
  await desk.writeRule('second', PAUSING, queryFor(names.slice(0, 6)));
}
