import { describe, expect, test } from 'vitest';
import { defaultPlans, Plans, readPlans } from '../../../src/daemon/accounts/plans.ts';

describe('plans', () => {
  test('are the table of the specification', () => {
    const columns = ['activeTaps', 'watchedUrls', 'checksAMonth', 'fastestMinutes', 'rules'] as const;
    const table = Object.entries(defaultPlans).map(([name, plan]) =>
      [name].concat(columns.map((one) => String(plan[one]))),
    );
    expect(table).toEqual([
      ['Free', '1', '5', '1000', '180', '25'],
      ['Starter', '10', '50', '20000', '10', '25'],
      ['Advanced', '30', '200', '200000', '5', '25'],
      ['Business', '100', '1000', '2000000', '5', '25'],
      ['API only', 'Infinity', '0', '0', '5', '25'],
    ]);
  });

  test('give an organization its plan’s numbers, or its own where it has some', () => {
    const plans = new Plans();
    expect(plans.of({ plan: 'Free' })).toEqual(defaultPlans['Free']);
    const own = plans.of({ plan: 'Free', limits: { rules: 100, activeTaps: null } });
    expect(own).toEqual({ ...defaultPlans['Free'], rules: 100, activeTaps: Infinity });
    expect(() => plans.of({ plan: 'Gold' })).toThrow('no plan "Gold"');
    expect(() => plans.of({ plan: 'constructor' })).toThrow('no plan "constructor"');
  });

  test('can be changed and added to in the config file', () => {
    const numbers = { activeTaps: null, watchedUrls: 1, checksAMonth: 2, fastestMinutes: 5, rules: 3 };
    const table = readPlans({ Free: { activeTaps: 2 }, Own: numbers }, 'plans');
    expect(table['Free']).toEqual({ ...defaultPlans['Free'], activeTaps: 2 });
    expect(table['Own']).toEqual({ ...numbers, activeTaps: Infinity });
    expect(table['Starter']).toEqual(defaultPlans['Starter']);
    expect(new Plans(table).names).toEqual([...Object.keys(defaultPlans), 'Own']);
    expect(readPlans({}, 'plans')).toEqual(defaultPlans);
  });

  test.each([
    ['many', 'plans: expected an object'],
    [[], 'plans: expected an object'],
    [{ Free: 3 }, 'plans."Free": expected an object'],
    [{ Free: { taps: 3 } }, 'plans."Free": unknown limit "taps"; known are activeTaps, watchedUrls'],
    [{ Free: { activeTaps: -1 } }, 'plans."Free".activeTaps: -1 is not a whole number from 0 to 1000000, or null'],
    [{ Free: { rules: 1.5 } }, 'plans."Free".rules: 1.5 is not a whole number'],
    [{ Free: { rules: '5' } }, 'plans."Free".rules: "5" is not a whole number'],
    [{ Free: { fastestMinutes: null } }, 'plans."Free".fastestMinutes: null is not a whole number from 5 to 10080'],
    [{ Own: { rules: 5 } }, 'plans."Own" is a custom plan and also needs activeTaps, watchedUrls, checksAMonth, fast'],
    [{ constructor: { rules: 5 } }, 'plans."constructor" is a custom plan'],
  ])('a table that cannot be right is refused: %j', (value, message) => {
    expect(() => readPlans(value, 'plans')).toThrow(message);
  });
});
