import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginNewLife } from '../../../src/daemon/storage/sqlite/files/data-copy.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'hydrant-copy-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function made(name: string, sql: string): string {
  const path = join(directory, name);
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  return path;
}

const LOG = 'CREATE TABLE log (partition INTEGER); INSERT INTO log VALUES (7);';

test('a database that was copied gives its log a partition that no id has had', () => {
  const path = made('sound', LOG);
  beginNewLife(path, 1_700_000_000_000);
  const database = new DatabaseSync(path);
  expect(database.prepare('SELECT partition FROM log').get()).toEqual({ partition: 1_700_000_000 });
  database.close();
});

test.each([
  ['of another program', 'CREATE TABLE notes (text TEXT)'],
  ['with another log', 'CREATE TABLE log (text TEXT)'],
  [
    'with a trigger, which would run as the daemon writes',
    `${LOG} CREATE TRIGGER t UPDATE ON log BEGIN DELETE FROM log; END`,
  ],
  ['with a view in the place of a table', `${LOG} CREATE VIEW events AS SELECT 1`],
])('a database %s is not taken for one of ours', (name, sql) => {
  const path = made(name, sql);
  expect(() => beginNewLife(path, 1_700_000_000_000)).toThrow('the database in it is not one of hydrant');
});
