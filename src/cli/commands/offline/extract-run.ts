import { labels } from '../../../shared/label/labels.ts';
import type { Page, Zone } from '../../../shared/page/page.ts';
import { exitCode } from '../../exit-code.ts';
import { pacedWrite } from '../../paced-write.ts';
import { isUrl } from '../../pages/address.ts';
import { pageObject } from '../../pages/page-object.ts';
import { readSource } from '../../pages/page-source.ts';
import { pageFailure, PageProblem } from '../../pages/problem.ts';
import { asKnown, readPage } from '../../pages/read-page.ts';
import { printable, printableJson } from '../../printable.ts';
import { pageLines } from './extract-report.ts';
import { warnOfDoubts } from './page-doubts.ts';
import type { Session } from '../session.ts';

/** As extract.ts declares them. */
interface ExtractFlags {
  /** The address that the file had. */
  readonly as: string | undefined;
  readonly zone: Zone | undefined;
}

/** `hydrant extract` of what is named: a page that cannot be read is reported, and the others go on. */
export async function runExtract(session: Session, sources: readonly string[], flags: ExtractFlags): Promise<number> {
  const { context, out } = session;
  const { json, quiet } = session.flags;
  const [only] = sources;
  if (sources.length === 1 && only !== undefined) {
    await show(session, only, flags);
    return exitCode.ok;
  }
  let failed = 0;
  for (const [index, source] of sources.entries()) {
    if (context.closed?.aborted === true) break;
    const isHeaded = json !== true && quiet !== true;
    const heading = out.paint('bold', `==> ${printable(source)} <==`);
    try {
      await show(session, source, flags, isHeaded ? `${index > 0 ? '\n' : ''}${heading}\n` : '');
    } catch (error) {
      if (!(error instanceof PageProblem)) throw error;
      failed += 1;
      const { code, message } = pageFailure(source, error);
      out.warning({ code, message }, [`${out.paintNotice('red', 'error:')} ${printable(message)}`]);
    }
  }
  return failed > 0 ? exitCode.usage : exitCode.ok;
}

/** @param heading undefined where the page is the only one */
async function show(session: Session, source: string, flags: ExtractFlags, heading?: string): Promise<void> {
  const page = await pageOf(session, source, flags).catch((error: unknown) => {
    throw error instanceof PageProblem && heading === undefined ? pageFailure(source, error) : error;
  });
  const text = await format(session, page, flags, heading === undefined || isUrl(source) ? undefined : source);
  await pacedWrite(session.context.io.stdout, `${heading ?? ''}${text}\n`, session.context.closed);
  warnOfDoubts(session, page);
}

async function pageOf({ context }: Session, source: string, flags: ExtractFlags): Promise<Page> {
  return readPage(await readSource(context, source, flags.as ?? ''), context.now());
}

async function format(session: Session, read: Page, flags: ExtractFlags, file?: string): Promise<string> {
  const found = await labels(read);
  const page = asKnown(read);
  if (session.flags.json === true) {
    return printableJson({ ...(file !== undefined && { file }), ...pageObject(page, found, flags.zone) });
  }
  const segments = page.segments.filter(({ zone }) => flags.zone === undefined || zone === flags.zone);
  if (session.flags.quiet === true) return segments.map(({ text }) => printable(text)).join('\n');
  const { io } = session.context;
  const form = { paint: session.out.paint, width: io.stdout.columns ?? 80, zone: flags.zone };
  return pageLines(page, found, form).join('\n');
}
