import fc from 'fast-check';

/**
 * Property tests draw the same cases at every run, so that a run can be repeated and a change is judged by its own faults
 * alone. With `HYDRANT_TEST_SEED=random` they draw others, and tell the seed of a failure; a number is that seed.
 */
const given = process.env['HYDRANT_TEST_SEED'] ?? '20260222';

if (given !== 'random') fc.configureGlobal({ seed: Number(given) });
