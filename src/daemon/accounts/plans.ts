import { StartFailure } from '../start-failure.ts';
import type { OrganizationRecord } from '../storage/catalog.ts';
import type { PlanLimitFacts } from '../../shared/api/problem.ts';
import { RULES_PER_ORGANIZATION } from '../../shared/limits.ts';

/** What an organization may have. `Infinity` where there is no limit. */
export interface Plan {
  /** Taps that are not paused. */
  readonly activeTaps: number;
  /** 0: none can be watched. */
  readonly watchedUrls: number;
  readonly checksAMonth: number;
  /** Minutes between two checks of a watch, at least. */
  readonly fastestMinutes: number;
  /** Over all taps. */
  readonly rules: number;
}

/** Numbers that differ from a plan's; null: no limit. This is their form in files, which know no infinity. */
export type PlanLimits = { readonly [Name in keyof Plan]?: number | null };

export type PlanTable = Readonly<Record<string, Plan>>;

const rules = RULES_PER_ORGANIZATION;

/** The plans of an instance whose operator has not changed them; docs/configuration.md lists them. */
export const defaultPlans: PlanTable = {
  Free: { activeTaps: 1, watchedUrls: 5, checksAMonth: 1_000, fastestMinutes: 180, rules },
  Starter: { activeTaps: 10, watchedUrls: 50, checksAMonth: 20_000, fastestMinutes: 10, rules },
  Advanced: { activeTaps: 30, watchedUrls: 200, checksAMonth: 200_000, fastestMinutes: 5, rules },
  Business: { activeTaps: 100, watchedUrls: 1_000, checksAMonth: 2_000_000, fastestMinutes: 5, rules },
  'API only': { activeTaps: Infinity, watchedUrls: 0, checksAMonth: 0, fastestMinutes: 5, rules },
};

/** The plan of the first start: an instance of one's own should not meet its limits on the first day. */
export const FIRST_PLAN = 'Business';

/** What each number may be; a cadence is never without a limit, since each check is a visit to somebody's server. */
const ranges: Readonly<Record<keyof Plan, { readonly least: number; readonly most: number; readonly open: boolean }>> =
  {
    activeTaps: { least: 0, most: 1_000_000, open: true },
    watchedUrls: { least: 0, most: 1_000_000, open: true },
    checksAMonth: { least: 0, most: 1_000_000_000, open: true },
    fastestMinutes: { least: 5, most: 10_080, open: false },
    rules: { least: 0, most: 100_000, open: true },
  };
export const planLimitNames = Object.keys(ranges) as readonly (keyof Plan)[];

/** Which plans there are, and what each organization may have: its plan's numbers, or its own where it has some. */
export class Plans {
  readonly #table: PlanTable;

  constructor(table: PlanTable = defaultPlans) {
    this.#table = table;
  }

  get names(): readonly string[] {
    return Object.keys(this.#table);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#table, name);
  }

  /** @throws {Error} for a plan that is none; a start refuses such a catalog. */
  of({ plan, limits = {} }: Pick<OrganizationRecord, 'plan' | 'limits'>): Plan {
    const found = this.has(plan) ? this.#table[plan] : undefined;
    if (found === undefined) throw new Error(`There is no plan "${plan}".`);
    return { ...found, ...opened(limits) };
  }

  /** What a refusal says of a number that an organization has reached. */
  reached(organization: OrganizationRecord, name: keyof Plan): PlanLimitFacts {
    const { name: called, plan, limits = {} } = organization;
    return { organization: called, plan, isOwn: limits[name] !== undefined, limit: this.of(organization)[name] };
  }
}

/** What is wrong with a number of a plan; undefined where nothing is. */
export function wrongLimit(name: keyof Plan, value: unknown): string | undefined {
  const { least, most, open } = ranges[name];
  if (value === null && open) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return undefined;
  return `is not a whole number from ${least} to ${most}${open ? ', or null for no limit' : ''}`;
}

/**
 * The plans with what a config file says of them: numbers that differ, and plans of the operator's own.
 * @throws {StartFailure} that names the place.
 */
export function readPlans(value: unknown, place: string): PlanTable {
  const table: Record<string, Plan> = { ...defaultPlans };
  for (const [name, limits] of entriesOf(value, place)) {
    const where = `${place}.${quoted(name)}`;
    const given = readLimits(limits, where);
    const known = Object.hasOwn(defaultPlans, name) ? defaultPlans[name] : undefined;
    const missing = planLimitNames.filter((one) => known === undefined && given[one] === undefined);
    if (missing.length > 0) throw wrong(`${where} is a custom plan and also needs ${missing.join(', ')}`);
    table[name] = { ...known, ...opened(given) } as Plan;
  }
  return table;
}

function readLimits(value: unknown, place: string): PlanLimits {
  for (const [name, limit] of entriesOf(value, place)) {
    const known = planLimitNames.find((one) => one === name);
    if (known === undefined)
      throw wrong(`${place}: unknown limit ${quoted(name)}; known are ${planLimitNames.join(', ')}`);
    const complaint = wrongLimit(known, limit);
    if (complaint !== undefined) throw wrong(`${place}.${name}: ${quoted(limit)} ${complaint}`);
  }
  return value as PlanLimits;
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= QUOTED_LENGTH ? text : `${text.slice(0, QUOTED_LENGTH)}…`;
}

const QUOTED_LENGTH = 100;

function entriesOf(value: unknown, place: string): [string, unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw wrong(`${place}: expected an object such as {"Free": {"activeTaps": 2}}`);
}

function opened(limits: PlanLimits): Partial<Plan> {
  return Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, limit ?? Infinity]));
}

function wrong(message: string): StartFailure {
  return new StartFailure('configuration', message);
}
