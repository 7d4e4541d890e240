import { describe, expect, test } from 'vitest';
import { sinkKinds } from '../../../../src/daemon/notify/kinds/kinds.ts';
import { withoutSecrets } from '../../../../src/daemon/notify/kinds/answers.ts';
import { SINK_OPTIONS } from '../../../../src/shared/limits.ts';

describe('the kinds of sinks', () => {
  test.each(sinkKinds.names)('%s is loaded by its name', async (name) => {
    const kind = await sinkKinds.load(name);
    expect(kind.name).toBe(name);
    expect(kind.fields.length).toBeLessThanOrEqual(SINK_OPTIONS);
    expect(kind.fields.some(({ isRequired }) => isRequired) || kind.fault !== undefined).toBe(true);
  });
});

describe('what a receiver says', () => {
  const secrets = { url: 'https://hooks.example/services/T0AB1/kLmN5oPq?key=zY8xW7', password: 'pä"ss', short: 'x9' };

  test.each([
    ['as it is', 'no kLmN5oPq here', 'no ••• here'],
    ['whole', 'POST https://hooks.example/services/T0AB1/kLmN5oPq?key=zY8xW7 failed', 'POST ••• failed'],
    ['its path', 'GET /services/T0AB1/kLmN5oPq?key=zY8xW7', 'GET •••'],
    ['percent-encoded', 'p=p%C3%A4%22ss', 'p=•••'],
    ['in JSON', String.raw`{"password":"pä\"ss"}`, '{"password":"•••"}'],
    ['in base64', `Basic ${Buffer.from('me:pä"ss').toString('base64')}`, 'Basic •••'],
    ['of two characters', 'x9', '•••'],
    ['cut at the end of the answer', 'the url is https://hooks.example/serv', 'the url is •••'],
    ['without one', 'hooks.example is fine', 'hooks.example is fine'],
  ])('has no secret: %s', (_, text, told) => {
    expect(withoutSecrets(text, secrets, 'me')).toBe(told);
  });
});
