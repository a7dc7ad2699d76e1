/**
 * The seed of all random values in tests. It is fixed, so that every run tries the same cases.
 * BERTH_TEST_SEED sets another one. A failing random case becomes a test of its own.
 */
export const testSeed = Number(process.env['BERTH_TEST_SEED'] ?? 20_261_121)
if (!Number.isSafeInteger(testSeed)) throw new RangeError('BERTH_TEST_SEED must be an integer')
