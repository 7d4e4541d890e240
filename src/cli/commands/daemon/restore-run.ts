import { openFile, readable } from '../../input.ts';
import { localDirectory } from '../../connection.ts';
import { Progress } from '../../progress.ts';
import { contentsOf } from './backup-run.ts';
import { unpackedBackup } from './backup-packing.ts';
import type { Session } from '../session.ts';
import { quoted } from '../../shell.ts';
import { upkeepFailure } from './upkeep-failure.ts';

/** `hydrant restore`: an empty directory becomes a data directory, or stays as it was. */
export async function restore(session: Session, file: string): Promise<void> {
  const { context, flags, out } = session;
  const dataDir = await localDirectory(flags, context.environment, 'restore');
  const { restore: begin } = await context.upkeep();
  const progress = new Progress(context, { silent: flags.quiet === true || flags.json === true });
  const input = file === '-' ? context.readBytes('the backup') : openFile(file);
  let done = 0;
  let total = 1;
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of unpackedBackup(readable(input, file === '-' ? 'stdin' : file))) {
      done += chunk.length;
      progress.tell(() => `unpacking: ${Math.min(100, Math.floor((100 * done) / total))} %`);
      yield chunk;
    }
  }
  try {
    const manifest = await begin({
      archive: watched(),
      dataDir,
      onBegin: ({ files }) => {
        total = files.reduce((sum, { bytes }) => sum + bytes, 1);
      },
    });
    progress.end();
    out.done(
      { data_dir: dataDir, ...manifest },
      {
        id: dataDir,
        notice: `${dataDir} restored: ${contentsOf(manifest)}`,
        next: `hydrant serve --data-dir ${quoted(dataDir)}`,
      },
    );
    out.notice(
      'do not let the daemon it came from run on: both would visit the same pages and answer to the same keys',
    );
  } catch (error) {
    throw upkeepFailure(error);
  } finally {
    progress.end();
    input.destroy();
  }
}
