import { createLog } from '../../../server/src/runtime/log.ts'
import { migrate } from '../../../server/src/store/migrate.ts'

/** Migrates the template database, from which all test databases are copied. */
export const prepareTemplate = (url: string): Promise<void> => migrate(url, createLog('silent'))
