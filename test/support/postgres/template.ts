import { createLog } from '../../../server/src/runtime/log.ts'
import { migrate } from '../../../server/src/store/migrate.ts'

/** Fills the database that all test databases are copies of. */
export const prepareTemplate = (url: string): Promise<void> => migrate(url, createLog('silent'))
