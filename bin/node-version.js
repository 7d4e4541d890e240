'use strict';

const path = require('path');

/**
 * Whether this Node is new enough, asked before anything of ours is loaded: on an older one the first import would
 * end in a stack trace about syntax. This folder is CommonJS (its package.json says so), since files without an
 * extension cannot be ES modules before Node 20.10, and it uses no syntax that is younger than Node 14.
 */
const LEAST = [22, 19];

/**
 * @param {string} version `20.20.2`
 * @param {string} program `hydrant` or `hydrantd`
 * @param {string} directory where `bin/` is: inside node_modules when the package was installed
 * @returns {string | undefined} one line: what is needed, what was found, the way out
 */
function refusal(version, program, directory) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return undefined;
  const isInstalled = /[\\/]node_modules[\\/]/.test(directory);
  // Our own file by its path: whatever a registry knows under our name is another program.
  const wayOut = isInstalled
    ? `npx -p node@24 node "${directory}/${program}" …`
    : `export PATH="${path.dirname(directory)}/node_modules/.bin:$PATH"  (the Node that npm ci installed in this clone)`;
  return `${program} needs Node ${LEAST.join('.')} or newer; this is ${version}. Run: ${wayOut}`;
}

module.exports = { refusal };
