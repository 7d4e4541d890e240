/** What an organization may have, by the name of its plan. */
export interface Plan {
  /** Taps that are not paused. */
  readonly activeTaps: number;
}

const plans: ReadonlyMap<string, Plan> = new Map([
  ['Free', { activeTaps: 1 }],
  ['Starter', { activeTaps: 10 }],
  ['Advanced', { activeTaps: 30 }],
  ['Business', { activeTaps: 100 }],
  ['API only', { activeTaps: Infinity }],
]);

export const planNames: readonly string[] = [...plans.keys()];

/** The plan of the first start: an instance of one's own should not meet its limits on the first day. */
export const FIRST_PLAN = 'Business';

/** @throws {Error} for a name that is no plan; a start refuses such a catalog. */
export function planNamed(name: string): Plan {
  const plan = plans.get(name);
  if (plan === undefined) throw new Error(`There is no plan "${name}".`);
  return plan;
}
