/** Where a text stops being JSON. */
export interface JsonFault {
  /** UTF-16 units from the beginning; the length of the text where it ends too early. */
  readonly at: number;
  /** What is wrong there, as a part of a sentence: `a value is expected`. */
  readonly message: string;
}

/**
 * The first place at which a text is no JSON (RFC 8259); undefined when it is. `JSON.parse` is what reads JSON; this
 * is asked after it has refused, since its own message often has no place, and its words are the engine's.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  return new Reader(text).read();
}

type Wanted = 'value' | 'item' | 'name' | 'member' | 'colon' | 'next';

const VALUE = 'a value is expected';
const NAME = 'a name in double quotes is expected';
const MESSAGES: Readonly<Record<Exclude<Wanted, 'next'>, string>> = {
  value: VALUE,
  item: `${VALUE}, or ]`,
  name: NAME,
  member: `${NAME}, or }`,
  colon: 'a colon is expected',
};

class Reader {
  readonly #text: string;
  /** What ends each object and list that is open. */
  readonly #open: ('}' | ']')[] = [];
  #at = 0;
  #fault: JsonFault | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonFault | undefined {
    let wanted: Wanted | undefined = 'value';
    for (;;) {
      this.#skip(blank);
      const character = this.#text[this.#at];
      if (character === undefined && wanted === 'next' && this.#open.length === 0) return undefined;
      const next: Wanted | undefined = character === undefined ? undefined : this.#take(character, wanted);
      if (next === undefined) return this.#fault ?? { at: this.#at, message: this.#messageOf(wanted) };
      wanted = next;
    }
  }

  /** Goes past what was wanted and says what comes next; undefined where it is something else. */
  #take(character: string, wanted: Wanted): Wanted | undefined {
    switch (wanted) {
      case 'colon':
        return character === ':' ? this.#past('value') : undefined;
      case 'next':
        return this.#separator(character);
      case 'name':
      case 'member':
        if (character === '"') return this.#string('colon');
        return wanted === 'member' ? this.#close(character) : undefined;
      case 'value':
      case 'item':
        return (wanted === 'item' ? this.#close(character) : undefined) ?? this.#value(character);
    }
  }

  #separator(character: string): Wanted | undefined {
    const end = this.#open.at(-1);
    if (character === ',' && end !== undefined) return this.#past(end === '}' ? 'name' : 'value');
    return this.#close(character);
  }

  #close(character: string): Wanted | undefined {
    if (character !== this.#open.at(-1)) return undefined;
    this.#open.pop();
    return this.#past('next');
  }

  #value(character: string): Wanted | undefined {
    if (character === '"') return this.#string('next');
    if (character === '{' || character === '[') {
      this.#open.push(character === '{' ? '}' : ']');
      return this.#past(character === '{' ? 'member' : 'item');
    }
    return this.#skip(scalar) ? 'next' : undefined;
  }

  #string(next: Wanted): Wanted | undefined {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === QUOTE) return this.#past(next);
      if (Number.isNaN(code)) this.#fault = { at: start, message: 'a text begins here and does not end' };
      else if (code < SPACE)
        this.#fault = { at: this.#at, message: 'a line end, tab or other control character is escaped inside a text' };
      else if (code !== BACKSLASH) this.#at += 1;
      else if (!this.#skip(escaped))
        this.#fault = { at: this.#at, message: 'a backslash is written twice inside a text' };
      if (this.#fault) return undefined;
    }
  }

  #past(next: Wanted): Wanted {
    this.#at += 1;
    return next;
  }

  /** @returns whether there was anything to skip */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found !== '';
  }

  #messageOf(wanted: Wanted): string {
    if (wanted !== 'next') return MESSAGES[wanted];
    const end = this.#open.at(-1);
    return end === undefined ? 'nothing more is expected' : `a comma is expected, or ${end}`;
  }
}

const QUOTE = 0x22;
const SPACE = 0x20;
const BACKSLASH = 0x5c;
const blank = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const escaped = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
