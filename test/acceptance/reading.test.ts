import { execa } from 'execa';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const bin = join(import.meta.dirname, '../../bin/hydrant');
const vectors = join(import.meta.dirname, '../vectors/reading');
const directory = mkdtempSync(join(tmpdir(), 'hydrant-reading-'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Seen {
  readonly changed: boolean;
  readonly text: string;
  /** What a diff without a change says of where the documents differ. */
  readonly differs: readonly { readonly where: string; readonly detail: string }[];
  readonly boilerplate: number;
  readonly hidden: number;
}

function linesOf<Line>(name: string): Line[] {
  return readFileSync(join(vectors, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

async function difference(name: string, before: string, after: string): Promise<Seen> {
  const files = [before, after].map((html, side) => {
    const file = join(directory, `${name.replace(/[^a-z0-9]+/gi, '-')}-${side}.html`);
    writeFileSync(file, html);
    return file;
  });
  const options = {
    env: { HOME: directory, PATH: process.env['PATH'] ?? '' },
    extendEnv: false,
    reject: false,
  } as const;
  const { stdout, exitCode } = await execa(process.execPath, [bin, 'diff', '--json', ...files], options);
  const found = JSON.parse(stdout) as Pick<Seen, 'changed' | 'differs'> & {
    readonly account: Pick<Seen, 'boilerplate' | 'hidden'>;
  };
  expect(exitCode).toBe(found.changed ? 1 : 0);
  const { boilerplate, hidden } = found.account;
  return { changed: found.changed, text: stdout, differs: found.differs, boilerplate, hidden };
}

interface Place {
  readonly id: string;
  readonly expect: 'seen' | 'silent' | 'open';
  readonly before: string;
  readonly after: string;
}

const places = linesOf<Place>('places.jsonl');

describe.concurrent('a price in 46 places of a page', () => {
  test.each(places.filter((place) => place.expect === 'seen'))('$id: is seen', async ({ id, before, after }) => {
    const seen = await difference(id, before, after);
    expect([seen.changed, /19/.test(seen.text), /29/.test(seen.text)]).toEqual([true, true, true]);
  });

  // Boilerplate by design: it is said to be left out, and how to watch it.
  test.each(places.filter((place) => place.expect === 'silent'))('$id: is not, and says so', async (place) => {
    const seen = await difference(place.id, place.before, place.after);
    expect([seen.changed, seen.boilerplate > 0]).toEqual([false, true]);
    expect(seen.differs.map(({ detail }) => detail).join()).toContain('--select');
  });

  test.each(places.filter((place) => place.expect === 'open'))('$id: is said to differ, or is seen', async (place) => {
    const seen = await difference(place.id, place.before, place.after);
    expect(seen.changed || seen.differs.length > 0).toBe(true);
  });
});

interface PageEdit {
  readonly id: string;
  readonly page: string;
  readonly old: string;
  readonly new: string;
  readonly expect: 'seen' | 'silent';
}

describe.concurrent('an edit of a page', () => {
  test.each(linesOf<PageEdit>('edits.jsonl'))('$id: $expect', async ({ id, page, old, new: now, expect: wanted }) => {
    const before = readFileSync(join(vectors, 'pages', page), 'utf8');
    expect(before).toContain(old);
    const seen = await difference(
      id,
      before,
      before.replace(old, () => now),
    );
    expect([seen.changed, seen.differs.length > 0]).toEqual(wanted === 'seen' ? [true, false] : [false, true]);
  });
});
