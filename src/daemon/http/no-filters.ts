import type { FilterDoor } from './validate.ts';

/** An organization without saved filters. */
export const noFilters: FilterDoor = { lookup: () => ({ filters: () => undefined, filterNames: [] }) };
