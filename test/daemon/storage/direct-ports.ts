import type { DatabaseSync } from 'node:sqlite';
import { GroupCommit } from '../../../src/daemon/storage/sqlite/worker/group-commit.ts';
import type { Step } from '../../../src/daemon/storage/sqlite/worker/operation.ts';
import { engineOn, methodsOf, workByName } from '../../../src/daemon/storage/sqlite/worker/engine.ts';
import { portsOver } from '../../../src/daemon/storage/sqlite/worker/operation.ts';
import type { Ports } from '../../../src/daemon/storage/storage.ts';

/** The ports without the thread between: the same operations and commits, some hundred histories faster. */
export function directPorts(database: DatabaseSync): Ports {
  const { operations, maps } = engineOn(database);
  const commits = new GroupCommit(database, 0, maps);
  const workOf = workByName(operations);
  return portsOver(methodsOf(operations), async (name, args) => {
    const work = workOf(name, args);
    if (!('step' in work)) return work.answer;
    // To the end, also where nobody has to wait for it: what is left is compared.
    const step = (): Step => ({ ...work.step(), isAnswered: false });
    return new Promise((resolve, reject) => {
      commits.add({ step, resolve, reject });
    });
  });
}
