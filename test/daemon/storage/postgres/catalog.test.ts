import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Catalog, RecordChange } from '../../../../src/daemon/storage/catalog.ts';
import { PostgresCatalog } from '../../../../src/daemon/storage/postgres/catalog/catalog.ts';
import { NodeRows } from '../../../../src/daemon/storage/postgres/catalog/nodes.ts';
import { Database } from '../../../../src/daemon/storage/postgres/connection/database.ts';
import { StorageUnavailable } from '../../../../src/daemon/storage/unavailable.ts';
import { catalogContract, organization, ruleRecord } from '../../../contract/catalog.ts';
import { freshDatabase, hasPostgres, returnDatabase, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';
import { CutConnections } from './cut-connections.ts';

/** How long it may take, and how often it is looked: a bound for what hangs. */
const SOON = { timeout: 30_000, interval: 20 };

describe.skipIf(!hasPostgres)(`the catalog in PostgreSQL${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  let url: string;
  let database: Database;
  let errors: string[];
  let elapsed: number;
  const openings: { readonly catalog: Catalog; readonly own: Database }[] = [];
  const proxies: CutConnections[] = [];

  beforeEach(async () => {
    url = await freshDatabase();
    database = new Database({ url });
    errors = [];
    elapsed = 0;
  });
  afterEach(async () => {
    await Promise.all(openings.splice(0).map(async ({ catalog, own }) => catalog.close().then(() => own.close())));
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
    await database.close();
    await returnDatabase(url);
  });

  /** A process that has the catalog, and does not follow it yet. */
  async function open(node: string, at = url): Promise<PostgresCatalog> {
    const own = new Database({ url: at });
    const onError = (what: string, error: unknown): void => void errors.push(`${what}: ${(error as Error).message}`);
    const catalog = await PostgresCatalog.open({
      database: own,
      node,
      nodes: new NodeRows(own, node, () => Date.now()),
      onError,
      elapsed: () => elapsed,
    });
    openings.push({ catalog, own });
    return catalog;
  }

  interface Following {
    readonly catalog: PostgresCatalog;
    readonly reported: RecordChange[];
  }

  async function follow(node: string, at = url): Promise<Following> {
    const catalog = await open(node, at);
    const reported: RecordChange[] = [];
    await catalog.follow((changes) => reported.push(...changes));
    await expect.poll(() => nodes(), SOON).toContain(node);
    return { catalog, reported };
  }

  async function proxied(): Promise<CutConnections> {
    const proxy = await CutConnections.open(url);
    proxies.push(proxy);
    return proxy;
  }

  const nodes = async (): Promise<string[]> =>
    (await database.query<{ id: string }>('SELECT id FROM nodes ORDER BY id')).map(({ id }) => id);
  const rules = ({ data }: Catalog): string[] => data.rules.map(({ id }) => id);
  const add = (catalog: Catalog, ...ids: string[]): Promise<unknown> =>
    catalog.update((draft) => draft.rules.push(...ids.map(ruleRecord)));

  catalogContract(() => open('a'));

  test('a change that was answered is there after a restart, to the letter', async () => {
    const odd = { ...ruleRecord('r'), value: 'NUL \0, half a pair \ud800, "quoted" \\, ü', tag: '' };
    const first = await open('a');
    await first.update((draft) => draft.rules.push(odd));
    const again = await open('b');
    expect(again.data).toEqual(first.data);
    expect(JSON.stringify(again.data.rules)).toBe(JSON.stringify(first.data.rules));
    expect(again.data.rules[0]?.value).toBe(odd.value);
  });

  test('when a change is answered, all who follow have it, and know what has changed', async () => {
    const [one, other] = [await follow('a'), await follow('b')];
    await add(one.catalog, 'r1', 'r2');
    expect(rules(other.catalog)).toEqual(['r1', 'r2']);
    await other.catalog.update((draft) => {
      draft.rules = draft.rules.filter(({ id }) => id !== 'r1');
      draft.rules[0]!.value = 'fire';
    });
    expect(one.catalog.data).toEqual(other.catalog.data);
    const [r1, r2] = [ruleRecord('r1'), ruleRecord('r2')];
    expect(other.reported).toEqual([
      { kind: 'rules', id: 'r1', before: undefined, after: r1 },
      { kind: 'rules', id: 'r2', before: undefined, after: r2 },
    ]);
    expect(one.reported).toEqual([
      { kind: 'rules', id: 'r2', before: r2, after: { ...r2, value: 'fire' } },
      { kind: 'rules', id: 'r1', before: r1, after: undefined },
    ]);
  });

  test('what nothing was changed of stays the same list, so that an index of it is kept', async () => {
    const [one, other] = [await follow('a'), await follow('b')];
    await one.catalog.update((draft) => draft.organizations.push(organization));
    const { organizations } = other.catalog.data;
    await add(one.catalog, 'r');
    expect(rules(other.catalog)).toEqual(['r']);
    expect(other.catalog.data.organizations).toBe(organizations);
  });

  test('changes that processes make at once are all kept, each on what the one before has left', async () => {
    const processes = await Promise.all(['a', 'b', 'c'].map((node) => follow(node)));
    const lengths = await Promise.all(Array.from({ length: 60 }, (_, n) => add(processes[n % 3]!.catalog, `r${n}`)));
    expect(new Set(lengths)).toEqual(new Set(Array.from({ length: 60 }, (_, n) => n + 1)));
    const [first, ...others] = processes.map(({ catalog }) => catalog);
    expect(new Set(rules(first!))).toEqual(new Set(Array.from({ length: 60 }, (_, n) => `r${n}`)));
    for (const other of others) expect(other.data).toEqual(first!.data);
    expect((await open('d')).data).toEqual(first!.data);
  });

  test('a process that does not follow catches up when it changes something, and reports it once it follows', async () => {
    const [one, other] = [await open('a'), await open('b')];
    await add(one, 'r1');
    expect(rules(other)).toEqual([]);
    expect(await add(other, 'r2')).toBe(2);
    const reported: RecordChange[] = [];
    await other.follow((changes) => reported.push(...changes));
    expect(reported.map(({ id }) => id)).toEqual(['r1']);
    expect(rules(other)).toEqual(['r1', 'r2']);
  });

  test('the order of records is that of the document, wherever they are put in', async () => {
    const [one, other] = [await follow('a'), await follow('b')];
    await add(one.catalog, 'r1', 'r2', 'r3');
    const orders = [
      ['r0', 'r1', 'r2', 'r3'],
      ['r3', 'r0', 'between', 'r2'],
      ['r3', 'r2', 'r0', 'between', 'last'],
    ];
    for (const ids of orders) {
      await one.catalog.update((draft) => {
        draft.rules = ids.map(ruleRecord);
      });
      expect([rules(one.catalog), rules(other.catalog), rules(await open('c'))]).toEqual([ids, ids, ids]);
    }
  });

  test('one rule more is one row more, and no other is written', async () => {
    const catalog = await open('a');
    await add(catalog, 'r1', 'r2');
    const rows = () => database.query<{ id: string; xmin: string }>('SELECT id, xmin::text FROM catalog ORDER BY id');
    const before = await rows();
    await add(catalog, 'r3');
    expect((await rows()).slice(0, 2)).toEqual(before);
    expect(await database.query('SELECT version, kind, id, node FROM catalog_log WHERE version = 2')).toEqual([
      { version: 2, kind: 'rules', id: 'r3', node: 'a' },
    ]);
  });

  test('a change that changes nothing is no version', async () => {
    const catalog = await open('a');
    await catalog.update((draft) => draft.rules.length);
    expect(await database.query('SELECT version FROM catalog_state')).toEqual([{ version: 0 }]);
  });

  test('a process that was cut off knows that it is behind, and catches up', async () => {
    const proxy = await proxied();
    const [one, other] = [await follow('a'), await follow('b', proxy.url)];
    await add(one.catalog, 'r1');
    proxy.down();
    await add(one.catalog, 'r2');
    elapsed = 10_001;
    expect([other.catalog.isBehind, rules(other.catalog)]).toEqual([true, ['r1']]);
    await expect(add(other.catalog, 'r3')).rejects.toThrow(StorageUnavailable);
    proxy.up();
    await expect.poll(() => [rules(other.catalog), other.catalog.isBehind], SOON).toEqual([['r1', 'r2'], false]);
    expect(other.reported.map(({ id }) => id)).toEqual(['r1', 'r2']);
  });

  test('a process that was away for longer than the log goes back reads all of it, also what is gone', async () => {
    const proxy = await proxied();
    const [one, other] = [await follow('a'), await follow('b', proxy.url)];
    await add(one.catalog, 'r1', 'r2');
    proxy.down();
    await one.catalog.update((draft) => {
      draft.rules = [ruleRecord('r2'), ruleRecord('r3')];
    });
    await database.query('DELETE FROM catalog_log');
    await database.query('UPDATE catalog_state SET floor = version');
    proxy.up();
    await expect.poll(() => rules(other.catalog), SOON).toEqual(['r2', 'r3']);
    expect(other.reported.map(({ id, after }) => [id, after?.id])).toEqual([
      ['r1', 'r1'],
      ['r2', 'r2'],
      ['r3', 'r3'],
      ['r1', undefined],
    ]);
  });

  test('a process that is stopped is waited for no longer than a second', async () => {
    const { catalog } = await follow('a');
    await database.query(`INSERT INTO nodes (id, epoch, seen_at, catalog_version) VALUES ('stopped', 0, now(), 0)`);
    await add(catalog, 'r');
    expect(rules(catalog)).toEqual(['r']);
  });

  test('who leaves is no node any more, and who was forgotten is one again', async () => {
    const { catalog } = await follow('a');
    await follow('b');
    await catalog.close();
    expect(await nodes()).toEqual(['b']);
    await database.query('DELETE FROM nodes');
    await expect.poll(nodes, SOON).toEqual(['b']);
  });

  test('of two processes with one name the first is behind, and says why', async () => {
    const first = await follow('a');
    const second = await follow('a');
    await expect
      .poll(() => errors, SOON)
      .toEqual([expect.stringContaining('another daemon of this database is called a')]);
    elapsed = 10_001;
    await expect.poll(() => [first.catalog.isBehind, second.catalog.isBehind], SOON).toEqual([true, false]);
  });

  test('a write whose COMMIT was not answered is found, and answered', async () => {
    const proxy = await proxied();
    const catalog = await open('a', proxy.url);
    await add(catalog, 'r1');
    proxy.cutNext('commit');
    expect(await add(catalog, 'r2')).toBe(2);
    expect(rules(catalog)).toEqual(['r1', 'r2']);
    expect(await database.query('SELECT version FROM catalog_state')).toEqual([{ version: 2 }]);
  });

  test('a write whose COMMIT did not arrive is refused, and nothing of it is there', async () => {
    const proxy = await proxied();
    const catalog = await open('a', proxy.url);
    proxy.cutNext('before-commit');
    await expect(add(catalog, 'r1')).rejects.toThrow(StorageUnavailable);
    expect(rules(catalog)).toEqual([]);
    expect(await add(catalog, 'r2')).toBe(1);
    expect(rules(await open('b'))).toEqual(['r2']);
  });

  const WRONG = `UPDATE catalog SET doc = '{"id":"r1","tapId":"t1","value":"water","nsfw":"no","quality":true,"createdAt":"2026-02-27T00:00:00.000Z"}'`;

  test.each([
    [WRONG, 'record r1 of rules:/nsfw must be boolean'],
    [`UPDATE catalog SET doc = 'null'`, 'record r1 of rules: its document has another id'],
    [`UPDATE catalog_state SET schema = 99`, 'has schema 99, and this version of hydrant knows 4'],
    [`DELETE FROM catalog_state`, 'its row in catalog_state is missing'],
  ])('what cannot be trusted stops the start: %s', async (statement, what) => {
    await add(await open('a'), 'r1');
    await database.query(statement);
    await expect(open('b')).rejects.toMatchObject({
      name: 'StartFailure',
      message: expect.stringContaining(what) as string,
    });
  });

  test('a record that was damaged by hand is reported, and those who follow keep what they have', async () => {
    const { catalog } = await follow('a');
    await add(catalog, 'r1');
    await database.query(WRONG);
    await database.query(`INSERT INTO catalog_log (version, kind, id, node) VALUES (2, 'rules', 'r1', 'by hand')`);
    await database.query('UPDATE catalog_state SET version = 2');
    await expect
      .poll(() => errors, SOON)
      .toEqual([expect.stringContaining('record r1 of rules:/nsfw must be boolean')]);
    expect(catalog.data.rules).toEqual([ruleRecord('r1')]);
    elapsed = 10_001;
    expect(catalog.isBehind).toBe(true);
  });
});
