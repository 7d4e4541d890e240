import type { ArchiveAnswer, ArchiveQuestion, Ingested } from '../../shared/api/ingest.ts';
import type { Asking } from './ratings.ts';
import { isRecord } from './shape.ts';

/** The endpoints below `/admin/ingest`, one method each. @throws as `Client` */
export class IngestEndpoints {
  readonly #asking: Pick<Asking, 'ask'>;

  constructor(asking: Pick<Asking, 'ask'>) {
    this.#asking = asking;
  }

  /** One `response` record of an archive, as it stands there. */
  async add(record: Uint8Array): Promise<Ingested> {
    return this.#asking.ask(isIngested, 'POST', '/admin/ingest', record);
  }

  /** Which of these records need not be sent. */
  async known(question: ArchiveQuestion): Promise<readonly boolean[]> {
    const { known } = await this.#asking.ask(isArchiveAnswer, 'POST', '/admin/ingest/known', question);
    return known;
  }
}

function isIngested(value: unknown): value is Ingested {
  if (!isRecord(value) || typeof value['events'] !== 'number') return false;
  return ['changed', 'unchanged', 'failed', 'skipped'].includes(String(value['outcome']));
}

function isArchiveAnswer(value: unknown): value is ArchiveAnswer {
  return isRecord(value) && Array.isArray(value['known']);
}
