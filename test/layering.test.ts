import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * Who may import whom. The path of a page goes one way, the two programs meet only in `shared`, and each package
 * has one module: what is written here is what docs/architecture.md tells.
 */
const src = join(import.meta.dirname, '..', 'src');
const files = (readdirSync(src, { recursive: true }) as string[])
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => name.replaceAll('\\', '/'))
  .sort();

interface Import {
  readonly file: string;
  /** A file below src, or the name of a package. */
  readonly target: string;
}

/** Static, dynamic and re-exporting imports, in either quote; type-only ones too, since they bind just as well. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\s[^'"`;]*?\bfrom\s*(['"])([^'"]+)\1|^import\s*(['"])([^'"]+)\3|\bimport\(\s*(['"])([^'"]+)\5/gm,
  );
  return [...found].map((match) => {
    const specifier = match[2] ?? match[4] ?? match[6] ?? '';
    const target = specifier.startsWith('.')
      ? relative(src, join(src, dirname(file), specifier)).replaceAll('\\', '/')
      : specifier;
    return { file, target };
  });
}

const imports = files.flatMap(importsOf);

/** Files and packages that are loaded before these files run: what is imported as a type, or later, is not. */
function loadedBy(...entries: string[]): ReadonlySet<string> {
  const loaded = new Set<string>(entries);
  for (const file of loaded) {
    if (!/\.tsx?$/.test(file)) continue;
    const text = readFileSync(join(src, file), 'utf8');
    for (const [, , specifier = ''] of text.matchAll(
      /^(?:import|export)\s(?!type\s)[^'"`;]*?\bfrom\s*(['"])([^'"]+)\1/gm,
    )) {
      loaded.add(specifier.startsWith('.') ? relative(src, join(src, dirname(file), specifier)) : specifier);
    }
  }
  return loaded;
}
const packageOf = (target: string): string | undefined =>
  /\.(tsx?|json)$/.test(target) ? undefined : target.split('/', target.startsWith('@') ? 2 : 1).join('/');

/** The modules whose files a module may import; its own always, `shared` by everyone. */
const daemonModules: Record<string, readonly string[]> = {
  'daemon/fetch': [],
  'daemon/storage': [],
  'daemon/storage/sqlite': ['daemon/salvage', 'daemon/storage'],
  'daemon/storage/postgres': ['daemon/storage'],
  'daemon/storage/migrate': ['daemon/storage', 'daemon/storage/postgres', 'daemon/storage/sqlite'],
  'daemon/robots': ['daemon/fetch', 'daemon/storage'],
  'daemon/render': ['daemon/fetch'],
  'daemon/discovery': ['daemon/storage'],
  'daemon/analysis': ['daemon/discovery', 'daemon/fetch', 'daemon/reading', 'daemon/storage'],
  'daemon/archive': ['daemon/fetch'],
  'daemon/backup': [],
  'daemon/salvage': [],
  'daemon/crawl': [
    'daemon/discovery',
    'daemon/fetch',
    'daemon/analysis',
    'daemon/requests',
    'daemon/robots',
    'daemon/storage',
  ],
  'daemon/requests': ['daemon/accounts', 'daemon/fetch', 'daemon/storage'],
  'daemon/stream': ['daemon/accounts', 'daemon/storage'],
  'daemon/accounts': ['daemon/storage'],
  'daemon/feeds': ['daemon/accounts', 'daemon/storage', 'daemon/watch'],
  'daemon/filters': ['daemon/accounts', 'daemon/storage'],
  'daemon/saved': ['daemon/accounts', 'daemon/storage'],
  'daemon/taps': ['daemon/accounts', 'daemon/filters', 'daemon/storage'],
  'daemon/ratings': ['daemon/storage'],
  'daemon/reading': [],
  'daemon/metrics': [],
  'daemon/notify': ['daemon/accounts', 'daemon/fetch', 'daemon/filters', 'daemon/storage', 'daemon/watch'],
  'daemon/watch': [
    'daemon/accounts',
    'daemon/crawl',
    'daemon/discovery',
    'daemon/fetch',
    'daemon/filters',
    'daemon/analysis',
    'daemon/requests',
    'daemon/robots',
    'daemon/storage',
  ],
  'daemon/http': [
    'daemon/accounts',
    'daemon/feeds',
    'daemon/filters',
    'daemon/storage',
    'daemon/stream',
    'daemon/taps',
    'daemon/watch',
  ],
  'daemon/admin': [
    'daemon/accounts',
    'daemon/crawl',
    'daemon/feeds',
    'daemon/filters',
    'daemon/http',
    'daemon/metrics',
    'daemon/notify',
    'daemon/ratings',
    'daemon/saved',
    'daemon/storage',
    'daemon/stream',
    'daemon/taps',
    'daemon/watch',
  ],
  'daemon/view': ['daemon/accounts', 'daemon/feeds', 'daemon/http', 'daemon/storage', 'daemon/stream'],
};
/** Files of src/daemon itself that its modules may use. */
const daemonGround = [
  'daemon/collect-garbage.ts',
  'daemon/compression.ts',
  'daemon/fault-points.ts',
  'daemon/process/command.ts',
  'daemon/process/log.ts',
  'daemon/outside.ts',
  'daemon/problem.ts',
  'daemon/start-failure.ts',
  'daemon/process/version.ts',
];

