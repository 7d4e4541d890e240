import { Seal } from '../../../src/daemon/accounts/keys.ts';
import { outside } from '../../../src/daemon/outside.ts';
import { OwnRequests } from '../../../src/daemon/requests/own-requests.ts';

/** As the daemon has them, with a secret that is always the same. */
export function ownRequests(secret = new Uint8Array(32).fill(7)): OwnRequests {
  return new OwnRequests(new Seal(secret, outside, 'hydrant requests'), outside);
}
