import type { Step } from './group-commit.ts';

/** A port as the storage thread answers it. */
export type Synchronous<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never;
};

/** A write is prepared by its arguments and then done in one step or several. */
export type WriteOf<Call extends (...args: never) => unknown> = (
  ...args: Parameters<Call>
) => () => Step<ReturnType<Call>>;

export function once<Answer>(write: () => Answer): () => Step<Answer> {
  return () => ({ done: true, answer: write() });
}