const sharedModules: Record<string, readonly string[]> = {
  'shared/analysis': [],
  'shared/api': ['shared/page'],
  'shared/archive': ['shared/page'],
  'shared/automaton': [],
  'shared/page': [],
  'shared/digest': ['shared/documents', 'shared/page', 'shared/text'],
  'shared/documents': ['shared/api', 'shared/page', 'shared/text'],
  'shared/text': [],
  'shared/label': [
    'shared/page',
    ...['adult', 'category', 'language', 'page-type'].map((module) => `shared/label/${module}`),
  ],
  'shared/label/adult': ['shared/label', 'shared/page'],
  'shared/label/category': ['shared/label', 'shared/label/data', 'shared/analysis', 'shared/page', 'shared/vocabulary'],
  'shared/label/language': ['shared/label', 'shared/label/data', 'shared/vocabulary'],
  'shared/label/page-type': ['shared/label', 'shared/page', 'shared/vocabulary'],
  'shared/lists': ['shared/page'],
  'shared/rating': ['shared/page'],
  'shared/vocabulary': [],
  'shared/query': ['shared/analysis', 'shared/api', 'shared/automaton', 'shared/vocabulary'],
  'shared/match': ['shared/analysis', 'shared/api', 'shared/automaton', 'shared/label', 'shared/page', 'shared/query'],
};
const sharedGround = ['daemon-notice', 'grouped', 'lazy', 'limits', 'settings'].map((name) => `shared/${name}.ts`);

/** The commands with a folder of their own, and the other folders that each may use. */
const commandModules: Record<string, readonly string[]> = {
  accounts: [],
  apply: ['crawl', 'watch'],
  crawl: ['rule'],
  daemon: [],
  demo: ['tail'],
  digest: ['rule'],
  doctor: [],
  feed: ['watch'],
  ingest: [],
  mcp: ['offline', 'rule', 'watch'],
  offline: [],
  rule: ['offline'],
  service: [],
  tail: ['rule'],
  watch: ['apply'],
};
/** What every part of the command line may use. */
const cliBasis = ['cli/client', 'cli/runtime', 'cli/text'];
const besideCommands = ['cli/archive', 'cli/changes', 'cli/pages', 'cli/screens', ...cliBasis];

const cliModules: Record<string, readonly string[]> = {
  'cli/archive': cliBasis,
  'cli/changes': cliBasis,
  'cli/client': cliBasis,
  'cli/pages': cliBasis,
  'cli/runtime': cliBasis,
  'cli/screens': ['cli/changes', ...cliBasis],
  'cli/text': cliBasis,
  'cli/commands': besideCommands,
  ...Object.fromEntries(
    Object.entries(commandModules).map(([module, others]) => [
      `cli/commands/${module}`,
      ['cli/commands', ...besideCommands, ...others.map((other) => `cli/commands/${other}`)],
    ]),
  ),
};
/** What tells of every command: each may be loaded from here. */
const commandsOfAll = new Set(['roster', 'program', 'complete'].map((name) => `cli/commands/${name}.ts`));

const modules = new Set([daemonModules, sharedModules, cliModules].flatMap(Object.keys));

/** The module of a file: the nearest folder above it with a row in a table; the folders inside of a module are its own affair. */
function moduleOf(file: string): string {
  let folder = dirname(file);
  while (!modules.has(folder) && dirname(folder) !== '.') folder = dirname(folder);
  return folder;
}

