import { type PgDriver } from '../../../server/src/engine/database/pg-driver.ts'

/** The driver of the servers in this process. The vitest project `plain` chooses the plain one. */
export const databaseDriver: PgDriver =
  process.env['BERTH_TEST_DATABASE_DRIVER'] === 'plain' ? 'plain' : 'fast'
