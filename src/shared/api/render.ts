import { type Static, Type } from 'typebox';
import { RENDER_SECONDS, WATCH_OPTION_LENGTH } from '../limits.ts';

/** A page that is read as a browser shows it: of a watch, and of a source of scope `page`. */
export const RenderOptions = Type.Object({
  /** A CSS selector: the page is read when there is such an element. Absent: when it has settled. */
  wait_for: Type.Optional(Type.String({ minLength: 1, maxLength: WATCH_OPTION_LENGTH })),
  /** Seconds it may take for that; absent: 20. */
  within_seconds: Type.Optional(Type.Integer({ minimum: RENDER_SECONDS.least, maximum: RENDER_SECONDS.most })),
});
export type RenderOptions = Static<typeof RenderOptions>;