function mayImport({ file, target }: Import): boolean {
  const from = moduleOf(file);
  const to = moduleOf(target);
  if (from === to) return true;
  if (from.startsWith('shared')) return sharedGround.includes(target) || (sharedModules[from] ?? []).includes(to);
  if (target.startsWith('shared/')) return true;
  return from.startsWith('daemon') ? mayInDaemon(file, target) : mayInCli(file, target);
}

function mayInDaemon(file: string, target: string): boolean {
  const from = moduleOf(file);
  const to = moduleOf(target);
  if (from === 'daemon') return to.startsWith('daemon') && mayTheGround(file, to);
  return daemonGround.includes(target) || (daemonModules[from] ?? []).includes(to);
}

function mayInCli(file: string, target: string): boolean {
  const from = moduleOf(file);
  const to = moduleOf(target);
  if (from === 'cli') return to.startsWith('cli');
  if (commandsOfAll.has(file) && to.startsWith('cli/commands/')) return true;
  // What runs a command line names the program.
  if (file === 'cli/runtime/run.ts' && target === 'cli/commands/program.ts') return true;
  return (cliModules[from] ?? []).includes(to);
}

/** Only the composition roots, that of the daemon and that of its upkeep, name an implementation of storage. */
function mayTheGround(file: string, to: string): boolean {
  const isImplementation = /^daemon\/storage\/(?:sqlite|postgres|migrate)$/.test(to);
  return !isImplementation || file === 'daemon/daemon.ts' || file === 'daemon/upkeep.ts';
}

/** One package, one module (or one file). */
const packageModules: Record<string, readonly string[]> = {
  '@commander-js/extra-typings': ['cli/commands'],
  '@exodus/bytes': ['shared/page'],
  '@fastify/ajv-compiler': ['daemon/http/app.ts', 'daemon/storage/catalog-schema.ts'],
  '@fastify/cors': ['daemon/http/server.ts'],
  '@fastify/rate-limit': ['daemon/http/rate-limits.ts'],
  '@fastify/swagger': ['daemon/http/openapi-document.ts'],
  '@fastify/type-provider-typebox': ['daemon/http', 'daemon/admin'],
  '@modelcontextprotocol/server': ['cli/commands/mcp'],
  commander: ['cli/commands'],
  conf: ['cli/runtime/contexts.ts'],
  'css-select': ['shared/page'],
  diff: ['shared/page'],
  'eventsource-client': ['cli/client'],
  fastify: ['daemon/http', 'daemon/admin', 'daemon/view'],
  feedsmith: ['daemon/discovery'],
  'html-encoding-sniffer': ['shared/page'],
  ink: ['cli/screens'],
  'jq-wasm': ['cli/runtime/json-filter.ts'],
  lowdb: ['daemon/storage/sqlite'],
  'markdown-it': ['daemon/http/docs-page.ts', 'shared/page/read/markdown.ts'],
  'json-p3': ['shared/page/select/json-path.ts'],
  minizlib: ['daemon/compression.ts'],
  'node-cron': ['daemon/composition/jobs.ts'],
  nodemailer: ['daemon/notify/kinds/email.ts'],
  pg: ['daemon/storage/postgres'],
  'node:sqlite': ['daemon/storage/sqlite', 'cli/runtime/file-lock.ts'],
  parse5: ['shared/page'],
  pino: ['daemon/process/log.ts'],
  'pino-pretty': ['daemon/process/log.ts'],
  'prom-client': ['daemon/metrics'],
  'puppeteer-core': ['daemon/render'],
  re2js: ['shared/page'],
  react: ['cli/screens'],
  saxes: ['shared/page/read/xml-events.ts', 'daemon/discovery/sitemap.ts'],
  'string-width': ['cli'],
  tldts: ['shared/page'],
  typebox: ['cli/commands/mcp', 'shared/api', 'daemon/http', 'daemon/admin', 'daemon/storage/catalog-schema.ts'],
  undici: ['daemon/fetch'],
  unpdf: ['shared/page/pdf/pdf.ts'],
  yaml: ['cli/commands'],
};

function mayUse({ file, target }: Import): boolean {
  const name = packageOf(target);
  if (name === undefined) return true;
  if (file.startsWith('shared/') && name.startsWith('node:')) return false;
  if (name.startsWith('node:') && packageModules[name] === undefined) return true;
  return (packageModules[name] ?? []).some((module) => file === module || file.startsWith(`${module}/`));
}

