import { chmodSync } from 'node:fs';
import path from 'node:path';
import { excess, type Noun } from './row.ts';

/** What starts daemons. */
export const serviceRows: Noun = ({ file }) => {
  const env = { HYDRANT_DATA_DIR: file('served') };
  const managed = { ...env, PATH: `${managers(file)}:${process.env['PATH']}` };
  const managedToo = { ...managed, HOME: file('another-home') };
  return [
    {
      command: 'serve',
      plain: {
        args: ['--port', '0'],
        env,
        says: /hydrantd listens/,
        on: 'stderr',
        stopAfter: /hydrantd listens/,
      },
      json: {
        args: ['--port', '0', '--log-format', 'json'],
        env,
        stopAfter: /hydrantd listens/,
      },
      fails: { args: ['--port', 'high'], exit: 2, code: 'usage' },
    },
    {
      command: 'dial-stdio',
      plain: { input: ASKED, says: /^HTTP\/1\.1 200 OK\r\n.*"data":\{/s },
      json: { input: ASKED },
      fails: excess,
    },
    {
      command: 'ui link',
      plain: { says: /^http:\/\/127\.0\.0\.1:\d+\/ui\/\S+$/m },
      json: {},
      fails: { args: ['--at', 'nowhere'], exit: 2, code: 'usage' },
    },
    {
      command: 'ui sessions',
      plain: { says: /nobody is signed in/, on: 'stderr' },
      json: {},
      fails: excess,
    },
    {
      command: 'ui sign-out',
      plain: { args: ['--all'], says: /0 sessions ended/, on: 'stderr' },
      json: { args: ['--all'] },
      fails: { exit: 2, code: 'usage' },
    },
    {
      command: 'mcp',
      plain: { input: PING, says: /^\{"result":\{\},"jsonrpc":"2\.0","id":1\}$/ },
      json: { input: PING },
      fails: excess,
    },
    {
      command: 'demo',
      plain: { args: ['--plain', '--seed', '1'], says: /Port Verity/, stopAfter: /\n {10}http/, exit: 130 },
      json: { args: ['--seed', '1'], stopAfter: /"event":"update"/, exit: 130 },
      fails: { args: ['--seed', 'many'], exit: 2, code: 'usage' },
    },
    {
      command: 'service install',
      plain: { env: managed, says: /written/, on: 'stderr' },
      json: { env: managedToo },
      fails: { args: ['--as', 'no one'], exit: 2, code: 'usage' },
    },
    { command: 'service status', plain: { env: managed, says: /runs/ }, json: { env: managed }, fails: excess },
    {
      command: 'service uninstall',
      plain: { env: managed, says: /removed/, on: 'stderr' },
      json: { env: managedToo },
      fails: { env: { ...managed, HOME: file('no-home') }, exit: 5, code: 'not_found' },
    },
  ];
};

const PING = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
const ASKED = 'GET /admin/status HTTP/1.0\r\n\r\n';

/** The service managers of a machine that does as it is told. */
function managers(file: (name: string, text?: string) => string): string {
  const programs = ['systemctl', 'launchctl'].map((name) => file(name, '#!/bin/sh\nexit 0\n'));
  for (const program of programs) chmodSync(program, 0o755);
  return path.dirname(programs[0] ?? '');
}
