import { Type } from 'typebox';

/** `:id` of a path. Any text passes: what is no id of ours is a 404 of its resource, not a 422. */
export const pathId = Type.Object({ id: Type.String() });
