import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from '../../../collect-garbage.ts';
import { StartFailure } from '../../../start-failure.ts';
import { CommitNote } from '../files/journal-check.ts';
import { openDatabase } from '../schema/database.ts';
import { GroupCommit } from './group-commit.ts';
import { noRoom } from '../files/data-dir.ts';
import { engineOn, methodsOf, workByName } from './engine.ts';
import type { Answer, Call, Flaw, Reply, Request, ThreadOptions } from './operation.ts';

/**
 * The storage thread: the only one that touches `hydrant.db`. SQLite is synchronous, and a COMMIT waits for the
 * disk; here it makes nobody wait who serves a stream. Reads are answered as they come, between two transactions, so
 * they see committed state and nothing else.
 */
function serve(port: Port, options: ThreadOptions): void {
  const reply = (message: Reply): void => port.postMessage(message);
  const database = openDatabase(options.path, options.partition, options);
  const note = new CommitNote(options.path);
  note.update();
  const { operations, maps, leftovers } = engineOn(database);
  const workOf = workByName(operations);
  const commits = new GroupCommit(database, options.groupCommitMs, maps, () => note.update());
  let answers: Answer[] = [];
  // Nobody waits for these; a later removal finds what a failed one has left.
  for (const step of leftovers) commits.add({ step, resolve: () => undefined, reject: () => undefined });

  port.on('message', (request: Request) => {
    if (request === 'release') {
      database.exec('PRAGMA shrink_memory');
      void collectGarbage();
      return;
    }
    if (request !== 'close') {
      for (const call of request) answer(call);
      return;
    }
    commits.close();
    tell();
    note.takeBack();
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    note.close();
    port.close();
  });
  reply({ kind: 'ready', methods: methodsOf(operations) });

  function answer({ id, operation, args }: Call): void {
    const resolve = (value: unknown): void => give({ id, answer: value });
    const reject = (error: unknown): void => give({ id, error: flaw(error, options.path) });
    try {
      const work = workOf(operation, args);
      if ('step' in work) commits.add({ step: work.step, resolve, reject });
      else resolve(work.answer);
    } catch (error) {
      reject(error);
    }
  }

  /** Those of one group commit, or of one bundle of calls, go back together. */
  function give(one: Answer): void {
    if (answers.length === 0) queueMicrotask(tell);
    answers.push(one);
  }

  function tell(): void {
    if (answers.length > 0) reply({ kind: 'answers', answers });
    answers = [];
  }
}

type Port = NonNullable<typeof parentPort>;

function refuse(port: Port, error: Error): void {
  const failure = error instanceof StartFailure ? error.kind : 'environment';
  const refusal: Reply = { kind: 'refused', failure, message: error.message };
  port.postMessage(refusal);
  port.close();
}

/** Where there is no room, its code is the system's to the rest of the daemon. */
function flaw(error: unknown, path: string): Flaw {
  const { message, code } = error as NodeJS.ErrnoException;
  return { message, code: noRoom(error, path) ?? code };
}

if (parentPort) {
  try {
    serve(parentPort, workerData as ThreadOptions);
  } catch (error) {
    refuse(parentPort, error as Error);
  }
}
