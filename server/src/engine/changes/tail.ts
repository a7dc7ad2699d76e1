import { type Pool } from 'pg'
import { type Change, type ChangeKind } from '../model/change.ts'
import { type Position, cursorFromPosition } from '../model/cursor.ts'
import { type Scope } from '../model/scope.ts'

/**
 * Reads the change log in the order `(xid, id)`, and only up to the oldest transaction that is
 * still running. Changes that commit later sort after all changes read so far. By id alone a reader
 * misses changes whose id was drawn early and committed late (measured: one in six under 16
 * writers). The price: a long transaction holds back all events, which `heldMs` shows.
 *
 * The versions of an object never fall in the result. A change with the same version is one beside
 * the row, such as the end of a session of its user. A transaction with an early id may write an
 * object after a later transaction did. The older version would then follow the newer one; such a
 * row is omitted for every reader.
 */
export interface ChangeLog {
  read(from: LogQuery): Promise<Page>
}

export interface LogQuery {
  /** The position to read after; null starts at the end of the log. */
  readonly after: Position | null
  readonly limit: number
  readonly scope: Scope
  readonly kinds?: readonly string[]
}

export interface LogEntry {
  readonly at: Position
  readonly change: Change
}

export interface Page {
  readonly changes: readonly LogEntry[]
  /** The position to continue from. Everything that the query selects up to here has been read. */
  readonly position: Position
  /** True when more changes may be available now. */
  readonly more: boolean
  /**
   * True when changes after the requested position are no longer retained. The page is then empty,
   * and reading continues at the end of the log.
   */
  readonly gap: boolean
  /** How long the oldest committed change has been waiting for an older transaction to end. */
  readonly heldMs: number
}

interface Row {
  readonly mark: string
  readonly gap: boolean
  readonly heldMs: number
  readonly xid: string | null
  readonly id: string
  readonly tenantId: string | null
  readonly kind: Change['kind']
  readonly objectId: string
  readonly version: number
  readonly isCreation: boolean
}

// A version that sorts before the first one of its object replaces it, so it tells the creation.
//
// A position beyond the watermark comes from an earlier state of this database (a restore, or a
// failover that lost the tail). The changes since then are unknown, which is a gap as well.
const page = {
  name: 'berth_log_page',
  text: `
select s.mark, s.gap, s.held_ms as "heldMs", c.xid, c.id, c.tenant_id as "tenantId", c.kind, c.object_id as "objectId", c.version, c.is_creation as "isCreation"
  from (
    select mark, (h.xid, h.id) > ($1::xid8, $2::bigint) or $1::xid8 > mark as gap,
           coalesce((select extract(epoch from clock_timestamp() - min(at)) * 1000 from change_log where xid >= mark), 0)::float8 as held_ms
      from pg_snapshot_xmin(pg_current_snapshot()) as mark, (select xid, id from change_horizon limit 1) as h) as s
  left join lateral (
    select l.*,
           l.version = 1 or exists (
             select from change_log n
              where n.object_id = l.object_id and n.kind = l.kind and n.version = 1 and (n.xid, n.id) > (l.xid, l.id)) as is_creation
      from change_log l
     where not s.gap and (l.xid, l.id) > ($1::xid8, $2::bigint) and l.xid < s.mark
       and l.kind = any($3) and ($4::uuid is null or l.tenant_id = $4 or l.tenant_id is null)
       and not exists (
         select from change_log n
          where n.object_id = l.object_id and n.kind = l.kind and n.version > l.version and (n.xid, n.id) < (l.xid, l.id))
     order by l.xid, l.id
     limit $5) as c on true
 order by c.xid, c.id`,
}

const endOfLog = `select pg_snapshot_xmin(pg_current_snapshot()) as mark`

/**
 * Opens the change log. The pool must see all tenants (`-c berth.scope=platform`);
 * the tenant's scope is applied here.
 */
export function openChangeLog(pool: Pool, allKinds: readonly ChangeKind[]): ChangeLog {
  return {
    async read({ after, limit, scope, kinds = allKinds }) {
      if (!after)
        return { changes: [], position: await end(pool), more: false, gap: false, heldMs: 0 }
      const tenantId = scope === 'platform' ? null : scope.tenantId
      const { rows } = await pool.query<Row>(page, [
        after.xid.toString(),
        after.id.toString(),
        kinds,
        tenantId,
        limit,
      ])
      return pageFromRows(rows, limit)
    },
  }
}

async function end(pool: Pool): Promise<Position> {
  const { rows } = await pool.query<{ mark: string }>(endOfLog)
  const [row] = rows
  if (!row) throw new TypeError('PostgreSQL returned no snapshot')
  return { xid: BigInt(row.mark), id: 0n }
}

function pageFromRows(rows: readonly Row[], limit: number): Page {
  const [first] = rows
  if (!first) throw new TypeError('the horizon row of the change log is missing')
  const changes = rows.filter(({ xid }) => xid !== null).map(changeFromRow)
  const more = changes.length === limit
  const last = changes.at(-1)
  // Everything below the watermark has been read, so reading continues at the watermark itself.
  const position = more && last ? last.at : { xid: BigInt(first.mark), id: 0n }
  return { changes, position, more, gap: first.gap, heldMs: first.heldMs }
}

function changeFromRow({ xid, id, tenantId, kind, objectId, version, isCreation }: Row): LogEntry {
  const at = { xid: BigInt(xid ?? 0), id: BigInt(id) }
  const cursor = cursorFromPosition(at)
  return { at, change: { cursor, tenantId, kind, objectId, version, isCreation } }
}
