import { expect, test } from 'vitest';
import { emptyCatalog, recordChanges } from '../../../src/daemon/storage/catalog.ts';
import { organization, ruleRecord } from '../../contract/catalog.ts';

const renamed = { ...organization, name: 'Renamed' };

test('what leads from one state of the catalog to another: added and changed in their order, then what is gone', () => {
  const before = { ...emptyCatalog(), organizations: [organization], rules: ['r1', 'r2', 'r3'].map(ruleRecord) };
  const after = { ...emptyCatalog(), organizations: [renamed], rules: ['r4', 'r3', 'r2'].map(ruleRecord) };
  expect(recordChanges(before, after)).toEqual([
    { kind: 'organizations', id: 'o1', before: organization, after: renamed },
    { kind: 'rules', id: 'r4', before: undefined, after: ruleRecord('r4') },
    { kind: 'rules', id: 'r1', before: ruleRecord('r1'), after: undefined },
  ]);
});

test('what is the same but for the order of its fields has not changed', () => {
  const { id, ...others } = organization;
  const reordered = { ...emptyCatalog(), organizations: [{ ...others, id }] };
  expect(recordChanges({ ...emptyCatalog(), organizations: [organization] }, reordered)).toEqual([]);
});
