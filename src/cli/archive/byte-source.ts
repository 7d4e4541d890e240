/** Bytes as they come, that can be given back. */
export class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #back: Uint8Array[] = [];
  #offset: number;

  /** @param offset of the first byte, in the file it is of */
  constructor(chunks: AsyncIterable<Uint8Array | string>, offset = 0) {
    this.#chunks = buffers(chunks);
    this.#offset = offset;
  }

  /** Of the next byte, in the file. */
  get offset(): number {
    return this.#offset;
  }

  /** Some bytes, never none; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    const chunk = this.#back.pop() ?? (await this.#fresh());
    this.#offset += chunk?.length ?? 0;
    return chunk;
  }

  giveBack(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#back.push(bytes);
    this.#offset -= bytes.length;
  }

  /** So many bytes, or all that are left where there are fewer. They stay. */
  async peek(count: number): Promise<Uint8Array> {
    let held: Uint8Array = new Uint8Array();
    while (held.length < count) {
      const chunk = await this.next();
      if (!chunk) break;
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    }
    this.giveBack(held);
    return held;
  }

  async pass(count: number): Promise<void> {
    for (let left = count; left > 0;) {
      const chunk = await this.next();
      if (!chunk) return;
      this.giveBack(chunk.subarray(left));
      left -= Math.min(left, chunk.length);
    }
  }

  /** To where these bytes stand, or to the end. */
  async passTo(magic: Buffer): Promise<void> {
    for (;;) {
      const chunk = await this.next();
      if (!chunk) return;
      // They may lie across two chunks.
      const ahead = await this.peek(magic.length - 1);
      const next = Buffer.concat([chunk, ahead.subarray(0, magic.length - 1)]).indexOf(magic);
      if (next === -1) continue;
      this.giveBack(chunk.subarray(next));
      return;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #fresh(): Promise<Uint8Array | undefined> {
    for (;;) {
      const { value, done } = await this.#chunks.next();
      if (done === true) return undefined;
      if (value.length > 0) return value;
    }
  }
}

async function* buffers(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(chunk as Uint8Array);
}
