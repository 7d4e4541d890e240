import type { Filter, FilterChange, FilterCreation, FilterSaved, FilterUse } from '../../shared/api/filter.ts';
import type { Asking } from './ratings.ts';
import { isDiagnostic, listOf, optional, shaped, text } from './shape.ts';

const isFilter = shaped<Filter>({ id: text, name: text, value: text, created_at: text });
const isUse = shaped<FilterUse>({ rule_id: text, tap_id: text, tag: optional(text), value: text });
const isSaved = shaped<FilterSaved>({ data: isFilter, diagnostics: optional(listOf(isDiagnostic)) });

/** The endpoints below `/admin/filters`, one method each; a filter is named by its id, name or the beginning of its id. @throws as `Client` */
export class FilterEndpoints {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async list(): Promise<Filter[]> {
    return this.#asking.ask(listOf(isFilter), 'GET', '/admin/filters');
  }

  async show(wanted: string): Promise<Filter> {
    return this.#asking.ask(isFilter, 'GET', pathOf(wanted));
  }

  async uses(wanted: string): Promise<FilterUse[]> {
    return this.#asking.ask(listOf(isUse), 'GET', `${pathOf(wanted)}/uses`);
  }

  async add(filter: FilterCreation): Promise<FilterSaved> {
    return this.#asking.askWhole(isSaved, 'POST', '/admin/filters', filter);
  }

  async change(wanted: string, change: FilterChange): Promise<FilterSaved> {
    return this.#asking.askWhole(isSaved, 'PATCH', pathOf(wanted), change);
  }

  async remove(wanted: string): Promise<void> {
    await this.#asking.tell('DELETE', pathOf(wanted));
  }
}

function pathOf(wanted: string): string {
  return `/admin/filters/${encodeURIComponent(wanted)}`;
}
