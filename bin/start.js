'use strict';

const { existsSync } = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');
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
  void run(name).then((code) => {
    process.exitCode = code;
  });
}

function unbuilt(name) {
  if (existsSync(path.join(dist, 'cli', 'main.js'))) return undefined;
  return `${name} is not built yet. Run: npm run build`;
}

/** The command line never imports the daemon; here the two meet. */
async function run(name) {
  const { main } = await load('cli/main.js');
  return main(process.argv.slice(2), process, {
    name,
    daemonPath: path.join(__dirname, 'hydrantd'),
    upkeep: () => load('daemon/upkeep.js'),
    serve: async (flags) => (await load('daemon/main.js')).runDaemon(flags, process),
    fetchPage: async (url, signal) => (await load('daemon/fetch-once.js')).fetchPage(url, signal),
  });
}

function load(file) {
  return import(pathToFileURL(path.join(dist, file)).href);
}

module.exports = { start };
