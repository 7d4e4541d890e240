import { type Static, Type } from 'typebox';
import type { Diagnostic } from './diagnostic.ts';

/** A saved filter as the operator sees it: `$name` in a query of its organization stands for `(value)`. */
export interface Filter {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly created_at: string;
}

/** A rule whose query refers to a filter. */
export interface FilterUse {
  readonly rule_id: string;
  readonly tap_id: string;
  readonly tag?: string;
  readonly value: string;
}

/** A filter that was saved, and what there is to say about its text all the same. */
export interface FilterSaved {
  readonly data: Filter;
  readonly diagnostics?: readonly Diagnostic[];
}

/** A name is without the `$`; what it may be is told by the room, in words. */
export const FilterCreation = Type.Object({ name: Type.String(), value: Type.String() });
export type FilterCreation = Static<typeof FilterCreation>;

export const FilterChange = Type.Partial(FilterCreation);
export type FilterChange = Static<typeof FilterChange>;
