import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Rule } from '../../src/shared/api/rule.ts';
import type { Status } from '../../src/shared/api/status.ts';
import { ChangingSite } from './changing-site.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';
import { SseReader } from './sse-reader.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing.close();
});

/** `age` was a field of rules once; a catalog of that time may have it. */
test('a stored rule that this version refuses is named with its place and the fix, and stops nothing else', async () => {
  const daemon = await RealDaemon.start(loopback);
  const site = await ChangingSite.start(1, 96);
  open.push({ close: () => daemon.dispose() }, site);
  await daemon.hydrant(['tap', 'create', 'news']);
  const token = (await daemon.hydrant(['tap', 'token', 'news'])).trim();
  const add = async (query: string): Promise<Rule> =>
    JSON.parse(await daemon.hydrant(['rule', 'add', 'news', query, '--no-quality', '--no-try', '--json'])) as Rule;
  const [old, good] = [await add('ferry AND dr:5'), await add('fox')];
  await daemon.stop();
  const catalog = join(daemon.dataDir, 'catalog.json');
  const before = readFileSync(catalog, 'utf8');
  writeFileSync(catalog, before.replace('ferry AND dr:5', 'ferry AND age:[0 TO 604800]'));
  await daemon.start();

  const why = 'There is no field age. Did you mean recent?';
  const place = '(at position 10: age:[0 TO 604800])';
  expect(daemon.log).toContain('this version refuses a stored rule');
  expect(daemon.log).toContain(`hydrant rule edit ${old.id}`);
  const status = JSON.parse(await daemon.hydrant(['status', '--json'])) as Status;
  expect(status.refused_rules).toEqual([{ id: old.id, tap: 'news', why: expect.stringContaining(why) as string }]);
  expect(status.refused_rules?.[0]?.why).toContain(place);
  expect(await daemon.hydrant(['status'])).toContain(`${old.id.slice(0, 8)} of the tap news matches nothing: ${why}`);

  const list = await daemon.run('hydrant', ['rule', 'list', 'news']);
  expect([list.exitCode, list.stdout.split('\n').length]).toEqual([0, 2]);
  expect(list.stderr).toContain(`rule ${old.id.slice(0, 8)} matches nothing: ${why}`);
  expect(list.stderr).toContain(`hydrant rule edit ${old.id}`);
  expect((await daemon.run('hydrant', ['rule', 'show', old.id])).stderr).toContain(place);
  const { stdout } = await daemon.run('hydrant', ['doctor', '--json']);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; says: string; fix: string }[] };
  expect(checks.filter(({ name }) => name === 'rules')).toEqual([
    {
      name: 'rules',
      state: 'warn',
      says: expect.stringContaining(place) as string,
      fix: `hydrant rule edit ${old.id}`,
    },
  ]);

  const reader = new SseReader();
  open.push(reader);
  await reader.open(`${daemon.notice.url}/v1/stream?offset=0`, token);
  await daemon.hydrant(['crawl', 'add', ...site.urls, '--every', '1s']);
  await until('the other rule matched', () => reader.updates().length > 0);
  expect(reader.updates()[0]?.data).toContain(`"query_ids":["${good.id}"]`);

  await daemon.hydrant(['rule', 'edit', old.id, '--value', 'ferry AND recent:7d']);
  expect(JSON.parse(await daemon.hydrant(['status', '--json']))).not.toHaveProperty('refused_rules');
  expect((await daemon.run('hydrant', ['rule', 'list', 'news'])).stderr).toBe('');
});
