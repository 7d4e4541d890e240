import { SELECTOR_COMPOUNDS } from '../../limits.ts';

/** What is wrong with a selector as text, as a sentence with its place; undefined where nothing can be told by its text. */
export function selectorFlaw(selector: string): string | undefined {
  if (selector.trim() === '') return 'The selector is empty.';
  const scan = new Scan(selector);
  while (scan.flaw === undefined && scan.at < selector.length) scan.step();
  return scan.flaw ?? scan.ended();
}

interface Opening {
  readonly mark: string;
  readonly at: number;
  /** Whether it is that of `:has(`. */
  readonly has: boolean;
}

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[' };
const COMBINATOR = /[>+~<]/;
/** What stands in no name and begins nothing. */
const ODD = /[@$%&=!?;{}^`/]/;
/** Pseudo-elements (one colon by an old rule of CSS, two by the new one), and what only somebody's browser knows. */
const ABSENT = /^:(?::[\w-]*|(?:before|after|first-line|first-letter|hover|active|visited)(?![\w-]))/i;

/** Walks a selector once: brackets, quotes, escapes, commas, and what no page has. */
class Scan {
  at = 0;
  flaw: string | undefined;
  readonly #text: string;
  readonly #open: Opening[] = [];
  #compounds = 0;
  #isParted = true;
  /** Whether something stands since the last comma or opening parenthesis. */
  #isFilled = false;
  /** Where a combinator is that nothing has followed yet. */
  #pending: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  step(): void {
    const character = this.#text[this.at] ?? '';
    if (character === '\\') this.#part(2);
    else if (character === '"' || character === "'") this.#quoted(character);
    else if (this.#open.at(-1)?.mark === '[' && character !== ']') this.at += 1;
    else if (character === '(' || character === '[') this.#opens(character);
    else if (character === ')' || character === ']') this.#closes(character);
    else this.#unbracketed(character);
  }

  #unbracketed(character: string): void {
    if (character === ',') this.#comma();
    else if (character === ':' && ABSENT.test(this.#text.slice(this.at))) this.#absent();
    else if (COMBINATOR.test(character)) this.#combinator();
    else if (/\s/.test(character)) this.#parts();
    else if (this.#text.startsWith('/*', this.at)) this.#comment();
    else if (ODD.test(character))
      this.flaw = `"${character}", at character ${this.at + 1}, has no meaning in a selector.`;
    else this.#part(1);
  }

  /** What is wrong at the end of a selector of a list. */
  #unfollowed(): string | undefined {
    if (this.#pending === undefined) return undefined;
    return `Nothing follows the "${this.#text[this.#pending]}" at character ${this.#pending + 1} of the selector.`;
  }

  #combinator(): void {
    this.flaw = this.#unfollowed();
    // `:has(> b)` is of its element; elsewhere nothing would ever be found.
    if (!this.#isFilled && this.#open.at(-1)?.has !== true) {
      this.flaw ??= `Nothing stands before the "${this.#text[this.at]}" at character ${this.at + 1} of the selector.`;
    }
    this.#pending = this.at;
    this.#parts();
  }

  #comment(): void {
    const end = this.#text.indexOf('*/', this.at + 2);
    if (end === -1) this.flaw = `The comment at character ${this.at + 1} of the selector is never closed.`;
    this.at = end + 2;
  }

  ended(): string | undefined {
    const open = this.#open.at(-1);
    if (open) return `The "${open.mark}" at character ${open.at + 1} of the selector is never closed.`;
    const unfollowed = this.#unfollowed();
    return this.#isFilled || unfollowed ? unfollowed : 'Nothing stands after the last comma of the selector.';
  }

  #part(length: number): void {
    if (this.#isParted) this.#compounds += 1;
    this.#isParted = false;
    this.#isFilled = true;
    this.#pending = undefined;
    this.at += length;
    if (this.#compounds > SELECTOR_COMPOUNDS) {
      this.flaw = `The selector has more than ${SELECTOR_COMPOUNDS} parts, such as "div.price"; make it shorter.`;
    }
  }

  #parts(): void {
    this.#isParted = true;
    this.at += 1;
  }

  #quoted(quote: string): void {
    const from = this.at;
    for (this.at += 1; this.at < this.#text.length && this.#text[this.at] !== quote; this.at += 1) {
      if (this.#text[this.at] === '\\') this.at += 1;
    }
    if (this.at >= this.#text.length) {
      this.flaw = `The quote at character ${from + 1} of the selector is never closed.`;
    }
    this.#isFilled = true;
    this.at += 1;
  }

  #opens(mark: string): void {
    const has = mark === '(' && /:has$/i.test(this.#text.slice(0, this.at));
    if (has && this.#open.some((outer) => outer.has)) {
      this.flaw = `":has" inside ":has", at character ${this.at - 3} of the selector, is not possible.`;
    }
    this.#open.push({ mark, at: this.at, has });
    if (mark === '[') this.#part(0);
    this.#isParted = mark === '(';
    this.#isFilled = mark === '[';
    this.at += 1;
  }

  #closes(mark: string): void {
    const at = this.at + 1;
    if (this.#open.pop()?.mark !== CLOSING[mark]) {
      this.flaw = `The "${mark}" at character ${at} of the selector closes nothing.`;
    } else if (!this.#isFilled) {
      this.flaw = `Nothing stands before the "${mark}" at character ${at} of the selector.`;
    } else this.flaw = this.#unfollowed();
    this.#isParted = false;
    this.#isFilled = true;
    this.at = at;
  }

  #comma(): void {
    this.flaw = this.#unfollowed();
    if (!this.#isFilled) this.flaw ??= `Nothing stands before the comma at character ${this.at + 1} of the selector.`;
    this.#isFilled = false;
    this.#parts();
  }

  #absent(): void {
    const [name = ''] = ABSENT.exec(this.#text.slice(this.at)) ?? [];
    this.flaw = `"${name}", at character ${this.at + 1} of the selector, is nothing that a fetched page has: leave it out.`;
  }
}
