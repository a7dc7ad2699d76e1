import pg from 'pg'
import { urlOf } from '../../../server/src/engine/postgres/embedded.ts'

/* The PostgreSQL server that all test files of a run share: names, addresses and statements. */

export const templateName = 'berth_template'

export const databaseUrl = urlOf

/** Runs one statement as superuser on a connection of its own. */
export async function runSql(
  socketDir: string,
  database: string,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({
    connectionString: databaseUrl(socketDir, database),
    connectionTimeoutMillis: 5_000,
  })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
