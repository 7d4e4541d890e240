import { spawn } from 'node:child_process';
import type { Environment } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { Failure, systemReason } from '../failure.ts';

/**
 * Opens a file in the editor of whoever asks: `$VISUAL`, else `$EDITOR`, else `vi` (`notepad` on Windows). Both may have
 * words of their own (`code --wait`), so a shell reads them. Resolved when it is closed. @throws {Failure}
 */
export async function openEditor(file: string, environment: Environment): Promise<void> {
  const isWindows = process.platform === 'win32';
  const editor = environment['VISUAL'] || environment['EDITOR'] || (isWindows ? 'notepad' : 'vi');
  const child = isWindows
    ? spawn(`${editor} "${file}"`, { stdio: 'inherit', shell: true })
    : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject).once('exit', resolve);
  let code: number | null;
  try {
    code = await promise;
  } catch (error) {
    throw failed(`\`${editor}\` could not be started: ${systemReason(error)}`);
  }
  if (code !== 0) throw failed(`\`${editor}\` ended with ${code === null ? 'a signal' : `code ${code}`}`);
}

function failed(message: string): Failure {
  return new Failure('editor', exitCode.no, message, { hint: 'set EDITOR to an editor, as EDITOR=nano' });
}
