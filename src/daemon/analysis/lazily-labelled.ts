import type { Labels } from '../../shared/label/label.ts';
import type { ChangedPage } from '../../shared/match/document.ts';
import type { Change } from '../../shared/page/change.ts';
import { domainsOf } from '../../shared/page/domain.ts';
import type { Page } from '../../shared/page/page.ts';

/**
 * A changed page whose labels are found when they are first asked for: most meet no rule that would ask. A class for the reason that
 * `PageTexts` (`shared/match/document.ts`) is one.
 */
export class LazilyLabelled implements ChangedPage {
  readonly page: Page;
  readonly change: Change;
  readonly domains: readonly string[];
  readonly dr?: number;
  readonly #label: (page: Page) => Labels;
  #found: Labels | undefined;
  #flaw: { readonly error: unknown } | undefined;

  constructor(
    { page, change, dr }: Pick<ChangedPage, 'page' | 'change'> & { readonly dr: number | undefined },
    label: (page: Page) => Labels,
  ) {
    this.page = page;
    this.change = change;
    this.domains = domainsOf(page.url);
    if (dr !== undefined) this.dr = dr;
    this.#label = label;
  }

  get labels(): Labels {
    this.check();
    try {
      return (this.#found ??= this.#label(this.page));
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
