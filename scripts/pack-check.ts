import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

/**
 * `npm run pack:check`: the tarball as a user gets it. It is packed, unpacked into an empty prefix, and run there:
 * a file that `files` forgets and a package that is not in the bundle are found here and nowhere else. With --install npm
 * installs it, which takes a minute and a network.
 */
const root = path.resolve(import.meta.dirname, '..');
const prefix = mkdtempSync(path.join(tmpdir(), 'hydrant-pack-'));
const home = path.join(prefix, 'home');
const faults: string[] = [];

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

try {
  mkdirSync(home);
  const packed = pack();
  checkNames(packed.files.map((file) => file.path));
  const installed = process.argv.includes('--install') ? install(packed) : unpack(packed);
  runAll(path.join(installed, 'bin/hydrant'));
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
  process.stdout.write(
    `${packed.filename}: ${packed.files.length} files, ${megabytes(packed.size)}, ${megabytes(packed.unpackedSize)} unpacked\n`,
  );
} finally {
  rmSync(prefix, { recursive: true });
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

function pack(): Packed {
  // Built before, by whoever runs this: `prepack` would do it again.
  const out = npm(['pack', '--ignore-scripts', '--json', '--pack-destination', prefix]);
  const [packed] = JSON.parse(out) as readonly Packed[];
  if (packed === undefined) throw new Error('npm pack made nothing');
  return packed;
}

/** What Windows cannot name, and what its file systems and those of macOS take for the same file. */
function checkNames(names: readonly string[]): void {
  const needed = [
    'bin/hydrant',
    'bin/hydrantd',
    'dist/cli/main.js',
    'dist/daemon/main.js',
    'dist/third-party-licenses.txt',
    'man/hydrant.1',
  ];
  for (const name of needed) if (!names.includes(name)) faults.push(`missing in the package: ${name}`);
  const folded = new Map<string, string>();
  for (const name of names) {
    if (/[<>:"|?*\\]|[. ](?:\/|$)|(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\/|$)/i.test(name)) {
      faults.push(`Windows has no such name: ${name}`);
    }
    if (/(?:^|\/)(?:src|test)\/|\.(?:ts|tsx|node)$/.test(name)) faults.push(`not for users: ${name}`);
    const twin = folded.get(name.toLowerCase());
    if (twin !== undefined) faults.push(`the same file where case is not told apart: ${twin}, ${name}`);
    folded.set(name.toLowerCase(), name);
  }
}

/** Without any package beside it: the bundle holds them. */
function unpack({ filename }: Packed): string {
  const modules = path.join(prefix, 'lib/node_modules');
  const installed = path.join(modules, 'hydrant');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', path.join(prefix, filename), '-C', installed, '--strip-components=1']);
  return installed;
}

function install({ filename }: Packed): string {
  npm(['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', path.join(prefix, filename)]);
  const manual = path.join(prefix, 'share/man/man1/hydrant.1');
  if (process.platform !== 'win32' && !existsSync(manual)) faults.push('npm has not installed the manual pages');
  return path.join(prefix, process.platform === 'win32' ? 'node_modules/hydrant' : 'lib/node_modules/hydrant');
}

function runAll(bin: string): void {
  const page = path.join(home, 'page.html');
  const former = path.join(home, 'former.html');
  writeFileSync(former, '<title>Ferries</title><p>The ferry sails from Monday to Friday, at nine and at noon.');
  writeFileSync(page, '<title>Ferries</title><p>The ferry sails every day of the week now, and at night, too.');
  hydrant(bin, ['--version'], /^\d+\.\d+\.\d+\n$/);
  hydrant(bin, ['--help'], /Usage: hydrant/);
  hydrant(bin, ['completion', 'bash'], /complete -F _hydrant hydrant/);
  hydrant(bin, ['validate', 'title:ferry AND language:en'], /^valid/);
  hydrant(bin, ['extract', page], /every day of the week/);
  hydrant(bin, ['diff', former, page], /night/, 1);
  hydrant(bin, ['match', 'added:night', page, '--was', former], /^match/);
  // Its packages are loaded, and stdin ends.
  hydrant(bin, ['mcp'], /^$/);
  hydrant(bin, ['demo', '--for', '4s', '--json', '--seed', '1'], /"event":"update"/);
}

function hydrant(bin: string, words: readonly string[], expected: RegExp, code = 0): void {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, USERPROFILE: home };
  const options = { env, encoding: 'utf8', cwd: home, timeout: 60_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], options);
  if (status === code && expected.test(stdout)) return;
  faults.push(`hydrant ${words.join(' ')} ended with ${status}: ${stdout.slice(0, 300)}${stderr.slice(0, 600)}`);
}

function npm(words: readonly string[]): string {
  const isWindows = process.platform === 'win32';
  return execFileSync(isWindows ? 'npm.cmd' : 'npm', words, {
    cwd: root,
    encoding: 'utf8',
    shell: isWindows,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
