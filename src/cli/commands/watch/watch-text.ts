import { NotFound } from '../../failure.ts';
import { pacedWrite } from '../../paced-write.ts';
import { printable, printableJson } from '../../printable.ts';
import type { Session } from '../session.ts';
import { quoted } from '../../shell.ts';
import { newestCheck, notKept } from './watch-checks.ts';
import { findWatch } from './watch-names.ts';

/** `hydrant watch text`: the lines of a watched page as a check left them. */
export async function showText(session: Session, wanted: string, check: number | undefined): Promise<void> {
  const { context, out, flags } = session;
  const { client } = await session.connect();
  const watch = findWatch(await client.watches.list(), wanted);
  const n = check ?? (await newestCheck(client.watches, watch.id))?.n;
  if (n === undefined) {
    throw new NotFound(`${watch.url} has not been checked yet`, { try: `hydrant watch check ${quoted(watch.url)}` });
  }
  const version = await client.watches.version(watch.id, n).catch((error: unknown) => {
    throw notKept(error, `text of check ${n}`, watch);
  });
  if (version.lines.length === 0) out.notice(`check ${version.n} found no line`);
  const text = flags.json === true ? printableJson(version) : version.lines.map(printable).join('\n');
  await pacedWrite(context.io.stdout, text === '' ? '' : `${text}\n`, context.closed);
}
