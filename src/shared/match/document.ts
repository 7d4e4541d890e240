import type { Labels } from '../label/label.ts';
import type { Change } from '../page/change.ts';
import type { Page } from '../page/page.ts';

/** A changed page as the matcher sees it. */
export interface ChangedPage {
  readonly page: Page;
  readonly change: Change;
  /** The host, and its parents down to the registrable domain (decisions: Rules and queries). */
  readonly domains: readonly string[];
  /** Read when a rule that may match asks for them, and no sooner: to find them takes as long as to read the page. */
  readonly labels: Labels;
  /** Domain rating, 0 to 100; absent for a domain that nobody rated. */
  readonly dr?: number;
}
