import { randomToken, sha256 } from '../../runtime/ids.ts'
import { Secret } from '../../runtime/config/secret.ts'
import { type SqlClient } from './sql/sql-client.ts'

/**
 * Issues a ticket that is valid once, by the database clock. Only its hash is stored, as the first
 * value of the statement.
 */
export async function issueTicket(
  client: SqlClient,
  text: string,
  values: readonly unknown[],
): Promise<{ ticket: Secret; expiresAt: string }> {
  const ticket = randomToken(32)
  const { rows } = await client.query<{ expiresAt: string }>(text, [sha256(ticket), ...values])
  const [row] = rows
  if (!row) throw new TypeError('a ticket was not inserted')
  return { ticket: new Secret(ticket), expiresAt: row.expiresAt }
}
