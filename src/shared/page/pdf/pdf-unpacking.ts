import { PDF_FILTERS, PDF_IMAGE_FILTERS, type PdfLayer, type PdfPredictor, unpackLayer } from './pdf-filters.ts';
import { PdfMeter, PdfSink } from './pdf-meter.ts';
import {
  isDictionary,
  isLineEnd,
  isName,
  isReference,
  type PdfDictionary,
  PdfObjects,
  type PdfValue,
} from './pdf-objects.ts';
import { TreeTooLarge } from '../read/tree.ts';

/**
 * A copy of a PDF that its library may be given: whatever it unpacks of it comes to no more than `PDF_UNPACKED_BYTES`.
 * That library has no limit of its own, keeps what it unpacks where no limit of a thread's heap counts it, and ten bytes
 * can be gigabytes.
 *
 * Every stream is unpacked here first, filter by filter, and counted. Objects are looked for wherever the file says `obj`,
 * not where its table says that they are: a table can point anywhere, into another stream too. Where a length, a filter or
 * a parameter is a reference, every object that may be meant is tried. Images and attached files are left out of the
 * copy, since no text comes from them: their bytes are zeros there.
 *
 * What is encrypted cannot be counted so; the thread that reads it is watched (`pdf-thread.ts`).
 * @throws {TreeTooLarge} a sentence for the operator
 */
export async function boundedPdf(bytes: Uint8Array): Promise<Uint8Array> {
  return new Unpacking(bytes).run();
}

interface Stream {
  /** The file, or what an object stream holds. */
  readonly within: Uint8Array;
  /** Where its bytes begin. */
  readonly start: number;
  readonly dictionary: PdfDictionary;
}

class Unpacking {
  readonly #file: Uint8Array;
  readonly #copy: Uint8Array;
  readonly #meter = new PdfMeter();
  readonly #sinks: readonly [PdfSink, PdfSink, PdfSink];
  readonly #streams: Stream[] = [];
  /** Streams so far. */
  #count = 0;
  /** What is known of an object that others may refer to; several of one number where the file was changed. */
  readonly #numbers = new Map<number, number[]>();
  readonly #parameters = new Map<number, PdfDictionary[]>();
  /** Each list of filters that is an object of its own, by its text. */
  readonly #chains = new Map<string, readonly string[]>();

  constructor(file: Uint8Array) {
    this.#file = file;
    this.#copy = new Uint8Array(file);
    this.#sinks = [new PdfSink(this.#meter), new PdfSink(this.#meter), new PdfSink(this.#meter)];
  }

