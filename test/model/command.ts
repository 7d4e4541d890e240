import { deepStrictEqual, strictEqual } from 'node:assert';
import type { AsyncCommand } from 'fast-check';
import type { Model } from './model.ts';
import type { Answer, Service, State } from './service.ts';

type Take = (model: Model, service: Service) => Promise<void>;

/** A step: what it does to the model and to the service, and that both say the same of it and after it. */
export interface Step extends AsyncCommand<Model, Service> {
  /** Without the comparison after it. */
  readonly take: Take;
}

export function step(
  name: string,
  take: Take,
  check: (model: Pick<Model, 'taps' | 'rules'>) => boolean = () => true,
): Step {
  return {
    check: (model) => check(model),
    take,
    run: async (model, service) => {
      await take(model, service);
      expectState(model, service.states);
    },
    toString: () => name,
  };
}

/** What each daemon has made of it is what the model says. */
export function expectState(model: Model, states: readonly State[]): void {
  for (const { registered, records } of states) {
    deepStrictEqual(new Map([...registered].sort()), new Map([...model.registered].sort()));
    deepStrictEqual(records, model.records);
  }
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
