import { setTimeout as delay } from 'node:timers/promises';
import { StorageUnavailable } from '../../unavailable.ts';

/** For so long it is asked what has become of a commit whose answer was lost: a failover is over by then. */
const ASKED_MS = 60_000;
const ASK_AGAIN_MS = 500;

/**
 * What has become of a commit whose answer was lost: asks until the database answers.
 * @throws {StorageUnavailable} `lost`, where it does not
 */
export async function settledBy<Answer>(ask: () => Promise<Answer>, lost: StorageUnavailable): Promise<Answer> {
  for (let waited = 0; waited < ASKED_MS; waited += ASK_AGAIN_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      await delay(ASK_AGAIN_MS);
    }
  }
  throw lost;
}
