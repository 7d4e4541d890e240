import type { Ledger } from '../../ledger.ts';
import type { Operations } from './operations.ts';

type Ask = <Name extends keyof Operations>(
  name: Name,
  args: Parameters<Operations[Name]>,
) => Promise<ReturnType<Operations[Name]>>;

/** The ledger's calls as messages to the storage thread. */
export function ledgerOver(ask: Ask): Ledger {
  return {
    prepaid: () => ask('prepaid', []),
    account: (organizationId, at) => ask('account', [organizationId, at]),
    grantCredit: (grant) => ask('grantCredit', [grant]),
    setCredit: (grant) => ask('setCredit', [grant]),
    unlimitCredit: (organizationId, at) => ask('unlimitCredit', [organizationId, at]),
    creditHistory: (organizationId, atMost) => ask('creditHistory', [organizationId, atMost]),
    charge: (charge) => ask('charge', [charge]),
    usage: (question) => ask('usage', [question]),
    checks: (organizationId, month) => ask('checks', [organizationId, month]),
    countCheck: (organizationId, month) => ask('countCheck', [organizationId, month]),
    trimUsage: (before) => ask('trimUsage', [before]),
  };
}
