import { expect, test } from 'vitest';
import { creditOf, setCredit } from './credit-commands.ts';
import type { Answer, Service } from './service.ts';
import { inMemory } from './services.ts';
import { together } from './together.ts';
import { start } from './walk.ts';

/** The first of two requests at once arrives when the second one was answered. */
function inReverse(service: Service): Service {
  const { promise: second, resolve } = Promise.withResolvers<unknown>();
  let requests = 0;
  const operate = async <Body>(
    method: string,
    url: string,
    organization: string,
    body?: object,
  ): Promise<Answer<Body>> => {
    requests += 1;
    if (requests === 1) await second;
    const answer = await service.operate<Body>(method, url, organization, body);
    resolve(undefined);
    return answer;
  };
  return new Proxy(service, {
    get: (of, name) => {
      if (name === 'operate') return operate;
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === 'function' ? (value.bind(of) as unknown) : value;
    },
  });
}

test('of two that overwrite each other at once, and are answered alike in either order, what there is tells which was last', async () => {
  const { service, clock } = await inMemory();
  const model = await start(service);
  const both = together([setCredit(0, 7, undefined), setCredit(0, 4, undefined)], () => clock);
  await both.take(model, inReverse(service));
  expect(model.organizations[0]?.grants).toEqual([{ left: 7, expiresAt: Infinity }]);
  await creditOf(0).take(model, service);
  await service.close();
});
