import { prepareCluster } from './postgres-cluster.ts';

/** Around each run of the tests: what its files have started is ended, also when some of them failed. */
export function setup(): () => Promise<void> {
  return prepareCluster();
}
