import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { WARC_FILE_BYTES } from '../../shared/limits.ts';
import type { Exchange, FetchedBody } from '../fetch/fetched.ts';
import type { Outside } from '../outside.ts';
import { StartFailure } from '../start-failure.ts';
import path from 'node:path';
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

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
      throw new StartFailure('configuration', `--warc-dir ${deps.directory}: cannot write there: ${why}`);
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
    this.#deps.onProblem(`pages are not written as WARC for now: ${why}`, error);
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

/**
 * One file while it is written. Its name ends in `.open` until it is closed and on the disk. After a crash the `.open`
 * file is as good as any, but for its last record: what was appended is a row of whole gzip members.
 */
class WarcFile {
  readonly #handle: FileHandle;
  readonly #directory: string;
  readonly #name: string;
  #bytes = 0;

  private constructor(handle: FileHandle, directory: string, name: string) {
    this.#handle = handle;
    this.#directory = directory;
    this.#name = name;
  }

  /** Never opens what is there already: rejects with EEXIST. */
  static async create(directory: string, name: string): Promise<WarcFile> {
    const handle = await open(path.join(directory, `${name}${OPEN}`), 'wx', FILE_MODE);
    return new WarcFile(handle, directory, name);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** All of it, or nothing: what a full disk left half is taken back. */
  async append(members: Uint8Array): Promise<void> {
    try {
      for (let done = 0; done < members.length;) {
        const { bytesWritten } = await this.#handle.write(members, done, members.length - done, this.#bytes + done);
        done += bytesWritten;
      }
      this.#bytes += members.length;
    } catch (error) {
      await this.#handle.truncate(this.#bytes).catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    try {
      await this.#handle.sync();
    } finally {
      await this.#handle.close();
    }
    const whole = path.join(this.#directory, this.#name);
    await rename(`${whole}${OPEN}`, whole);
    const directory = await open(this.#directory, 'r');
    await directory.sync().catch(() => undefined);
    await directory.close();
  }
}

const OPEN = '.open';
/** Pages may be nobody else's business, as in the data directory. */
const FILE_MODE = 0o600;

/** One exchange with a server, as an archive keeps it. */
interface Kept {
  readonly url: string;
  /** When the answer was there, milliseconds since 1970. */
  readonly at: number;
  /** The server's address. */
  readonly address: string;
  readonly exchange: Exchange;
}

/** What begins a file: who wrote it, and in which form. */
function warcinfo(file: string, software: string, at: number, id: string): Promise<Buffer> {
  const block = `software: ${software}\r\nformat: WARC File Format 1.1\r\nrobots: obey\r\n`;
  return packed({
    head: { 'WARC-Type': 'warcinfo', 'WARC-Record-ID': urn(id), 'WARC-Date': date(at), 'WARC-Filename': file },
    type: 'application/warc-fields',
    parts: [Buffer.from(block)],
  });
}

/** The request and the answer to it, a record each. */
async function exchangeRecords(kept: Kept, ids: { request: string; response: string }): Promise<Buffer> {
  const { url, at, address, exchange } = kept;
  const said = { 'WARC-Target-URI': url, 'WARC-Date': date(at), ...(address !== '' && { 'WARC-IP-Address': address }) };
  const response = await packed({
    head: {
      'WARC-Type': 'response',
      'WARC-Record-ID': urn(ids.response),
      ...said,
      'WARC-Payload-Digest': `sha256:${hash('sha256', exchange.wire, 'hex')}`,
    },
    type: 'application/http; msgtype=response',
    parts: [Buffer.from(`${exchange.responseHead}\r\n`, 'latin1'), ...bodyParts(exchange)],
  });
  const request = await packed({
    head: {
      'WARC-Type': 'request',
      'WARC-Record-ID': urn(ids.request),
      ...said,
      'WARC-Concurrent-To': urn(ids.response),
    },
    type: 'application/http; msgtype=request',
    parts: [Buffer.from(`${exchange.requestHead}\r\n`, 'latin1')],
  });
  return Buffer.concat([request, response]);
}

/** The chunks of the answer are gone; where its head promises some, the body is one. */
function bodyParts({ responseHead, wire }: Exchange): readonly Uint8Array[] {
  if (!/^transfer-encoding:.*\bchunked\b/im.test(responseHead)) return [wire];
  if (wire.length === 0) return [Buffer.from('0\r\n\r\n')];
  return [Buffer.from(`${wire.length.toString(16)}\r\n`), wire, Buffer.from('\r\n0\r\n\r\n')];
}

interface Parts {
  readonly head: Readonly<Record<string, string>>;
  readonly type: string;
  readonly parts: readonly Uint8Array[];
}

/** In a gzip member of its own, so that it can be found without the others; packed outside of the main thread. */
async function packed({ head, type, parts }: Parts): Promise<Buffer> {
  const block = Buffer.concat(parts);
  const fields = {
    ...head,
    'Content-Type': type,
    'WARC-Block-Digest': `sha256:${hash('sha256', block, 'hex')}`,
    'Content-Length': String(block.length),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = Buffer.from(`WARC/1.1\r\n${lines.join('')}\r\n`);
  return compress(Buffer.concat([start, block, Buffer.from('\r\n\r\n')]));
}

const compress = promisify<Uint8Array, Buffer>(gzip);

function urn(id: string): string {
  return `<urn:uuid:${id}>`;
}

function date(at: number): string {
  return new Date(at).toISOString();
}
