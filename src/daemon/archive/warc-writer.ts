import { mkdir } from 'node:fs/promises';
import { WARC_FILE_BYTES } from '../../shared/limits.ts';
import type { FetchedBody } from '../fetch/fetched.ts';
import type { Outside } from '../outside.ts';
import { StartFailure } from '../start-failure.ts';
import { WarcFile } from './warc-file.ts';
import { exchangeRecords, type Kept, warcinfo } from './warc-record-bytes.ts';

export interface WarcWriterDeps {
  readonly directory: string;
  /** Who writes, as the User-Agent has it. */
  readonly software: string;
  readonly outside: Outside;
  /** Nothing is written for now. Told once, until something is written again. */
  readonly onProblem: (message: string, error: unknown) => void;
  /** After which a file is closed. */
  readonly fileBytes?: number;
}

/**
 * Keeps what is fetched as WARC 1.1: a warcinfo record at the head of each file, then a request and a response record
 * for each page. A visit waits until its records are written, so a slow disk slows the crawl and memory stays as it is.
 * A full disk does not stop it: the operator is told, pages go unkept, and a new file is tried after a while.
 *
 * Decided against: what was not read to its end. Its bytes are gone when the fetcher gives up, and an archive of parts
 * is none. And against `revisit` records for pages that had not changed: they hold nothing that the next one does not.
 */
export class WarcWriter {
  readonly #deps: WarcWriterDeps;
  #file: WarcFile | undefined;
  #serial = 0;
  #last: Promise<void> = Promise.resolve();
  #silentUntil = -Infinity;
  #hasProblem = false;

  private constructor(deps: WarcWriterDeps) {
    this.#deps = deps;
  }

  /** @throws {StartFailure} where files cannot be written */
  static async open(deps: WarcWriterDeps): Promise<WarcWriter> {
    const writer = new WarcWriter(deps);
    try {
      await mkdir(deps.directory, { recursive: true, mode: 0o700 });
      await writer.#open();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new StartFailure('configuration', `--warc-dir ${deps.directory}: nothing can be written there: ${why}`);
    }
    return writer;
  }

  /** For `Stages.keep`. Resolved when it is written; never rejects. */
  keep({ url, answer, exchange }: FetchedBody, at: number): Promise<void> {
    if (!exchange) return Promise.resolve();
    return this.write({ url, at, address: answer.address, exchange });
  }

  async write(kept: Kept): Promise<void> {
    const { outside } = this.#deps;
    if (outside.now() < this.#silentUntil) return;
    // Packed while others are written; written in the order of the calls.
    const records = exchangeRecords(kept, { request: outside.uuid(), response: outside.uuid() });
    this.#last = this.#inTurn(this.#last, records);
    await this.#last;
  }

  async #inTurn(before: Promise<void>, records: Promise<Uint8Array>): Promise<void> {
    try {
      const [members] = await Promise.all([records, before]);
      await this.#append(members);
    } catch (error) {
      await this.#giveUp(error);
    }
  }

  async close(): Promise<void> {
    await this.#last;
    const file = this.#file;
    this.#file = undefined;
    try {
      await file?.close();
    } catch (error) {
      this.#tell(error);
    }
  }

  async #append(members: Uint8Array): Promise<void> {
    if (this.#deps.outside.now() < this.#silentUntil) return;
    const most = this.#deps.fileBytes ?? WARC_FILE_BYTES;
    if (this.#file && this.#file.bytes + members.length > most) {
      const full = this.#file;
      this.#file = undefined;
      await full.close();
    }
    const file = this.#file ?? (await this.#open());
    await file.append(members);
    this.#hasProblem = false;
  }

  async #open(): Promise<WarcFile> {
    const { directory, software, outside } = this.#deps;
    const now = outside.now();
    this.#serial += 1;
    const time = new Date(now).toISOString().replaceAll(/\D/g, '');
    const name = `hydrant-${time}-${String(this.#serial).padStart(5, '0')}.warc.gz`;
    const file = await WarcFile.create(directory, name);
    try {
      await file.append(await warcinfo(name, software, now, outside.uuid()));
    } catch (error) {
      await closed(file);
      throw error;
    }
    this.#file = file;
    return file;
  }

  /** What is whole is closed; a new file is tried later. */
  async #giveUp(error: unknown): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    this.#silentUntil = this.#deps.outside.now() + SILENCE_MS;
    this.#tell(error);
    await closed(file);
  }

  #tell(error: unknown): void {
    if (this.#hasProblem) return;
    this.#hasProblem = true;
    const why = error instanceof Error ? error.message : String(error);
    this.#deps.onProblem(`pages are not kept as WARC for now: ${why}`, error);
  }
}

const SILENCE_MS = 60_000;

/** What fails here has failed before, and was told. */
async function closed(file: WarcFile | undefined): Promise<void> {
  try {
    await file?.close();
  } catch {
    // Its name goes on ending in `.open`.
  }
}
