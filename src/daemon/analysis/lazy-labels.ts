import type { Labels } from '../../shared/label/label.ts';
import type { Page } from '../../shared/page/page.ts';

/** The labels of a page, found when they are first asked for: most changed pages meet no rule that would ask. */
export class LazyLabels {
  readonly #page: Page;
  readonly #label: (page: Page) => Labels;
  #found: Labels | undefined;
  #flaw: { readonly error: unknown } | undefined;

  constructor(page: Page, label: (page: Page) => Labels) {
    this.#page = page;
    this.#label = label;
  }

  get labels(): Labels {
    this.check();
    try {
      return (this.#found ??= this.#label(this.#page));
    } catch (error) {
      this.#flaw = { error };
      throw error;
    }
  }

  /** Undefined where nobody has asked. */
  get found(): Labels | undefined {
    return this.#found;
  }

  /** Throws what labelling threw: whoever asked may have taken it for a fault of one rule, and it is one of the page. */
  check(): void {
    if (this.#flaw) throw this.#flaw.error;
  }
}
