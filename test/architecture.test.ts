import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * How the tree is cut into files and what they are called: whole files in folders that one looks through at a glance, no
 * import cycles, not of types either, and standard terms. Who may import whom: layering.test.ts.
 */
const root = join(import.meta.dirname, '..');

const SMALLEST_FILE = 25;
const LARGEST_FOLDER = 25;

/** Words that once stood for something with a standard name; camelCase counts as words. */
const JARGON = [
  'deeds?',
  'desks?',
  'dice',
  'dull twins?',
  'errands?',
  'for ever',
  'furnish(?:ed|es|ing)?',
  'furniture',
  'hasten(?:ed|s|ing)?',
  'hinters?',
  'host[- ]words?',
  'households?',
  'leaves? place',
  'mends|mended',
  'none of ours',
  'papers',
  'placeless',
  'setbacks?',
  'told of',
];
/** Files whose words are data: what pages say, in the languages they are written in. */
const WORD_LISTS = /^src\/shared\/label\/.*\.(ts|json)$|^src\/shared\/vocabulary\//;

/**
 * What does not hold yet, by check and path. Lines are taken out, never added: a line whose file has been put right fails
 * below. The words that are left are names of tables and columns, which stay as they are on people's disks.
 */
const KNOWN = `
word src/daemon/storage/sqlite/crawl/host-store.ts
word src/daemon/storage/sqlite/crawl/visited-store.ts
word src/daemon/storage/sqlite/salvage/repair.ts
word src/daemon/storage/sqlite/schema/migration-steps.ts
word src/daemon/storage/sqlite/schema/migrations.ts
`;

type Check = 'cycle' | 'folder' | 'small' | 'word';

const filesBelow = (folder: string, form: RegExp): string[] =>
  (readdirSync(join(root, folder), { recursive: true }) as string[])
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => form.test(name) && !name.includes('node_modules/'))
    .sort();
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

const sources = filesBelow('src', /\.tsx?$/).filter((file) => !file.endsWith('.d.ts'));
const documents = ['README.md', ...filesBelow('docs', /\.md$/)];
const programs = filesBelow('bin', /^bin\/[\w.-]+$/);

/** The files of src that a file imports, static or dynamic, types too; or starts as a thread (`new URL(…)`). */
function importsOf(file: string): { readonly imported: readonly string[]; readonly started: readonly string[] } {
  const text = textOf(file);
  const toPath = (specifier: string): string => join(dirname(file), specifier).replaceAll('\\', '/');
  const imported = text.matchAll(
    /^(?:import|export)\s[^'"`;]*?\bfrom\s*['"](\.[^'"]+)['"]|^import\s*['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]/gm,
  );
  return {
    imported: [...new Set([...imported].map((match) => toPath(match[1] ?? match[2] ?? match[3] ?? '')))],
    // `./thread${…}`: with the ending of the file that starts it.
    started: [...text.matchAll(/new URL\(\s*`(\.[^`$]+)\$\{/g)].map((match) => `${toPath(match[1] ?? '')}.ts`),
  };
}

const graph = new Map([...sources, ...programs].map((file) => [file, importsOf(file)]));

/** A file of a few lines has to be looked for on its own: worth it where three others do, or a thread begins there. */
function smallFiles(): string[] {
  const importers = new Map<string, number>();
  for (const { imported } of graph.values())
    for (const target of imported) importers.set(target, (importers.get(target) ?? 0) + 1);
  const entries = new Set([...graph.values()].flatMap(({ started }) => started));
  return sources.filter(
    (file) =>
      textOf(file).split('\n').length - 1 < SMALLEST_FILE && (importers.get(file) ?? 0) < 3 && !entries.has(file),
  );
}

function largeFolders(): string[] {
  const counts = new Map<string, number>();
  for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > LARGEST_FOLDER).map(([folder]) => folder);
}

/** The files from which imports lead back to themselves (strongly connected components, Tarjan 1972). */
function filesInCycles(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[] = [];
  const visit = (file: string): number => {
    const at = order.size;
    order.set(file, at);
    lowest.set(file, at);
    stack.push(file);
    let low = at;
    for (const next of edges.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, order.get(next) ?? at);
    }
    lowest.set(file, low);
    if (low === at) {
      const component = stack.splice(stack.indexOf(file));
      if (component.length > 1) found.push(...component);
    }
    return low;
  };
  for (const file of edges.keys()) if (!order.has(file)) visit(file);
  return found.sort();
}

const jargon = new RegExp(`\\b(?:${JARGON.join('|')})\\b`, 'gi');

/** The words of JARGON in a text: in prose over the end of a line, in code as parts of names. */
function jargonIn(text: string): string[] {
  const words = text
    .replaceAll(/\n\s*(?:\*|\/\/|#|>)?\s*/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ');
  return [...words.matchAll(jargon)].map((match) => match[0].toLowerCase());
}

/** The titles of a test file: a string before a function as an argument. */
function titlesOf(file: string): string {
  const titles = textOf(file).matchAll(
    /\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,\s*(?:\{[^}]*\},\s*)?(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>/g,
  );
  return [...titles].map((match) => match[2]).join('\n\n. ');
}

function filesWithJargon(): string[] {
  const whole = [...sources.filter((file) => !WORD_LISTS.test(file)), ...programs, ...documents];
  const tests = filesBelow('test', /\.test\.tsx?$/);
  return [
    ...whole.filter((file) => jargonIn(`${file}\n${textOf(file)}`).length > 0),
    ...tests.filter((file) => jargonIn(titlesOf(file)).length > 0),
  ];
}

const offenders: Record<Check, readonly string[]> = {
  cycle: filesInCycles(new Map([...graph].map(([file, { imported }]) => [file, imported]))),
  folder: largeFolders(),
  small: smallFiles(),
  word: filesWithJargon(),
};
const known = new Set(KNOWN.split('\n').filter((line) => line !== ''));
const added = (check: Check): string[] =>
  offenders[check].map((path) => `${check} ${path}`).filter((line) => !known.has(line));

describe('the tree', () => {
  test('the checks see what they look for', () => {
    expect(graph.get('src/daemon/process/log.ts')).toBeDefined();
    expect([...graph.values()].flatMap(({ started }) => started)).toContain('src/daemon/analysis/thread.ts');
    const planted = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['a']],
      ['d', []],
    ]);
    expect(filesInCycles(planted)).toEqual(['a', 'b', 'c']);
    expect(jargonIn('class TapDesk {} // is told\n// of. paperstock')).toEqual(['desk', 'told of']);
    expect(titlesOf('test/architecture.test.ts')).toContain('the checks see what they look for');
  });

  test(`no source file is under ${SMALLEST_FILE} lines, unless a thread begins in it or three others import it`, () => {
    expect(added('small')).toEqual([]);
  });

  test(`no folder of src holds more than ${LARGEST_FOLDER} files`, () => {
    expect(added('folder')).toEqual([]);
  });

  test('no imports go in a circle, those of types included', () => {
    expect(added('cycle')).toEqual([]);
  });

  test('names, comments, documents and titles use standard terms', () => {
    expect(added('word')).toEqual([]);
  });

  test('what is known not to hold does not hold: lines whose file was put right are taken out', () => {
    const now = new Set(Object.entries(offenders).flatMap(([check, paths]) => paths.map((path) => `${check} ${path}`)));
    expect([...known].filter((line) => !now.has(line))).toEqual([]);
  });
});
