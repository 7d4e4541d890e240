import { deepStrictEqual, strictEqual } from 'node:assert';
import type { AsyncCommand } from 'fast-check';
import type { Model } from './model.ts';
import type { Answer, System } from './system.ts';

export type Step = AsyncCommand<Model, System>;
type Run = (model: Model, system: System) => Promise<void>;

/** A step: what it does to the model and to the system, and that both say the same of it and after it. */
export function step(name: string, run: Run, check: (model: Model) => boolean = () => true): Step {
  return {
    check: (model) => check(model),
    run: async (model, system) => {
      await run(model, system);
      deepStrictEqual(new Map([...system.registered].sort()), new Map([...model.registered].sort()));
    },
    toString: () => name,
  };
}

/** One of a list, by a number that was drawn before anyone knew how long the list would be. */
export function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('the list is empty');
  return item;
}

/** The status is this one, and a refusal says one sentence. */
export function expectStatus({ status, body }: Answer, expected: number): void {
  strictEqual(status, expected, JSON.stringify(body));
  if (status >= 400) strictEqual(typeof (body as { message?: unknown }).message, 'string');
}

/** What stands under `data`: what the model compares it with says whether it is that. */
export function dataOf<Data>({ body }: Answer<{ readonly data: Data }>): Data {
  return body.data;
}
