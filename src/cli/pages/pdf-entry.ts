import { parentPort, workerData } from 'node:worker_threads';
import type { Body } from '../../shared/page/page.ts';
import { read } from '../../shared/page/read.ts';

/** Reads the one PDF that this thread was started for. */
void read(workerData as Body).then((extraction) => parentPort?.postMessage(extraction, []));
