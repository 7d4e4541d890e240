import { AssertionError, deepStrictEqual } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { limits } from './account-commands.ts';
import { expectState, type Step } from './command.ts';
import { creditOf } from './credit-commands.ts';
import { filtersOf } from './filter-commands.ts';
import type { Model } from './model.ts';
import type { Answer, Opened, Service, State, StepClock } from './service.ts';
import { tapsOf } from './tap-commands.ts';

type Request = readonly [of: 'ask' | 'operate', method: string, url: string, who: string, body: object | undefined];

interface Exchange {
  readonly request: Request;
  readonly answer: Answer;
}

/**
 * Steps of a request each, taken by as many clients at once. Which of them was first nobody knows: their answers, and what there is
 * afterwards, are those of some order.
 */
export function together(steps: readonly Step[], clock: () => StepClock): Step {
  const name = `at once: ${steps.map(String).join(' | ')}`;
  const take = async (model: Model, service: Service): Promise<void> => {
    const asked = (one: Step): Promise<Exchange> => exchangeOf(one, model.copy(), service);
    const exchanges = await clock().atOnce(steps.length, () => Promise.all(steps.map(asked)));
    const answered = steps.map((one, index) => ({ one, exchange: exchanges[index] as Exchange }));
    const failed: AssertionError[] = [];
    const possible = await explaining(ordersOf(answered), model, service, failed);
    // Whoever was overwritten was answered as if nobody had: what there is tells which of them that was.
    const looks = possible.length > 1 ? await looked(model, service, clock()) : [];
    const seen: Model[] = [];
    for (const one of possible) seen.push(...(await explaining([looks], one, service, failed)));
    const [after] = seen;
    if (after) return model.become(after);
    const answers = [...answered, ...looks].map(({ one, exchange }) => `${String(one)}: ${JSON.stringify(exchange)}`);
    const reasons = failed.map(({ message }) => message.split('\n').slice(0, 12).join('\n'));
    throw new Error([`no order explains what was answered ${name}`, ...answers, ...reasons].join('\n'));
  };
  return {
    check: (model) => steps.every((one) => one.check(model)),
    take,
    run: take,
    toString: () => name,
  };
}

interface Answered {
  readonly one: Step;
  readonly exchange: Exchange;
}

/** What the model is after each of these orders, one step after another, where the answers are of that order; each only once. */
async function explaining(
  orders: readonly (readonly Answered[])[],
  model: Model,
  service: Service,
  failed: AssertionError[],
): Promise<Model[]> {
  const all: Model[] = [];
  for (const order of orders) {
    const after = model.copy();
    try {
      for (const { one, exchange } of order) await one.take(after, new Replay(service.now, exchange));
      expectState(after, service.states);
      if (!all.some((other) => isDeepStrictEqual(other, after))) all.push(after);
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error;
      failed.push(error);
    }
  }
  return all;
}

/** All that can be asked, one after another while the clock stands. */
function looked(model: Model, service: Service, clock: StepClock): Promise<Answered[]> {
  const ofOrganizations = model.organizations.flatMap((organization, o) => {
    const key = model.keys.findIndex((one) => one.organization === organization && !one.isRevoked);
    return [creditOf(o), filtersOf(o), ...(key === -1 ? [] : [tapsOf(key)])];
  });
  return clock.atOnce(0, async () => {
    const answered: Answered[] = [];
    for (const one of [limits(), ...ofOrganizations]) {
      answered.push({ one, exchange: await exchangeOf(one, model.copy(), service) });
    }
    return answered;
  });
}

/** What a step asks, and what it is answered; what follows from it is looked at later. */
async function exchangeOf(one: Step, model: Model, service: Service): Promise<Exchange> {
  const recorder = new Recorder(service);
  await one.take(model, recorder).catch((error: unknown) => {
    if (error !== STOPPED) throw error;
  });
  if (!recorder.recorded) throw new Error(`${String(one)} has asked nothing`);
  return recorder.recorded;
}

const STOPPED = new Error('the answer is known');

/** Of a step that is one request nothing else is asked. */
abstract class OneRequest implements Service {
  readonly states: readonly State[] = [];
  abstract readonly now: number;

  protected abstract exchange(request: Request): Promise<Answer>;

  async ask<Body>(method: string, url: string, key: string, body?: object): Promise<Answer<Body>> {
    return (await this.exchange(['ask', method, url, key, body])) as Answer<Body>;
  }

  async operate<Body>(method: string, url: string, organization: string, body?: object): Promise<Answer<Body>> {
    return (await this.exchange(['operate', method, url, organization, body])) as Answer<Body>;
  }

  publish(): Promise<void> {
    return this.#refuse();
  }

  listen(): Promise<Opened> {
    return this.#refuse();
  }

  settle(): Promise<void> {
    return this.#refuse();
  }

  restart(): Promise<void> {
    return this.#refuse();
  }

  crash(): Promise<void> {
    return this.#refuse();
  }

  #refuse(): Promise<never> {
    return Promise.reject(new Error('this step is more than one request'));
  }
}

class Recorder extends OneRequest {
  readonly #service: Service;
  recorded: Exchange | undefined;

  constructor(service: Service) {
    super();
    this.#service = service;
  }

  get now(): number {
    return this.#service.now;
  }

  protected async exchange(request: Request): Promise<never> {
    const [of, method, url, who, body] = request;
    this.recorded = { request, answer: await this.#service[of](method, url, who, body) };
    throw STOPPED;
  }
}

class Replay extends OneRequest {
  readonly now: number;
  readonly #known: Exchange;

  constructor(now: number, known: Exchange) {
    super();
    this.now = now;
    this.#known = known;
  }

  protected async exchange(request: Request): Promise<Answer> {
    deepStrictEqual(request, this.#known.request);
    return this.#known.answer;
  }
}

function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((first, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [first].concat(rest)));
}
