import fc from 'fast-check';
import type { KeyCreated, Organization } from '../../src/shared/api/organization.ts';
import { accountCommands } from './account-commands.ts';
import { dataOf, type Step } from './command.ts';
import { creditCommands } from './credit-commands.ts';
import { type Disk, memoryDisk } from './disk.ts';
import { filterCommands } from './filter-commands.ts';
import { Model } from './model.ts';
import { ruleCommands } from './rule-commands.ts';
import { streamCommands } from './stream-commands.ts';
import { System } from './system.ts';
import { tapCommands } from './tap-commands.ts';

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

/** Steps of one history: long enough that limits are met and what is gone is asked for again. */
const HISTORY = 200;

/** Takes about so many steps in all. Throws at the first difference, with the shortest history that leads to it. */
export async function walk(steps: number, seed?: number, newDisk: () => Disk = memoryDisk): Promise<number> {
  let taken = 0;
  const counted = families.map((family) => family.map((one) => counting(one, () => (taken += 1))));
  const histories = fc.commands(counted, { maxCommands: HISTORY, size: 'max' });
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      if (taken >= steps) return;
      const { model, system } = await start(newDisk());
      try {
        await fc.asyncModelRun(() => ({ model, real: system }), history);
      } finally {
        await system.close();
      }
    }),
    { numRuns: Math.ceil(steps / 20), ...(seed !== undefined && { seed }) },
  );
  return taken;
}

function counting(one: Step, count: () => void): Step {
  return {
    check: (model) => one.check(model),
    run: async (model, system) => {
      count();
      await one.run(model, system);
    },
    toString: () => one.toString(),
  };
}

/** Two organizations with a key each. */
async function start(disk: Disk): Promise<{ model: Model; system: System }> {
  const [model, system] = [new Model(), new System(disk)];
  await system.restart();
  const [home] = dataOf(await system.operate<{ data: Organization[] }>('GET', '/admin/organizations', ''));
  const other = dataOf(
    await system.operate<{ data: Organization }>('POST', '/admin/organizations', '', { name: 'other', plan: 'Free' }),
  );
  for (const { id, allowed } of [home, other].filter((one) => one !== undefined)) {
    const { active_taps: activeTaps, rules } = allowed;
    const credit = { isUnlimited: true, grants: [] };
    const organization = { id, activeTaps: activeTaps ?? Infinity, rules: rules ?? Infinity, ...credit };
    model.organizations.push(organization);
    const { data, key } = (await system.operate('POST', '/admin/keys', id, { name: 'first' })).body as KeyCreated;
    model.keys.push({ organization, id: data.id, key, isRevoked: false });
  }
  return { model, system };
}
