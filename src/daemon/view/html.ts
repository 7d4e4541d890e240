import { escaped } from '../../shared/documents/markup.ts';

/** Mark-up of ours, in which every text of others is escaped. Only `html` makes it. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  static of(parts: readonly string[], values: readonly Value[]): Html {
    return new Html(parts.reduce((text, part, index) => text + written(values[index - 1]) + part));
  }

  static verbatim(text: string): Html {
    return new Html(text.replaceAll(/[&<>"']/g, (found) => `&#${found.codePointAt(0)};`));
  }

  toString(): string {
    return this.#text;
  }
}

/** What may stand in a template: nothing comes of `undefined`, `null` and `false`, which is how a part is left out. */
export type Value = Html | string | number | false | null | undefined | readonly Value[];

/**
 * A piece of a page: ``html`<p>${title}</p>` ``. A text that is put into it is text there, between tags and in a quoted attribute:
 * whatever a page, a name or a tag says, it adds no element and no attribute, and control characters and overrides of the
 * direction of text are replaced, as on a terminal.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return Html.of(parts, values);
}

/** A text as it is, for what a form gives back: line ends and tabs stay. */
export function verbatim(text: string): Html {
  return Html.verbatim(text);
}

function written(value: Value): string {
  if (value === undefined || value === null || value === false) return '';
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number' || value instanceof Html) return value.toString();
  return value.map(written).join('');
}
