import { chmodSync, chownSync, lchownSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openIn, temporaryDir } from './data-dirs.ts';

const isRoot = process.geteuid?.() === 0;
const own = process.geteuid?.() ?? 0;
const STRANGER = 54_321;

/** A data directory that was used, and closed. */
async function used(): Promise<string> {
  const dataDir = join(temporaryDir(), 'data');
  const storage = await openIn(dataDir);
  await storage.close();
  writeFileSync(join(dataDir, 'secret'), 's'.repeat(32), { mode: 0o600 });
  return dataDir;
}

const refused = { name: 'StartFailure', kind: 'configuration' };

async function refusalOf(dataDir: string): Promise<string> {
  const failure: unknown = await openIn(dataDir).catch((error: unknown) => error);
  expect(failure).toMatchObject(refused);
  return (failure as Error).message;
}

describe('a data directory that others may write to is refused, with what puts it right:', () => {
  test.each([0o777, 0o770, 0o707, 0o1777, 0o720])('mode %o', async (mode) => {
    const dataDir = await used();
    chmodSync(dataDir, mode);
    expect(await refusalOf(dataDir)).toContain(
      `${dataDir} may be written to by others (mode ${mode.toString(8)}), who could give hydrantd keys and data of theirs; ` +
        `check that its contents are yours, then: chmod go-w ${dataDir}`,
    );
    chmodSync(dataDir, statSync(dataDir).mode & ~0o022);
    await openIn(dataDir);
  });

  test.each(['catalog.json', 'secret', 'hydrant.db', 'lock'])('%s in it', async (name) => {
    const dataDir = await used();
    chmodSync(join(dataDir, name), 0o660);
    expect(await refusalOf(dataDir)).toContain(`then: chmod go-w ${dataDir} ${join(dataDir, name)}`);
  });

  test('whose path has to be quoted', async () => {
    const dataDir = join(temporaryDir(), "my data's");
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o777);
    expect(await refusalOf(dataDir)).toMatch(/chmod go-w '.*my data'\\''s'$/);
  });
});

test('one that others may only look into is used, and so is one behind a link of its own', async () => {
  const dataDir = await used();
  chmodSync(dataDir, 0o755);
  const link = join(temporaryDir(), 'link');
  symlinkSync(dataDir, link);
  expect(await openIn(link)).toMatchObject({ losses: [] });
});

describe.skipIf(!isRoot)('one that is another user’s is refused, with what puts it right:', () => {
  test('the directory', async () => {
    const dataDir = await used();
    chownSync(dataDir, STRANGER, STRANGER);
    const message = await refusalOf(dataDir);
    expect(message).toContain(
      `${dataDir} belongs to the user with id ${STRANGER}, and hydrantd runs as the one with id ${own}`,
    );
    expect(message).toContain(`then: chown -R -h ${own} ${dataDir}, or run hydrantd as that user`);
  });

  test.each(['catalog.json', 'secret', 'hydrant.db'])('%s in it', async (name) => {
    const dataDir = await used();
    chownSync(join(dataDir, name), STRANGER, STRANGER);
    expect(await refusalOf(dataDir)).toContain(`${join(dataDir, name)} belongs to the user with id ${STRANGER}`);
  });

  test('a link to the directory, or to a file in it', async () => {
    const dataDir = await used();
    const link = join(temporaryDir(), 'link');
    symlinkSync(dataDir, link);
    lchownSync(link, STRANGER, STRANGER);
    expect(await refusalOf(link)).toContain(`${link} belongs to`);
    const [secret, elsewhere] = [join(dataDir, 'secret'), join(temporaryDir(), 'secret')];
    renameSync(secret, elsewhere);
    symlinkSync(elsewhere, secret);
    await (await openIn(dataDir)).close();
    chownSync(elsewhere, STRANGER, STRANGER);
    expect(await refusalOf(dataDir)).toContain(`${secret} belongs to`);
  });
});
