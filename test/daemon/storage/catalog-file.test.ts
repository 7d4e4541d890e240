import { linkSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { emptyCatalog, type RuleRecord } from '../../../src/daemon/storage/catalog.ts';
import { FileCatalog, openCatalog } from '../../../src/daemon/storage/sqlite/files/catalog.ts';
import { DurableFile } from '../../../src/daemon/storage/sqlite/files/durable-file.ts';
import { organization, ruleRecord } from '../../contract/catalog.ts';
import { temporaryDir } from './data-dirs.ts';

describe('the catalog file', () => {
  let dataDir: string;
  let path: string;
  beforeEach(() => {
    dataDir = temporaryDir();
    path = join(dataDir, 'catalog.json');
  });
  const text = (name = 'catalog.json'): string => readFileSync(join(dataDir, name), 'utf8');
  const open = (): Promise<FileCatalog> => openCatalog(dataDir, false);
  const addRule = (catalog: FileCatalog, id: string): Promise<number> =>
    catalog.update((draft) => draft.rules.push(ruleRecord(id)));

  test('can be read by a person, and by its owner only', async () => {
    const catalog = await open();
    await catalog.update((draft) => draft.organizations.push(organization));
    expect(text()).toBe(`${JSON.stringify(catalog.data, null, 2)}\n`);
    expect(text()).toContain('\n      "name": "Example",\n');
    for (const name of readdirSync(dataDir)) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
  });

  test('holds, once an update is answered, what the update made; the backup what was there before', async () => {
    const catalog = await open();
    expect(readdirSync(dataDir)).toEqual(['catalog.json']);
    for (const id of ['r1', 'r2', 'r3']) {
      const before = text();
      await addRule(catalog, id);
      expect(JSON.parse(text())).toEqual(catalog.data);
      expect(text('catalog.json.bak')).toBe(before);
    }
    expect(readdirSync(dataDir).toSorted()).toEqual(['catalog.json', 'catalog.json.bak']);
    expect((await open()).data).toEqual(catalog.data);
  });

  test('several updates that wait share a write, and none is answered before it', async () => {
    const file = new DurableFile(path);
    const write = vi.spyOn(file, 'write');
    const catalog = new FileCatalog(file, '', emptyCatalog());
    const answered: string[] = [];
    const first = ['a', 'b', 'c'].map((id) => addRule(catalog, id).then(() => answered.push(id)));
    expect(write).not.toHaveBeenCalled();
    await first[0];
    expect((JSON.parse(text()) as { rules: unknown[] }).rules).toHaveLength(3);
    await Promise.all(first);
    expect(write).toHaveBeenCalledTimes(1);
    expect(answered).toEqual(['a', 'b', 'c']);
  });

  test('an update that changes nothing writes nothing', async () => {
    await (await open()).close();
    const file = new DurableFile(path);
    const write = vi.spyOn(file, 'write');
    const catalog = new FileCatalog(file, text(), emptyCatalog());
    await expect(catalog.update((draft) => draft.rules.length)).resolves.toBe(0);
    expect(write).not.toHaveBeenCalled();
  });

  test('a write that fails rejects everyone who shared it, changes nothing, and the next one works', async () => {
    const catalog = await open();
    await addRule(catalog, 'r1');
    const before = { data: catalog.data, text: text() };
    mkdirSync(`${path}.tmp`);
    const refused = await Promise.allSettled([
      addRule(catalog, 'r2'),
      catalog.update(() => {
        throw new Error('for what r2 did');
      }),
    ]);
    expect(refused.map((one) => one.status)).toEqual(['rejected', 'rejected']);
    expect((refused[1] as PromiseRejectedResult).reason).not.toMatchObject({ message: 'for what r2 did' });
    expect(catalog.data).toBe(before.data);
    expect(text()).toBe(before.text);
    rmdirSync(`${path}.tmp`);
    await addRule(catalog, 'r3');
    expect((await open()).data.rules.map((rule) => rule.id)).toEqual(['r1', 'r3']);
  });

  test('a change that the next start would refuse is refused now', async () => {
    const catalog = await open();
    const damaging = catalog.update((draft) => draft.rules.push({ id: 'r1' } as RuleRecord));
    await expect(damaging).rejects.toThrow('a change would damage the catalog: /rules/0 must have required property');
    expect(catalog.data.rules).toEqual([]);
  });

  test('leftovers of a crash at any step of a write are harmless', async () => {
    const catalog = await open();
    await addRule(catalog, 'r1');
    const former = text();
    writeFileSync(`${path}.tmp`, 'half a cata', { mode: 0o644 });
    writeFileSync(`${path}.bak.tmp`, 'half a back');
    await addRule(catalog, 'r2');
    expect(text('catalog.json.bak')).toBe(former);
    // Between the backup and the rename: both names lead to the same file.
    const whole = text();
    const again = temporaryDir();
    writeFileSync(join(again, 'catalog.json'), whole);
    linkSync(join(again, 'catalog.json'), join(again, 'catalog.json.bak'));
    await addRule(await openCatalog(again, false), 'r3');
    expect(readFileSync(join(again, 'catalog.json.bak'), 'utf8')).toBe(whole);
    expect(readdirSync(again).toSorted()).toEqual(['catalog.json', 'catalog.json.bak']);
  });

  describe('that cannot be trusted stops the start', () => {
    const whole = JSON.stringify(emptyCatalog(), null, 2);
    const wrongRule = { ...emptyCatalog(), rules: [ruleRecord('r1'), { ...ruleRecord('r2'), nsfw: 'no' }] };
    const wrongRole = {
      ...emptyCatalog(),
      members: [{ id: 'm', organizationId: 'o', name: 'n', role: 'king', createdAt: '2026-02-27T00:00:00.000Z' }],
    };

    test.each([
      [
        'a missing comma',
        whole.replace('"members": [],', '"members": []'),
        `Expected ',' or '}' after property value at line 5`,
      ],
      ['a comma too many', whole.replace('"members": [],', '"members": [,],'), "Unexpected token ',' at line 4"],
      ['a torn end', whole.slice(0, whole.indexOf('members')), 'Unterminated string at line 4'],
      ['nothing at all', '', 'Unexpected end of JSON input at line 1'],
      ['something behind the end', `${whole}\n}`, 'Unexpected non-whitespace character at line 13'],
      ['a line of zeros', '\0'.repeat(100), 'at line 1'],
      ['a list', '[]', 'the document must be an object'],
      ['no schema', '{}', '/schema must be a whole number'],
      ['a schema of before the beginning', '{"schema":0}', '/schema 0 was never in use'],
      ['a missing list', '{"schema":4}', "the document must have required property 'organizations'"],
      ['a field of the wrong type', JSON.stringify(wrongRule), '/rules/1/nsfw must be boolean'],
      ['a word that is none', JSON.stringify(wrongRole), '/members/0/role must be "admin" or "member"'],
    ])('%s', async (_, content, what) => {
      writeFileSync(path, content);
      const refusal = await open().catch((error: unknown) => error as Error);
      expect(refusal).toMatchObject({ name: 'StartFailure', kind: 'configuration' });
      expect((refusal as Error).message).toContain(what);
      expect((refusal as Error).message).toMatch(/^\S+\/catalog\.json is damaged: [^\n]+$/);
      expect(text()).toBe(content);
    });

    test('and says when the copy is whole, damaged too, or not there', async () => {
      writeFileSync(path, '{');
      await expect(open()).rejects.toThrow(`there is no copy of it (${path}.bak): restore the data directory`);
      writeFileSync(`${path}.bak`, whole);
      await expect(open()).rejects.toThrow(`restore the copy from before the last change: cp ${path}.bak ${path}`);
      writeFileSync(`${path}.bak`, '{"schema":1}');
      await expect(open()).rejects.toThrow(`its copy ${path}.bak is damaged too (the document must have`);
    });

    test('a catalog of a newer version', async () => {
      writeFileSync(path, '{"schema":5}');
      await expect(open()).rejects.toThrow(`${path} was written by a newer hydrantd (schema 5; this is`);
    });

    test('a catalog that is gone, while its copy or the database is there', async () => {
      await expect(openCatalog(dataDir, true)).rejects.toThrow(`${path} is missing, although the database exists`);
      writeFileSync(`${path}.bak`, whole);
      await expect(open()).rejects.toThrow(`restore the copy from before the last change: cp ${path}.bak ${path}`);
      expect(readdirSync(dataDir)).toEqual(['catalog.json.bak']);
    });
  });

  test('of an older version is brought up to date, and the old one kept as the copy', async () => {
    const old = JSON.stringify({ schema: 2, clubs: [organization] });
    writeFileSync(path, old);
    const catalog = await openCatalog(dataDir, false, [
      ({ clubs, ...rest }) => ({ ...rest, organizations: clubs }),
      (document) => ({ ...emptyCatalog(), ...document }),
    ]);
    expect(catalog.data).toEqual({ ...emptyCatalog(), organizations: [organization] });
    expect(JSON.parse(text())).toEqual(catalog.data);
    expect(text('catalog.json.bak')).toBe(old);
    expect((await open()).data).toEqual(catalog.data);
  });

  test('of schema 1 keeps its sources, with their fixed intervals', async () => {
    const { sources: _none, ...rest } = emptyCatalog();
    const source = { id: 's1', url: 'https://example.com/', scope: 'host', everySeconds: 600, maxPages: 9 };
    const createdAt = '2026-02-27T00:00:00.000Z';
    writeFileSync(path, JSON.stringify({ ...rest, schema: 1, sources: [{ ...source, createdAt }] }));
    expect((await open()).data.sources).toEqual([
      { ...source, depth: null, baseline: false, paused: false, createdAt },
    ]);
  });

  test('of schema 2 has no saved filters yet', async () => {
    const { filters: _none, ...rest } = emptyCatalog();
    writeFileSync(path, JSON.stringify({ ...rest, schema: 2, rules: [ruleRecord('r1')] }));
    expect((await open()).data).toEqual({ ...emptyCatalog(), rules: [ruleRecord('r1')] });
  });

  test('of schema 3 has no feeds and no sinks yet', async () => {
    const { feeds: _noFeeds, sinks: _noSinks, ...rest } = emptyCatalog();
    writeFileSync(path, JSON.stringify({ ...rest, schema: 3, rules: [ruleRecord('r1')] }));
    expect((await open()).data).toEqual({ ...emptyCatalog(), rules: [ruleRecord('r1')] });
  });

  test.each(['{"schema":1,"sources":7}', '{"schema":1,"sources":[7]}'])(
    'of schema 1 that is damaged is refused as damaged: %s',
    async (content) => {
      writeFileSync(path, content);
      await expect(open()).rejects.toThrow('is damaged: ');
      expect(text()).toBe(content);
    },
  );
});
