/**
 * The seed of everything that tests draw. It is fixed, so that every run tries the same cases;
 * BERTH_TEST_SEED tries others. A case that a draw finds becomes a test of its own.
 */
export const testSeed = Number(process.env['BERTH_TEST_SEED'] ?? 20_261_121)
if (!Number.isSafeInteger(testSeed)) throw new RangeError('BERTH_TEST_SEED must be an integer')
