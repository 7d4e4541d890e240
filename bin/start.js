'use strict';

const { existsSync, mkdirSync, statSync } = require('fs');
const { enableCompileCache } = require('module');
const path = require('path');
const { pathToFileURL } = require('url');
const { restartForLessMemory } = require('./memory-settings.js');
const { refusal } = require('./node-version.js');

const dist = path.join(__dirname, '..', 'dist');

/** Starts one of the two programs. Nothing here calls process.exit: output that is still under way would be lost. */
function start(name) {
  const problem = refusal(process.versions.node, name, __dirname) || unbuilt(name);
  if (problem) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
    return;
  }
  keepCompiled(process.env);
  void run(name).then((code) => {
    process.exitCode = code;
  });
}

function unbuilt(name) {
  if (existsSync(path.join(dist, 'cli', 'main.js'))) return undefined;
  return `${name} is not built yet. Run: npm run build`;
}

/**
 * V8 compiles the modules of a command once, not at every run: a tenth of the time of the larger ones, 30 ms of
 * `hydrant extract`. The place is the user's own: Node's default is below /tmp, where others could leave compiled code
 * for us; so it is not taken where others may write, or another user's. Where there is no such place, or it cannot be
 * written, every run compiles.
 * https://nodejs.org/api/module.html#module-compile-cache
 */
function keepCompiled({ NODE_COMPILE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA, HOME }) {
  const base = [XDG_CACHE_HOME, LOCALAPPDATA, HOME && path.join(HOME, '.cache')].find(
    (one) => one && path.isAbsolute(one),
  );
  if (NODE_COMPILE_CACHE || !base) return;
  const own = path.join(base, 'hydrant');
  const compiled = path.join(own, 'compiled');
  if (isOurs(own) && isOurs(compiled)) enableCompileCache(compiled);
}

/** Made if it is not there, whatever the umask. Windows has no such modes; a profile's directory is the user's own. */
function isOurs(directory) {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const { mode, uid } = statSync(directory);
    return !process.getuid || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}

/** The command line never imports the daemon; here the two meet. */
async function run(name) {
  const { main } = await load('cli/main.js');
  return main(process.argv.slice(2), process, {
    name,
    daemonPath: path.join(__dirname, 'hydrantd'),
    upkeep: () => load('daemon/upkeep.js'),
    serve: async (flags) =>
      (await load('daemon/main.js')).runDaemon(flags, process, {
        restart: (memory) => restartForLessMemory(process, memory),
      }),
    fetchPage: async (...asked) => (await load('daemon/fetch-once.js')).fetchPage(...asked),
  });
}

function load(file) {
  return import(pathToFileURL(path.join(dist, file)).href);
}

module.exports = { start };
