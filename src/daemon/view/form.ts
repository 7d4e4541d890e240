import type { Refusal } from './api.ts';
import { html, type Html, verbatim } from './html.ts';
import type { Diagnostic } from '../../shared/api/diagnostic.ts';
import { placedIn } from './query-report.ts';

/** What a form shows: what was typed last, and what the API said of it. */
export interface FormState {
  readonly values: URLSearchParams;
  readonly refusal?: Refusal | undefined;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

/** A field with what is wrong with it. Its name is that of the API, whose messages name it. */
export class Fields {
  readonly #state: FormState;
  readonly #said = new Set<string>();

  constructor(state: FormState) {
    this.#state = state;
  }

  text(field: Field & { readonly type?: 'text' | 'url'; readonly required?: boolean }): Html {
    const { type = 'text', required = false } = field;
    const value = verbatim(this.#value(field));
    return this.#row(
      field,
      html`<input
        type="${type}"
        id="${field.name}"
        name="${field.name}"
        value="${value}"
        ${this.#about(field)}${required && html` required`}
        autocomplete="off"
        spellcheck="false"
      />`,
    );
  }

  area(field: Field & { readonly rows?: number }): Html {
    const { name, rows = 3 } = field;
    // A line end right behind the tag is not part of the value.
    return this.#row(
      field,
      html`<textarea
        id="${name}"
        name="${name}"
        rows="${rows}"
        ${this.#about(field)}
        spellcheck="false"
        autocapitalize="off"
      >
${verbatim(this.#value(field))}</textarea>`,
    );
  }

  choice(field: Field, options: readonly (readonly [value: string, label: string])[]): Html {
    const chosen = this.#value(field);
    const shown = options.map(([value, label]) => {
      return html`<option value="${value}" ${value === chosen && html` selected`}>${label}</option>`;
    });
    return this.#row(
      field,
      html`<select id="${field.name}" name="${field.name}" ${this.#about(field)}>
        ${shown}
      </select>`,
    );
  }

  check(field: Field): Html {
    const { name, label, hint } = field;
    const isOn = this.#value(field) !== '';
    return html`<div class="field check">
      <label><input type="checkbox" name="${name}" value="on" ${isOn && html` checked`} /> ${label}</label>${
        hint !== undefined && html`<p class="hint">${hint}</p>`
      }${this.#complaint(field)}
    </div>`;
  }

  /** What the API said that belongs to none of the fields; to be asked last. */
  rest(): Html | false {
    const { refusal } = this.#state;
    if (refusal === undefined) return false;
    const { errors = {}, message } = refusal.problem;
    const unsaid = Object.entries(errors).flatMap(([field, messages]) => (this.#said.has(field) ? [] : messages));
    const all = Object.keys(errors).length === 0 ? [message] : unsaid;
    return all.length > 0 && html`<div class="problem" role="alert">${all.map((one) => html`<p>${one}</p>`)}</div>`;
  }

  #value({ name }: Field): string {
    return this.#state.values.get(name) ?? '';
  }

  #row(field: Field, control: Html): Html {
    const { name, label, hint } = field;
    return html`<div class="field">
      <label for="${name}">${label}</label>${control}${
        hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`
      }${this.#complaint(field)}
    </div>`;
  }

  #about({ name, hint }: Field): Html {
    const isWrong = this.#messages(name).length > 0;
    const ids = [...(hint === undefined ? [] : [`${name}-hint`]), ...(isWrong ? [`${name}-problem`] : [])].join(' ');
    return html`${isWrong && html` aria-invalid="true"`}${ids !== '' && html` aria-describedby="${ids}"`}`;
  }

  #complaint({ name }: Field): Html | false {
    const messages = this.#messages(name);
    if (messages.length === 0) return false;
    this.#said.add(name);
    const diagnostics: readonly Diagnostic[] = this.#state.refusal?.problem.diagnostics ?? [];
    const query = this.#state.values.get(name) ?? '';
    const places = diagnostics.length > 0 && placedIn(query, diagnostics);
    return html`<div class="complaint" id="${name}-problem">
      ${messages.map((message) => html`<p>${message}</p>`)}${places}
    </div>`;
  }

  #messages(name: string): readonly string[] {
    return this.#state.refusal?.problem.errors?.[name] ?? [];
  }
}

/** What one types into a list: each line, without the spaces around it; empty ones are none. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
