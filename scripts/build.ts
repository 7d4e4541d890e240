import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import process from 'node:process';
import { type OutputChunk, type Plugin, rolldown, RolldownMagicString } from 'rolldown';

/**
 * `npm run build`: the program as it runs, in dist (docs/decisions/0019-bundle.md). An entry keeps the path that it has in
 * src; what several entries or a late `import()` need is in dist/chunks. Packages are part of it. Nothing is minified, so
 * that a stack trace can be read as it is; with NODE_OPTIONS=--enable-source-maps it names lines of the sources.
 */
const root = path.resolve(import.meta.dirname, '..');
const src = path.join(root, 'src');
const dist = path.join(root, 'dist');

/** What bin/start.js loads. The entries of threads are found where they are started. */
const ENTRIES = ['cli/main', 'daemon/main', 'daemon/upkeep', 'daemon/fetch-once'];

/** In the code of a chunk, until it is known where the chunk is: the way from there to dist. */
const WAY_TO_DIST = '__WAY_TO_DIST__';

/**
 * A module that looks for a file beside itself (`import.meta.url`) finds it, whichever chunk the module is in: the address
 * is the one it would have in a dist of one file for each of src. A file that is named `./name${ending}` is an entry; one that
 * is named whole, './view.css', is copied.
 */
const besideModules: Plugin = {
  name: 'beside-modules',
  transform(code, id) {
    const own = path.relative(src, id);
    if (own.startsWith('..') || !code.includes('import.meta.url')) return null;
    for (const [, name = ''] of code.matchAll(/new URL\(`\.\/([\w-]+)\$\{/g)) {
      const file = path.join(path.dirname(id), `${name}.ts`);
      this.emitFile({ type: 'chunk', id: file, fileName: outputOf(path.relative(src, file)) });
    }
    for (const [, name = ''] of code.matchAll(/new URL\('\.\/([\w.-]+)', import\.meta\.url\)/g)) {
      const file = path.join(path.dirname(id), name);
      const fileName = path.join(path.dirname(outputOf(own)), name);
      this.emitFile({ type: 'asset', fileName, source: readFileSync(file) });
    }
    return replaced(code, id, 'import.meta.url', `new URL('${WAY_TO_DIST}/${outputOf(own)}', import.meta.url).href`);
  },
  renderChunk(code, { fileName }) {
    if (!code.includes(WAY_TO_DIST)) return null;
    return replaced(code, fileName, WAY_TO_DIST, path.posix.relative(path.posix.dirname(fileName), '.'));
  },
};

/**
 * Data in JSON stays what it is, with the path that it has in src: Node reads it in half the time that it takes for a module
 * which holds the same, and V8 keeps no compiled copy.
 */
const dataAsItIs: Plugin = {
  name: 'data-as-it-is',
  transform(code, id) {
    const [, specifier] = /\bimport\('(\.[^']+\.json)'/.exec(code) ?? [];
    if (specifier === undefined || !id.startsWith(src)) return null;
    const file = path.resolve(path.dirname(id), specifier);
    const fileName = outputOf(path.relative(src, file));
    this.emitFile({ type: 'asset', fileName, source: readFileSync(file) });
    return replaced(code, id, specifier, `${WAY_TO_DIST}/${fileName}`);
  },
  resolveId(source) {
    return source.startsWith(WAY_TO_DIST) ? { id: source, external: true } : null;
  },
};

/**
 * An `import` of `node:http` reads all that the module has, to export it; `WebSocket` is among it, and to have that Node loads
 * its own undici: 14 MB of every process. What is asked for in another way is read one by one.
 */
const httpAlone: Plugin = {
  name: 'http-alone',
  resolveId(source, _importer, { kind }) {
    const isImport = kind === 'import-statement' || kind === 'dynamic-import';
    return isImport && /^(?:node:)?http$/.test(source) ? HTTP_ALONE : null;
  },
  load(id) {
    if (id !== HTTP_ALONE) return null;
    const whole = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(([, one]) => 'value' in one);
    const names = whole.map(([name]) => name).filter((name) => name !== 'default');
    return `const http = process.getBuiltinModule('node:http');
      export default http;
      export const { ${names.join(', ')} } = http;`;
  },
};

/** Named as rolldown wants modules that are no file. */
const HTTP_ALONE = '\0http-alone';

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, path.join(src, `${entry}.ts`)])),
  platform: 'node',
  // React and Ink have a build for development, which takes thrice the time.
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  // Ink asks for the first in development alone; the second is installed beside the program, or not (decision 24).
  external: ['react-devtools-core', 'puppeteer-core'],
  plugins: [besideModules, dataAsItIs, httpAlone],
  onLog(level, { code, message }) {
    if (level === 'debug' || level === 'info') return;
    process.stderr.write(`${code}: ${message}\n`);
    process.exitCode = 1;
  },
});
const { output } = await bundle.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name].js',
  sourcemap: true,
  sourcemapExcludeSources: true,
  // V8 keeps the text of each file: half of it where all of it is ASCII, and less without comments. 8 MB of an idle daemon.
  charset: 'ascii',
  comments: { jsdoc: false, legal: false, annotation: false },
});
await bundle.close();
const chunks = output.filter((one): one is OutputChunk => one.type === 'chunk');
writeFileSync(path.join(dist, 'third-party-licenses.txt'), licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds)));

/** With its source map. */
function replaced(code: string, source: string, from: string, to: string): { code: string; map: string } {
  const magic = new RolldownMagicString(code).replaceAll(from, to);
  return { code: magic.toString(), map: magic.generateMap({ source, hires: true }).toString() };
}

function outputOf(source: string): string {
  return source.replaceAll(path.sep, '/').replace(/\.tsx?$/, '.js');
}

/** The directory of the package that a module is of; undefined for our own. */
function packageOf(directory: string): string | undefined {
  if (!directory.includes(`${path.sep}node_modules${path.sep}`)) return undefined;
  const manifest = path.join(directory, 'package.json');
  const isPackage = existsSync(manifest) && 'version' in (JSON.parse(readFileSync(manifest, 'utf8')) as object);
  return isPackage ? directory : packageOf(path.dirname(directory));
}

/** Of each package that is part of a chunk, its licence: all of them ask to be passed on with their text. */
function licencesOf(modules: readonly string[]): string {
  const packages = new Set(modules.flatMap((id) => packageOf(path.dirname(id)) ?? []));
  const texts = [...packages].sort().map((directory) => {
    const { name, version, license, author } = JSON.parse(
      readFileSync(path.join(directory, 'package.json'), 'utf8'),
    ) as {
      readonly name: string;
      readonly version: string;
      readonly license?: string;
      readonly author?: string | { readonly name: string };
    };
    const file = readdirSync(directory).find((one) => /^licen[cs]e(?:\.\w+)?$/i.test(one));
    const by = typeof author === 'object' ? author.name : (author ?? '');
    const text = file === undefined ? `${by}\n` : readFileSync(path.join(directory, file), 'utf8');
    return `${name} ${version} (${license ?? 'no licence is named'})\n\n${text.trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
