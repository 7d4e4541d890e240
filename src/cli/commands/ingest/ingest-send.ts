import { mayHoldPage } from '../../../shared/archive/archived-page.ts';
import { Tally } from '../../archive/tally.ts';
import { IngestUpload } from '../../client/ingest-upload.ts';
import { duration } from '../../time.ts';
import type { Plan, Whole } from './ingest-plan.ts';
import { sofar } from './ingest-report.ts';
import { pageIn, type Run } from './ingest-stream.ts';

/** Sends what was planned: what can be looked up by date over all files, a file packed as a whole at its first date. */
export async function sendPlan(run: Run, plan: Plan): Promise<void> {
  const { client, tally, signal } = run;
  if (!client || signal.aborted) return;
  const upload = new IngestUpload(client, signal, (answer) => tally.answered(answer));
  const { table, wholes } = plan;
  const tell = progressOf(
    run,
    wholes.reduce((sum, { pages }) => sum + pages, table.length),
  );
  const parts = [
    { from: table.earliest ?? Infinity, send: () => sendTable(run, plan, upload, tell) },
    ...wholes.map((whole) => ({ from: whole.from, send: () => sendWhole(run, whole, upload, tell) })),
  ].toSorted((one, other) => one.from - other.from);
  try {
    for (const { send } of parts) await send();
  } finally {
    await upload.end();
  }
}

async function sendTable(run: Run, { files, table }: Plan, upload: IngestUpload, tell: () => void): Promise<void> {
  for (const { file: index, ...place } of table.inOrder()) {
    if (run.signal.aborted) return;
    const file = files[index];
    const record = await file?.recordAt(place);
    const page = record && pageIn({ kind: 'record', at: place, record }, file?.name ?? '', unheard);
    if (page) await upload.add(page.record.bytes, page.host);
    else run.tally.skip('changed_meanwhile');
    tell();
  }
}

async function sendWhole(run: Run, { file }: Whole, upload: IngestUpload, tell: () => void): Promise<void> {
  const { signal } = run;
  for await (const found of file.records(mayHoldPage)) {
    if (signal.aborted) return;
    const page = pageIn(found, file.name, unheard);
    if (page) await upload.add(page.record.bytes, page.host);
    tell();
  }
}

/** What is read for the second time was counted, and told, at the first. */
const unheard = { tally: new Tally(), damages: { tell: () => {}, tellOthers: () => {} } };

function progressOf({ tally, progress, now }: Run, pages: number): () => void {
  const start = now();
  return () =>
    progress.tell(() => {
      const { answers } = tally;
      const left = answers === 0 ? '' : `, about ${duration(((now() - start) / answers) * (pages - answers))} left`;
      return `${answers.toLocaleString('en')} of ${pages.toLocaleString('en')} pages sent, ${sofar(tally)}${left}`;
    });
}
