import { parentPort } from 'node:worker_threads';
import { answer, type Task } from './read-page.ts';

/** One of the threads that read pages: a task in, an answer out, one at a time. */
parentPort?.on('message', (task: Task) => {
  void answer(task).then((found) => parentPort?.postMessage(found, []));
});
