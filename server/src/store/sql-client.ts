/** All that plain statements need: a pool, a connection of it, or the connection of a unit. */
export interface SqlClient {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }>
}