  async run(): Promise<Uint8Array> {
    const file = this.#file;
    for (let at = objectAfter(file, 0); at !== -1; at = objectAfter(file, at)) {
      this.#meter.work(16);
      this.#readObject(new PdfObjects(file, at, this.#meter), numberBefore(file, at - 3));
    }
    // Object streams name filters that other streams refer to: those that refer to none come first.
    const later: Stream[] = [];
    for (let stream = this.#streams.pop(); stream; stream = this.#streams.pop()) {
      if (this.#refers(stream.dictionary)) later.push(stream);
      else await this.#unpack(stream);
    }
    for (let stream = later.pop(); stream; stream = this.#streams.pop() ?? later.pop()) await this.#unpack(stream);
    return this.#copy;
  }

  #readObject(objects: PdfObjects, number: number | undefined): void {
    const value = objects.next();
    if (isDictionary(value) && objects.takes('stream')) {
      const within = objects.bytes;
      this.#count += 1;
      if (this.#count > MOST_STREAMS) throw new TreeTooLarge(`The PDF has more than ${MOST_STREAMS} streams.`);
      this.#streams.push({ within, start: lineAfter(within, objects.at), dictionary: value });
      return;
    }
    const chain = filtersIn(value);
    if (chain) this.#chains.set(chain.join('/'), chain);
    if (this.#chains.size > MOST_CANDIDATES) throw tooMany();
    if (number === undefined) return;
    if (typeof value === 'number') note(this.#numbers, number, value);
    if (isDictionary(value) && PARAMETERS.some((key) => value.has(key))) note(this.#parameters, number, value);
  }

  #refers(dictionary: PdfDictionary): boolean {
    const values = [filterOf(dictionary), parametersOf(dictionary)].flatMap((value) =>
      Array.isArray(value) ? (value as readonly PdfValue[]) : [value],
    );
    return values.some((value) => isReference(value));
  }

  async #unpack(stream: Stream): Promise<void> {
    const { dictionary, within, start } = stream;
    const chains = this.#chainsOf(filterOf(dictionary));
    const end = this.#endOf(stream);
    if (isLeftOut(dictionary) || chains.some((chain) => chain.some((filter) => PDF_IMAGE_FILTERS.has(filter)))) {
      if (within === this.#file) this.#copy.fill(0, start, end);
      return;
    }
    for (const chain of chains) await this.#unpackBy(chain, stream, within.subarray(start, end));
  }

  async #unpackBy(chain: readonly string[], { dictionary }: Stream, packed: Uint8Array): Promise<void> {
    for (const parameters of this.#parametersOf(dictionary, chain.length)) {
      let content = packed;
      for (const [index, filter] of chain.entries()) {
        const layer = this.#layerOf(filter, parameters[index], index + 1 < chain.length || dictionary.has('First'));
        content = await unpackLayer(content, layer, this.#sinksBeside(content), this.#meter);
      }
      if (!dictionary.has('First')) continue;
      this.#meter.work(content.length);
      this.#readObjectStream(dictionary, Uint8Array.from(content));
    }
  }

  /** Two sinks that do not hold what is to be unpacked. */
  #sinksBeside({ buffer }: Uint8Array): readonly [PdfSink, PdfSink] {
    const [first, second, third] = this.#sinks;
    if (first.content.buffer === buffer) return [second, third];
    return second.content.buffer === buffer ? [first, third] : [first, second];
  }

  #layerOf(filter: string, parameters: PdfDictionary | undefined, isInner: boolean): PdfLayer {
    const value = (key: string, usual: number): number => this.#numberOf(parameters?.get(key)) ?? usual;
    const predictor: PdfPredictor | undefined = parameters && {
      kind: value('Predictor', 1) || 1,
      colors: value('Colors', 1) || 1,
      bits: parameters.has('BPC') ? value('BPC', 8) || 8 : value('BitsPerComponent', 8) || 8,
      columns: value('Columns', 1) || 1,
    };
    return { filter, predictor, earlyChange: value('EarlyChange', 1), isInner };
  }

  /** Of a reference the largest that may be meant. */
  #numberOf(value: PdfValue): number | undefined {
    if (typeof value === 'number') return value;
    const known = isReference(value) ? this.#numbers.get(value.reference) : undefined;
    return known && Math.max(...known);
  }

  /** Numbers and places of objects first, then the objects (ISO 32000, 7.5.7). */
  #readObjectStream(dictionary: PdfDictionary, content: Uint8Array): void {
    const first = this.#numberOf(dictionary.get('First')) ?? 0;
    const header = new PdfObjects(content, 0, this.#meter);
    const count = Math.min(this.#numberOf(dictionary.get('N')) ?? 0, content.length);
    for (let index = 0; index < count && !header.isAtEnd; index += 1) {
      const [number, place] = [header.next(), header.next()];
      if (typeof number !== 'number' || typeof place !== 'number') return;
      const objects = new PdfObjects(content, Math.max(0, first + place), this.#meter);
      this.#readObject(objects, number);
    }
  }

  /** Each list of filters that the stream may have. */
  #chainsOf(filter: PdfValue): readonly (readonly string[])[] {
    if (isName(filter)) return [[filter.name]];
    if (isReference(filter)) return [[], ...this.#chains.values()];
    if (!Array.isArray(filter)) return [[]];
    let chains: (readonly string[])[] = [[]];
    for (const item of filter as readonly PdfValue[]) {
      const named = isName(item) ? [item.name] : this.#singles();
      chains = extended(chains, named);
    }
    return chains;
  }

  #singles(): string[] {
    return [...this.#chains.values()].flatMap((chain) => (chain.length === 1 ? chain : []));
  }

  /** Each list of parameters that the filters may have. */
  #parametersOf(dictionary: PdfDictionary, filters: number): readonly (readonly (PdfDictionary | undefined)[])[] {
    const value = parametersOf(dictionary);
    const items: readonly PdfValue[] = Array.isArray(value) ? (value as readonly PdfValue[]) : [value];
    let lists: (readonly (PdfDictionary | undefined)[])[] = [[]];
    for (const item of items.slice(0, filters)) {
      const meant = isReference(item)
        ? (this.#parameters.get(item.reference) ?? [undefined])
        : [isDictionary(item) ? item : undefined];
      lists = extended(lists, meant);
    }
    return lists;
  }

  /** Where its length says so and `endstream` follows; else the end of what it stands in, since filters end by themselves. */
  #endOf({ dictionary, within, start }: Stream): number {
    const said = dictionary.get('Length');
    const lengths = isReference(said) ? (this.#numbers.get(said.reference) ?? []) : [said];
    const ends = lengths
      .filter((length): length is number => typeof length === 'number' && Number.isInteger(length) && length >= 0)
      .map((length) => start + length)
      .filter((end) => end <= within.length && new PdfObjects(within, end, this.#meter).takes('endstream'));
    if (ends.length > 0) return Math.max(...ends);
    return isLeftOut(dictionary) ? this.#endstreamAfter(within, start) : within.length;
  }

  #endstreamAfter(within: Uint8Array, start: number): number {
    for (let at = start; at < within.length; at += 1) {
      if (within[at] === 0x65 && startsWith(within, at, ENDSTREAM)) {
        this.#meter.work(at - start);
        return at;
      }
    }
    return within.length;
  }
}

const ENDSTREAM = Uint8Array.from('endstream', (letter) => letter.charCodeAt(0));
const OBJ = Uint8Array.from('obj', (letter) => letter.charCodeAt(0));
const PARAMETERS = ['Predictor', 'Columns', 'Colors', 'EarlyChange', 'BitsPerComponent', 'BPC'];
const MOST_STREAMS = 100_000;
/** Lists of filters and of parameters that one reference may mean: a document has a few. */
const MOST_CANDIDATES = 64;

function tooMany(): TreeTooLarge {
  return new TreeTooLarge('The PDF does not say how its streams are compressed.');
}

/** Each list with each of the items behind it. */
function extended<Item>(lists: readonly (readonly Item[])[], items: readonly Item[]): (readonly Item[])[] {
  if (lists.length * items.length > MOST_CANDIDATES) throw tooMany();
  return lists.flatMap((list) => items.map((item) => list.concat([item])));
}

/** The short form is asked for first, as by the library. */
function filterOf(dictionary: PdfDictionary): PdfValue {
  return dictionary.get(dictionary.has('F') ? 'F' : 'Filter');
}

function parametersOf(dictionary: PdfDictionary): PdfValue {
  return dictionary.get(dictionary.has('DP') ? 'DP' : 'DecodeParms');
}

/** Images, and files that are attached. */
function isLeftOut(dictionary: PdfDictionary): boolean {
  const [subtype, type] = [dictionary.get('Subtype'), dictionary.get('Type')];
  return (isName(subtype) && subtype.name === 'Image') || (isName(type) && type.name === 'EmbeddedFile');
}

function filtersIn(value: PdfValue): readonly string[] | undefined {
  const items: readonly PdfValue[] = Array.isArray(value) ? (value as readonly PdfValue[]) : [value];
  const names = items.flatMap((item) => (isName(item) ? [item.name] : []));
  const areFilters = names.every((name) => PDF_FILTERS.has(name) || PDF_IMAGE_FILTERS.has(name));
  return names.length === items.length && names.length > 0 && areFilters ? names : undefined;
}

function note<Value>(known: Map<number, Value[]>, number: number, value: Value): void {
  const values = known.get(number) ?? [];
  if (values.length >= MOST_CANDIDATES) throw tooMany();
  values.push(value);
  known.set(number, values);
}

/** Behind the next `obj` that is no `endobj`; -1 where there is none. */
function objectAfter(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 2 < bytes.length; at += 1) {
    if (bytes[at] === 0x6f && startsWith(bytes, at, OBJ) && bytes[at - 1] !== 0x64) return at + 3;
  }
  return -1;
}

/** The number of the object whose `obj` begins there; what stands between may be a comment, which is not read. */
function numberBefore(bytes: Uint8Array, at: number): number | undefined {
  const text = String.fromCharCode(...bytes.subarray(Math.max(0, at - 40), at));
  const number = /(\d{1,10})[\s\0]+\d+[\s\0]*$/.exec(text)?.[1];
  return number === undefined ? undefined : Number(number);
}

function lineAfter(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && !isLineEnd(bytes[at])) at += 1;
  return bytes[at] === 13 && bytes[at + 1] === 10 ? at + 2 : at + 1;
}

function startsWith(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  return word.every((byte, index) => bytes[at + index] === byte);
}
