import type { PdfMeter } from './pdf-meter.ts';
import { TreeTooLarge } from '../read/tree.ts';

/** What a dictionary of a stream may hold that decides how it is unpacked; a string, a boolean and null are undefined. */
export type PdfValue = number | PdfName | PdfReference | PdfDictionary | PdfKeyword | readonly PdfValue[] | undefined;
export type PdfDictionary = ReadonlyMap<string, PdfValue>;
export interface PdfName {
  readonly name: string;
}
/** `12 0 R`, by its number. */
export interface PdfReference {
  readonly reference: number;
}
/** A word that is no value (`stream`, `endobj`), and a closing bracket where none was open. */
export interface PdfKeyword {
  readonly keyword: string;
}

export function isName(value: PdfValue): value is PdfName {
  return typeof value === 'object' && 'name' in value;
}
export function isReference(value: PdfValue): value is PdfReference {
  return typeof value === 'object' && 'reference' in value;
}
export function isDictionary(value: PdfValue): value is PdfDictionary {
  return value instanceof Map;
}

/**
 * Objects of a PDF (ISO 32000, 7.2 and 7.3), read with the leniency of pdf.js: what is read here decides whether that
 * library gets the file, so an odd spelling must mean the same to both. Each byte that is looked at is work of the meter.
 */
export class PdfObjects {
  readonly bytes: Uint8Array;
  /** Where the next token begins. */
  at: number;
  readonly #meter: PdfMeter;

  constructor(bytes: Uint8Array, at: number, meter: PdfMeter) {
    this.bytes = bytes;
    this.at = at;
    this.#meter = meter;
  }

  /** The next object; undefined at the end too. @throws {TreeTooLarge} nested too deep */
  next(depth = 0): PdfValue {
    if (depth > DEPTH) throw new TreeTooLarge(`The PDF nests objects more than ${DEPTH} deep.`);
    this.#skipSpace();
    const from = this.at;
    const value = this.#value(depth);
    this.#meter.work(this.at - from + 1);
    return value;
  }

  /** Whether the next token is this word; it is taken if so. */
  takes(word: string): boolean {
    const from = this.at;
    this.#skipSpace();
    for (let index = 0; index < word.length; index += 1) {
      if (this.bytes[this.at + index] !== word.charCodeAt(index)) {
        this.at = from;
        return false;
      }
    }
    if (isRegular(this.bytes[this.at + word.length])) {
      this.at = from;
      return false;
    }
    this.at += word.length;
    return true;
  }

  get isAtEnd(): boolean {
    this.#skipSpace();
    return this.at >= this.bytes.length;
  }

  #value(depth: number): PdfValue {
    const { bytes } = this;
    const first = bytes[this.at];
    switch (first) {
      case undefined:
        return undefined;
      case SLASH:
        return { name: this.#name() };
      case PARENTHESIS:
        this.#skipString();
        return undefined;
      case BRACKET:
        return this.#array(depth);
      case LESS:
        if (bytes[this.at + 1] === LESS) return this.#dictionary(depth);
        while (this.at < bytes.length && bytes[this.at] !== GREATER) this.at += 1;
        this.at += 1;
        return undefined;
      default:
        return isNumeric(first) ? this.#number() : { keyword: this.#keyword() };
    }
  }

