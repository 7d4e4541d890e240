import { afterEach, beforeEach, expect, test } from 'vitest';
import { outside } from '../../src/daemon/outside.ts';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import type { Status } from '../../src/shared/api/status.ts';
import type { Tap } from '../../src/shared/api/tap.ts';
import { identityOf } from '../../src/daemon/discovery/canonical.ts';
import { append, visitOf } from '../fixtures/visits.ts';
import { loopback, RealDaemon } from './real-daemon.ts';

/** A page that nothing answers for. */
const NOBODY = 'http://127.0.0.66:9/';
const YEAR = 365 * 86_400_000;

let daemon: RealDaemon;
beforeEach(async () => {
  daemon = new RealDaemon(loopback);
  await daemon.start();
});
afterEach(() => daemon.dispose());

test('a start puts right what a clock that was ahead has written, and forgets what revoked taps have left', async () => {
  await daemon.hydrant(['tap', 'create', 'news']);
  await daemon.hydrant(['crawl', 'add', NOBODY]);
  const { data } = await daemon.operator<{ data: Tap[] }>('GET', '/v1/taps');
  const [tap] = data;
  await daemon.stop();
  const storage = await openSqlite({ dataDir: daemon.dataDir, outside });
  // One commit a year ahead, and all that come after it bear its time. Of one tap the catalog knows nothing.
  await append(storage, Date.now() + YEAR, tap!.id, 'revoked');
  await append(storage, Date.now(), tap!.id);
  // And a source's page is due in two years.
  const { page } = (await storage.frontier.look(identityOf(NOBODY)))!;
  await storage.pages.commit(visitOf(page, { at: Date.now() + YEAR, nextDue: Date.now() + 2 * YEAR }));
  await storage.close();

  await daemon.start();
  const { data: status } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
  const problems = status.problems.map(({ message }) => message).join('\n');
  expect(problems).toContain('the clock was ahead and had written 2 events');
  expect(problems).toContain('the clock was ahead and had scheduled 1 pages too late: they are due now');
  expect(status.match.events).toBe(2);
  expect(daemon.log).toContain('the clock was ahead');
  expect(daemon.log).toContain('deleted the leftover events of revoked taps');
  await daemon.stop();

  const after = await openSqlite({ dataDir: daemon.dataDir, outside });
  const events = await after.eventLog.read(tap!.id, 0, { events: 10, bytes: 1_000 });
  expect(events).toHaveLength(2);
  expect(events.every(({ at }) => at <= Date.now())).toBe(true);
  expect(await after.eventLog.bounds('revoked')).toMatchObject({ head: 0 });
  await after.close();
});
