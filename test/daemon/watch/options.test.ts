import { describe, expect, test } from 'vitest';
import { answerTo } from '../../../src/daemon/http/problems.ts';
import { Problem } from '../../../src/daemon/problem.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import { analysisOptions, optionsWith } from '../../../src/daemon/watch/watches.ts';
import type { WatchOptions } from '../../../src/shared/api/watch.ts';
import { NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';

const createdAt = '2026-02-27T00:00:00.000Z';
const { catalog } = openMemory();
await catalog.update((draft) => {
  draft.filters.push({ id: 'f', organizationId: 'press', name: 'boats', value: 'ferry OR canoe', createdAt });
});
const place = { catalog: catalog.data, organizationId: 'press' };

/** The answer that a refusal of these options is. */
async function refusal(given: Partial<WatchOptions>, organizationId = 'press'): Promise<unknown> {
  try {
    await optionsWith(given, { ...place, organizationId });
  } catch (error) {
    if (error instanceof Problem) return answerTo(error).body;
    throw error;
  }
  return 'it was accepted';
}

describe('the options of a watch', () => {
  test('are none where none are given', async () => {
    expect(await optionsWith(undefined, place)).toEqual(NO_OPTIONS);
  });

  test('are what is given, and else what they were', async () => {
    const former = await optionsWith({ select: ['main'], ignore: ['.ad', '/^Visitors: /'], trigger: '$boats' }, place);
    expect(await optionsWith({ only: 'added', select: [] }, { ...place, former })).toEqual({
      select: [],
      ignore: ['.ad', '/^Visitors: /'],
      only: 'added',
      trigger: '$boats',
      confirm: false,
    });
  });

  test.each([
    [{ select: ['main', 'div['] }, 'select', /^The select field, entry 2, "div\[": The "\[" at character 4/],
    [{ ignore: ['p', '/a(/'] }, 'ignore', /^The ignore field, entry 2, "\/a\(\/": The expression is not understood/],
    [{ ignore: ['a::before'] }, 'ignore', /^The ignore field, entry 1, "a::before": /],
    [{ trigger: 'titel:ferry' }, 'trigger', /titel.*title/],
    [{ trigger: '$planes' }, 'trigger', /planes/],
    [{ trigger: 'NOT ferry' }, 'trigger', /./],
  ])('refuses %j, and says which and where', async (given, field, sentence) => {
    expect(await refusal(given)).toMatchObject({
      message: expect.stringMatching(sentence) as string,
      errors: { [field]: [expect.stringMatching(sentence) as string] },
    });
  });

  test('may refer to the saved filters of its own organization only', async () => {
    expect(await refusal({ trigger: '$boats' })).toBe('it was accepted');
    expect(await refusal({ trigger: '$boats' }, 'shop')).toMatchObject({ errors: { trigger: [expect.anything()] } });
  });
});

describe('the options as a check is judged by', () => {
  test('have saved filters written out as they are now', () => {
    const options = { ...NO_OPTIONS, trigger: '$boats AND harbour' };
    expect(analysisOptions(options, catalog.data, 'press').trigger).toBe('(ferry OR canoe) AND harbour');
  });

  test('have no trigger when a filter of it is gone: every change counts', () => {
    const options = { ...NO_OPTIONS, trigger: '$planes' };
    expect(analysisOptions(options, catalog.data, 'press')).toEqual(NO_OPTIONS);
  });

  test('are as they are where nothing is referred to', () => {
    const options = { ...NO_OPTIONS, trigger: 'ferry' };
    expect(analysisOptions(options, catalog.data, 'press')).toBe(options);
  });
});
