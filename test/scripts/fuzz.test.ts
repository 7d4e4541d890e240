import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Broken } from '../../scripts/fuzz-attempt.ts';
import { removeDirectories } from '../../scripts/fuzz-directory.ts';
import { minimize } from '../../scripts/fuzz-minimize.ts';
import { type Target, TARGETS } from '../../scripts/fuzz-targets.ts';

/** Targets that have never broken a promise: what one of them finds makes a folder for it, and takes it from here. */
const FOUND_NOTHING = ['sitemap', 'robots', 'stream', 'contexts', 'bomb'];
/** A folder a target, a file a case: its input as a JSON text. */
const cases = join(import.meta.dirname, '..', 'fuzz-cases');

async function targetNamed(name: string): Promise<Target> {
  const load = TARGETS[name];
  if (!load) throw new Error(name);
  return load();
}

afterAll(removeDirectories);

describe('the fuzzer', () => {
  test.each(Object.keys(TARGETS))(
    'gives the same input for the same number, and others for others: %s',
    async (name) => {
      const { inputOf } = await targetNamed(name);
      const inputs = Array.from({ length: 500 }, (_, number) => inputOf(1, number));
      expect(Array.from({ length: 500 }, (_, number) => inputOf(1, number))).toEqual(inputs);
      expect(new Set(inputs).size).toBeGreaterThan(400);
      expect(inputOf(2, 0)).not.toBe(inputs[0]);
    },
  );

  test('leaves out what a failure does not need', async () => {
    const fails = (text: string): boolean => text.includes('a') && /b.*c/s.test(text);
    expect(await minimize('xx b yyyyyyyyyyyyyyyyyy a zzzz c ww', fails, () => true)).toBe('bac');
    expect(await minimize('abc', fails, () => false)).toBe('abc');
  });

  test.each([
    ['query', 3_000],
    ['page', 300],
    ['warc', 300],
    ['feed', 500],
    ['sitemap', 500],
    ['robots', 500],
    ['stream', 3_000],
    ['catalog', 1_000],
    ['config', 500],
    ['watch', 100],
    ['backup', 60],
    ['contexts', 150],
    ['apply', 150],
    ['database', 100],
    ['bomb', 30],
  ])('finds nothing among its first inputs: %s', { timeout: 60_000 }, async (name, length) => {
    const { inputOf, check } = await targetNamed(name);
    const broken: Broken[] = [];
    for (let number = 0; number < length; number += 1) {
      const found = await check(inputOf(1, number));
      // How long something takes is for a quiet machine to say.
      if (found && found.check !== 'slow') broken.push({ ...found, check: `${number}: ${found.check}` });
    }
    expect(broken).toEqual([]);
  });

  test('has kept what each target found', () => {
    const kept = Object.keys(TARGETS).filter((name) => existsSync(join(cases, name)));
    expect([...kept, ...FOUND_NOTHING].sort()).toEqual(Object.keys(TARGETS).sort());
    expect(readdirSync(cases).sort()).toEqual(kept.sort());
  });

  test.each(readdirSync(cases))('finds nothing in what was found once: %s', { timeout: 60_000 }, async (name) => {
    const { check } = await targetNamed(name);
    const files = readdirSync(join(cases, name));
    expect(files).not.toEqual([]);
    for (const file of files) {
      const input = JSON.parse(readFileSync(join(cases, name, file), 'utf8')) as string;
      expect({ file, broken: await check(input) }).toEqual({ file, broken: undefined });
    }
  });
});
