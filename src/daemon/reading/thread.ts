import { parentPort, workerData } from 'node:worker_threads';
import type { Body } from '../../shared/page/page.ts';
import { read } from '../../shared/page/read.ts';
import { collectGarbage } from '../collect-garbage.ts';

/** Reads the one body that this thread was started for, and ends with it: what V8 still holds then, it holds for seconds. */
async function readOne(): Promise<void> {
  const extraction = await read(workerData as Body);
  await collectGarbage();
  parentPort?.postMessage(extraction, []);
}

void readOne();