  #array(depth: number): PdfValue[] {
    const items: PdfValue[] = [];
    this.at += 1;
    while (!this.isAtEnd && this.bytes[this.at] !== BRACKET_END) items.push(this.next(depth + 1));
    this.at += 1;
    return items;
  }

  /** A key that is no name is skipped, and so is nothing else: the last value of a key counts. */
  #dictionary(depth: number): PdfDictionary {
    const entries = new Map<string, PdfValue>();
    this.at += 2;
    while (!this.isAtEnd && !this.#isAtClose()) {
      if (this.bytes[this.at] === SLASH) {
        const key = this.#name();
        if (!this.isAtEnd) entries.set(key, this.next(depth + 1));
      } else this.#skipToken();
    }
    this.at += 2;
    return entries;
  }

  #isAtClose(): boolean {
    return this.bytes[this.at] === GREATER && this.bytes[this.at + 1] === GREATER;
  }

  /** One token, which an object may be many of. */
  #skipToken(): void {
    const first = this.bytes[this.at];
    if (first === BRACKET) this.at += 1;
    else if (first === LESS && this.bytes[this.at + 1] === LESS) this.at += 2;
    else if (first !== undefined && isNumeric(first)) this.#plainNumber();
    else this.#value(0);
  }

  #number(): number | PdfReference {
    const value = this.#plainNumber();
    if (!Number.isInteger(value)) return value;
    const from = this.at;
    this.#skipSpace();
    const second = this.bytes[this.at];
    if (second !== undefined && isNumeric(second) && Number.isInteger(this.#plainNumber()) && this.takes('R')) {
      return { reference: value };
    }
    this.at = from;
    return value;
  }

  /** A second minus, a line end behind the sign and a minus in the middle count for nothing. */
  #plainNumber(): number {
    const { bytes } = this;
    const sign = this.#sign();
    let [value, scale] = [0, 0];
    for (; ; this.at += 1) {
      const byte = bytes[this.at];
      if (byte === undefined) break;
      if (byte >= ZERO && byte <= NINE) {
        value = value * 10 + byte - ZERO;
        scale *= 10;
      } else if (byte === DOT && scale === 0) scale = 1;
      else if (byte !== MINUS) break;
    }
    return (sign * value) / (scale || 1);
  }

  #sign(): number {
    const { bytes } = this;
    const isNegative = bytes[this.at] === MINUS;
    if (isNegative) this.at += bytes[this.at + 1] === MINUS ? 2 : 1;
    else if (bytes[this.at] === PLUS) this.at += 1;
    while (isLineEnd(bytes[this.at])) this.at += 1;
    return isNegative ? -1 : 1;
  }

  #name(): string {
    const { bytes } = this;
    let name = '';
    this.at += 1;
    for (let byte = bytes[this.at]; isRegular(byte); byte = bytes[this.at]) {
      const escaped = byte === NUMBER_SIGN ? hexPair(bytes[this.at + 1], bytes[this.at + 2]) : undefined;
      this.at += escaped === undefined ? 1 : 3;
      // No name that counts here is longer.
      if (name.length < 128) name += String.fromCharCode(escaped ?? byte);
    }
    return name;
  }

  #keyword(): string {
    const from = this.at;
    const first = this.bytes[from];
    this.at += 1;
    if (first === GREATER && this.bytes[this.at] === GREATER) this.at += 1;
    else if (isRegular(first)) while (isRegular(this.bytes[this.at])) this.at += 1;
    return String.fromCharCode(...this.bytes.subarray(from, Math.min(this.at, from + 32)));
  }

  /** Brackets within are paired; what a backslash stands before is not counted. */
  #skipString(): void {
    let open = 0;
    for (; this.at < this.bytes.length; this.at += 1) {
      const byte = this.bytes[this.at];
      if (byte === BACKSLASH) this.at += 1;
      else if (byte === PARENTHESIS) open += 1;
      else if (byte === PARENTHESIS_END) {
        open -= 1;
        if (open === 0) break;
      }
    }
    this.at += 1;
  }

  #skipSpace(): void {
    const from = this.at;
    for (let byte = this.bytes[this.at]; byte !== undefined; byte = this.bytes[this.at]) {
      if (byte === PERCENT) {
        while (this.at < this.bytes.length && !isLineEnd(this.bytes[this.at])) this.at += 1;
      } else if (!isSpace(byte)) break;
      else this.at += 1;
    }
    this.#meter.work(this.at - from);
  }
}

/** More than any program writes; deeper is refused, so that no stack ends here. */
const DEPTH = 200;
const [SLASH, PARENTHESIS, PARENTHESIS_END, BRACKET, BRACKET_END] = [0x2f, 0x28, 0x29, 0x5b, 0x5d];
const [LESS, GREATER, PERCENT, BACKSLASH, NUMBER_SIGN] = [0x3c, 0x3e, 0x25, 0x5c, 0x23];
const [ZERO, NINE, PLUS, MINUS, DOT] = [0x30, 0x39, 0x2b, 0x2d, 0x2e];

export function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9 || byte === 0 || byte === 12;
}
export function isLineEnd(byte: number | undefined): boolean {
  return byte === 10 || byte === 13;
}

function isNumeric(byte: number): boolean {
  return (byte >= ZERO && byte <= NINE) || byte === PLUS || byte === MINUS || byte === DOT;
}

/** Neither white space nor a delimiter. */
function isRegular(byte: number | undefined): byte is number {
  if (byte === undefined || isSpace(byte)) return false;
  return !(DELIMITERS as readonly number[]).includes(byte);
}

const DELIMITERS = [PARENTHESIS, PARENTHESIS_END, LESS, GREATER, BRACKET, BRACKET_END, 0x7b, 0x7d, SLASH, PERCENT];

function hexPair(first: number | undefined, second: number | undefined): number | undefined {
  const [high, low] = [hexDigit(first), hexDigit(second)];
  return high < 0 || low < 0 ? undefined : high * 16 + low;
}

/** -1 where it is none. */
export function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