describe('layering', () => {
  test('the test sees imports at all: static, dynamic, type-only and of packages', () => {
    const has = (file: string, target: string): boolean =>
      imports.some((found) => found.file === file && found.target === target);
    expect(has('daemon/crawl/host-request.ts', 'daemon/outside.ts')).toBe(true);
    expect(has('daemon/analysis/analyze-page.ts', 'shared/page/compare.ts')).toBe(true);
    expect(has('daemon/process/log.ts', 'pino')).toBe(true);
    expect(has('cli/main.ts', 'cli/runtime/run.ts')).toBe(true);
    expect(files.every((file) => importsOf(file).every(({ target }) => target !== ''))).toBe(true);
  });

  test('the rules are not empty words: planted strangers are refused', () => {
    const planted: Import[] = [
      { file: 'shared/page/page.ts', target: 'daemon/outside.ts' },
      { file: 'shared/query/syntax/parser.ts', target: 'shared/match/rule-index.ts' },
      { file: 'cli/commands/tail/tail.ts', target: 'daemon/main.ts' },
      { file: 'daemon/http/taps.ts', target: 'cli/runtime/output.ts' },
      { file: 'daemon/http/taps.ts', target: 'daemon/storage/sqlite/schema/database.ts' },
      { file: 'daemon/pipeline.ts', target: 'daemon/storage/sqlite/schema/database.ts' },
      { file: 'daemon/storage/pages.ts', target: 'daemon/stream/hub.ts' },
      { file: 'daemon/fetch/fetcher.ts', target: 'daemon/crawl/crawler.ts' },
    ];
    expect(planted.filter(mayImport)).toEqual([]);
    const packages: Import[] = [
      { file: 'shared/page/read/extract.ts', target: 'node:fs' },
      { file: 'daemon/crawl/crawler.ts', target: 'undici' },
      { file: 'daemon/stream/hub.ts', target: 'fastify' },
      { file: 'cli/client/client.ts', target: 'left-pad' },
    ];
    expect(packages.filter(mayUse)).toEqual([]);
  });

  test.each(files)('%s imports only modules it may know', (file) => {
    expect(importsOf(file).filter((found) => packageOf(found.target) === undefined && !mayImport(found))).toEqual([]);
  });

  test.each(files)('%s uses only packages of its module', (file) => {
    expect(importsOf(file).filter((found) => !mayUse(found))).toEqual([]);
  });

  test('the clock, random numbers and the environment are read in their own files only', () => {
    const readers = [
      'daemon/fault-points.ts',
      'daemon/main.ts',
      'daemon/outside.ts',
      'daemon/settings.ts',
      'cli/runtime/process-context.ts',
      // What React asks for when it is loaded.
      'cli/screens/production.ts',
    ];
    const asks = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.env\b/;
    const strangers = files.filter((file) => {
      const code = readFileSync(join(src, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      return asks.test(code) && !readers.includes(file);
    });
    expect(strangers).toEqual([]);
  });

  test('the main thread of the daemon starts without what it may never need', () => {
    const rest = 'pino-pretty prom-client markdown-it parse5 css-select re2js json-p3 saxes feedsmith diff unpdf yaml';
    const later = [...rest.split(' '), '@fastify/swagger', 'nodemailer', 'puppeteer-core', 'undici'];
    const atStart = loadedBy('daemon/main.ts', 'daemon/daemon.ts');
    expect(atStart.size).toBeGreaterThan(100);
    expect(later.filter((name) => atStart.has(name))).toEqual([]);
    // The walk does find packages.
    expect([...loadedBy('daemon/analysis/thread.ts')]).toEqual(expect.arrayContaining(['parse5', 'diff', 'feedsmith']));
  });

  test('there are no drawers and no barrels', () => {
    const drawers = /(^|\/)(index|utils?|helpers?|common|types|constants|misc)(\/|\.tsx?$)/;
    expect(files.filter((file) => drawers.test(file))).toEqual([]);
  });

  test('every package the project declares is used in src, and every one used is declared', () => {
    const manifest = JSON.parse(readFileSync(join(src, '..', 'package.json'), 'utf8')) as Record<string, object>;
    // What is asked for by a name that is put together, one for each kind of machine, is no import.
    const optional = Object.keys(manifest['optionalDependencies'] ?? {}).filter(
      (name) => !name.startsWith('@koromix/'),
    );
    const declared = [...Object.keys(manifest['dependencies'] ?? {}), ...optional];
    const used = new Set(imports.map(({ target }) => packageOf(target)).filter((name) => !name?.startsWith('node:')));
    used.delete(undefined);
    expect([...used].sort()).toEqual(declared.sort());
  });
});
