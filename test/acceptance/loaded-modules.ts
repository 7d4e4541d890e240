const spy = `import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  const loaded = next(url, context);
  const modules = Buffer.from(loaded.source ?? '').toString().match(/^\\/\\/(?:#region)? ?(?:src|node_modules)\\/.*/gm) ?? [];
  process.stderr.write([url, ...modules, ''].join('\\n'));
  return loaded;
} });`;

/**
 * Flags of Node with which a program names on stderr each file that it loads, and the modules that the bundler has put into
 * it: `node_modules/commander/…`, `src/cli/main.ts`.
 */
export const namesWhatItLoads = ['--import', `data:text/javascript,${encodeURIComponent(spy)}`];
