import fc from 'fast-check';
import type { KeyCreated, Organization } from '../../src/shared/api/organization.ts';
import { accountCommands, accountRequests } from './account-commands.ts';
import { dataOf, type Step } from './command.ts';
import { creditCommands, creditRequests } from './credit-commands.ts';
import { filterCommands, filterRequests } from './filter-commands.ts';
import { Model } from './model.ts';
import { ruleCommands } from './rule-commands.ts';
import type { StepClock } from './service.ts';
import { inMemory, type NewService } from './services.ts';
import { streamCommands } from './stream-commands.ts';
import { tapCommands } from './tap-commands.ts';
import { together } from './together.ts';

/**
 * Random steps, taken by the service and by a model of it that is nothing but lists: after each of them both have
 * answered the same and have the same rules registered. A family of steps is a file and a line here.
 */
const families: readonly fc.Arbitrary<Step>[] = [
  ...tapCommands,
  ...ruleCommands,
  ...filterCommands,
  ...accountCommands,
  ...creditCommands,
  ...streamCommands,
];

/** Those of them that are a request each, which several clients can make at once. */
const requests: readonly fc.Arbitrary<Step>[] = [
  ...tapCommands,
  ...ruleCommands,
  ...filterRequests,
  ...accountRequests,
  ...creditRequests,
];

/** Steps of one history: long enough that limits are met and what is gone is asked for again. */
const HISTORY = 200;

/** Of those that interleave. */
const CLIENTS = 3;

export interface WalkOptions {
  readonly seed?: number;
  readonly open?: () => Promise<NewService>;
  /** Three clients, whose requests are mostly made at once. */
  readonly isInterleaved?: boolean;
}

/** Takes about so many steps in all. Throws at the first difference, with the shortest history that leads to it. */
export async function walk(
  steps: number,
  { seed, open = inMemory, isInterleaved = false }: WalkOptions = {},
): Promise<number> {
  let taken = 0;
  let current: StepClock | undefined;
  const clock = (): StepClock => {
    if (!current) throw new Error('no service was started');
    return current;
  };
  const anyRequests = fc.array(fc.oneof(...requests), { minLength: CLIENTS, maxLength: CLIENTS });
  const batch = anyRequests.map((some) => together(some, clock));
  const batches = isInterleaved ? families.map(() => counting(batch, () => (taken += CLIENTS))) : [];
  const single = families.map((family) => counting(family, () => (taken += 1)));
  const histories = fc.commands([...single, ...batches], { maxCommands: HISTORY, size: 'max' });
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      if (taken >= steps) return;
      const opened = await open();
      current = opened.clock;
      try {
        const model = await start(opened.service);
        await fc.asyncModelRun(() => ({ model, real: opened.service }), history);
      } finally {
        await opened.service.close();
      }
    }),
    { numRuns: Math.ceil(steps / 20), ...(seed !== undefined && { seed }) },
  );
  return taken;
}

function counting(family: fc.Arbitrary<Step>, count: () => void): fc.Arbitrary<Step> {
  return family.map((one) => ({
    check: (model) => one.check(model),
    take: one.take,
    run: async (model, service) => {
      count();
      await one.run(model, service);
    },
    toString: () => one.toString(),
  }));
}

/** Two organizations with a key each. */
export async function start(service: NewService['service']): Promise<Model> {
  const model = new Model();
  await service.start();
  const [home] = dataOf(await service.operate<{ data: Organization[] }>('GET', '/admin/organizations', ''));
  const other = dataOf(
    await service.operate<{ data: Organization }>('POST', '/admin/organizations', '', { name: 'other', plan: 'Free' }),
  );
  for (const { id, allowed } of [home, other].filter((one) => one !== undefined)) {
    const { active_taps: activeTaps, rules } = allowed;
    const credit = { isUnlimited: true, grants: [] };
    const organization = { id, activeTaps: activeTaps ?? Infinity, rules: rules ?? Infinity, ...credit };
    model.organizations.push(organization);
    const { data, key } = (await service.operate('POST', '/admin/keys', id, { name: 'first' })).body as KeyCreated;
    model.keys.push({ organization, id: data.id, key, isRevoked: false });
  }
  return model;
}
