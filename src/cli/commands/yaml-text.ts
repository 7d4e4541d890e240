import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { UsageError } from '../runtime/failure.ts';

/** A way through lists and maps to a value: `['rules', 3, 'value']`. */
export type YamlPath = readonly (string | number)[];

/**
 * A text in YAML, or in JSON, which is YAML too; it knows the line of each value, so that what is wrong in a file is
 * told with its place.
 */
export class YamlText {
  readonly value: unknown;
  readonly #name: string;
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;

  /** @param name how the file is called. @throws {UsageError} with line and column where it is no YAML */
  constructor(text: string, name: string) {
    this.#name = name;
    this.#lines = new LineCounter();
    // What it would warn of it writes to the terminal itself.
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, logLevel: 'error' });
    const [error] = this.#document.errors;
    if (error) {
      const { line, col } = this.#lines.linePos(error.pos[0]);
      throw new UsageError(`${name}:${line}:${col}: ${inWords(error.message)}`);
    }
    this.value = this.#read();
  }

  /** The line of a value, or of the nearest thing around it that is there; from 1. */
  line(path: YamlPath): number {
    for (let length = path.length; length > 0; length -= 1) {
      const at = this.#offset(path.slice(0, length));
      if (at !== undefined) return this.#lines.linePos(at).line;
    }
    return 1;
  }

  /** What is wrong, and where. */
  fault(path: YamlPath, message: string, hint?: string): UsageError {
    return new UsageError(`${this.#name}:${this.line(path)}: ${message}`, hint === undefined ? {} : { hint });
  }

  /** Its aliases are written out, a hundred at most. */
  #read(): unknown {
    try {
      return this.#document.toJS({ maxAliasCount: 100 }) as unknown;
    } catch (error) {
      throw new UsageError(`${this.#name}: ${inWords(error instanceof Error ? error.message : String(error))}`);
    }
  }

  /** A key's own place where there is one: its value may begin lines below. */
  #offset(path: YamlPath): number | undefined {
    const parent = path.length > 1 ? this.#document.getIn(path.slice(0, -1), true) : this.#document.contents;
    const key = path.at(-1);
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isScalar(item.key) && item.key.value === key);
      const node = pair?.key;
      if (isNode(node) && node.range) return node.range[0];
    }
    const found = this.#document.getIn(path, true);
    return isNode(found) && found.range ? found.range[0] : undefined;
  }
}

/** The parser goes down one call a level. */
function inWords(message: string): string {
  return message.includes('call stack') ? 'lists and maps are nested too deeply' : message;
}

/** A value of a text, read field by field: what is missing, unknown or of another sort is told with its line. */
export class YamlFields {
  readonly #text: YamlText;
  readonly #path: YamlPath;
  readonly #fields: Readonly<Record<string, unknown>>;

  /** @throws {UsageError} where it is no map, or has a field that is not among `known` */
  constructor(text: YamlText, path: YamlPath, value: unknown, known: readonly string[]) {
    this.#text = text;
    this.#path = path;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw text.fault(path, 'expected an object of fields', `fields are ${known.join(', ')}`);
    }
    this.#fields = { ...value };
    const other = Object.keys(this.#fields).find((name) => !known.includes(name));
    if (other !== undefined) {
      throw text.fault([...path, other], `there is no field \`${other}\``, `fields are ${known.join(', ')}`);
    }
  }

  get line(): number {
    return this.#text.line(this.#path);
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined && this.#fields[name] !== null;
  }

  raw(name: string): unknown {
    return this.#fields[name];
  }

  text(name: string): string | undefined {
    return this.#of(name, 'a text', (value) => (typeof value === 'string' ? value : undefined));
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw this.fault(name, `\`${name}\` is missing`);
    return value;
  }

  flag(name: string): boolean | undefined {
    return this.#of(name, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined));
  }

  whole(name: string): number | undefined {
    return this.#of(name, 'a whole number', (value) => (Number.isSafeInteger(value) ? Number(value) : undefined));
  }

  word<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    return this.#of(name, `one of ${words.join(', ')}`, (value) => words.find((word) => word === value));
  }

  fault(name: string, message: string, hint?: string): UsageError {
    return this.#text.fault([...this.#path, name], message, hint);
  }

  #of<Value>(name: string, what: string, read: (value: unknown) => Value | undefined): Value | undefined {
    if (!this.has(name)) return undefined;
    const value = read(this.#fields[name]);
    if (value === undefined) throw this.fault(name, `\`${name}\` is not ${what}`);
    return value;
  }
}
