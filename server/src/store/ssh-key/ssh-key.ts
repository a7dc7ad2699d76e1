import { type Kysely, sql } from 'kysely'
import { notFound } from '../../engine/model/fault.ts'
import { type Page, type PageRequest } from '../../engine/model/page.ts'
import { type SshKeyView } from '../../domain/ssh-key/ssh-key.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { type Direction, type SortKey, readPage } from '../../engine/database/sql/page.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { type Reader, one, only } from '../../engine/database/sql/reader.ts'
import {
  type Filterable,
  contains,
  countAll,
  searchPattern,
  whereIf,
} from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

const noun = 'SSH key'

export interface SshKeyQuery {
  search?: string | null
  sort: 'name' | 'createdAt'
  direction: Direction
}

type Named = Pick<SshKeyView, 'name' | 'fingerprint'>

/** Writes the public SSH keys of tenants in the transaction of a unit of work. */
export class SshKeyStore {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  insert(values: Named & Pick<SshKeyView, 'tenantId' | 'publicKey'>): Promise<SshKeyView> {
    return insertKey(this.#reader, { id: newId(), ...values })
  }

  /** Counts the tenant's keys, and returns those with the same name or fingerprint. */
  async presentFor(
    key: Named & Pick<SshKeyView, 'tenantId'>,
  ): Promise<{ count: number; alike: Named[] }> {
    const counted = statement('ssh_key.ofTenant', (db) => ofTenant(db).select(countAll))
    const { total } = await only(this.#reader, counted, { tenantId: key.tenantId })
    return {
      count: total,
      alike: await this.#reader.all(statement('ssh_key.alike', alike), { ...key }),
    }
  }

  /** Removes the key and returns it. */
  async remove(id: string): Promise<SshKeyView> {
    const removing = statement('ssh_key.remove', (db) =>
      db.deleteFrom('ssh_key').where('id', '=', slot<string>('id')).returning(shown),
    )
    const removed = isId(id) ? await one(this.#reader, removing, { id }) : null
    if (!removed) throw notFound(noun, id)
    return removed
  }
}

/** Reads the public SSH keys of tenants, for clients and for new VMs. */
export class SshKeyReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  find(id: string): Promise<SshKeyView | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(
      this.#reader,
      statement('ssh_key.find', (db) => views(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  list(page: PageRequest, query: SshKeyQuery): Promise<Page<SshKeyView>> {
    return readPage(this.#reader, page, {
      shape: `ssh_key.list ${shapeOf(query)} ${query.sort}`,
      keys: sortKeys[query.sort],
      direction: query.direction,
      args: argsOf(query),
      tenantColumn: 'ssh_key.tenant_id',
      rows: (db) => matching(views(db), query),
    })
  }

  async count(query: Pick<SshKeyQuery, 'search'>): Promise<number> {
    const counted = statement(`ssh_key.count ${shapeOf(query)}`, (db) =>
      matching(db.selectFrom('ssh_key').select(countAll), query),
    )
    return (await only(this.#reader, counted, argsOf(query))).total
  }

  /**
   * Returns the public keys in the requested order. Throws for the first id without a key in the
   * scope.
   */
  async publicKeysOf(ids: readonly string[]): Promise<string[]> {
    const lines = statement('ssh_key.lines', (db) =>
      db
        .selectFrom('ssh_key')
        .select(['id', 'public_key as publicKey'])
        .where(sql<boolean>`id = any(${slot<string[]>('ids')}::uuid[])`),
    )
    const rows = await this.#reader.all(lines, { ids: ids.filter(isId) })
    const byId = new Map(rows.map((row) => [row.id, row.publicKey]))
    return ids.map((id) => {
      const line = byId.get(id.toLowerCase())
      if (line === undefined) throw notFound(noun, id)
      return line
    })
  }
}

const id: SortKey<SshKeyView> = { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id }
const name: SortKey<SshKeyView> = { sql: sql.ref('name'), type: 'text', of: (row) => row.name }
const createdAt: SortKey<SshKeyView> = {
  sql: sql.ref('created_at'),
  type: 'timestamptz',
  of: (row) => row.createdAt,
}

const sortKeys: Record<SshKeyQuery['sort'], readonly SortKey<SshKeyView>[]> = {
  name: [name, id],
  createdAt: [createdAt, id],
}

const shown = [
  ...([
    'id',
    'tenant_id as tenantId',
    'name',
    'public_key as publicKey',
    'fingerprint',
    'version',
  ] as const),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const views = (db: Kysely<Tables>) => db.selectFrom('ssh_key').select(shown)

const ofTenant = (db: Kysely<Tables>) =>
  db.selectFrom('ssh_key').where('tenant_id', '=', slot<string>('tenantId'))

const alike = (db: Kysely<Tables>) =>
  ofTenant(db)
    .where((key) =>
      key.or([
        key('name', '=', slot<string>('name')),
        key('fingerprint', '=', slot<string>('fingerprint')),
      ]),
    )
    .select(['name', 'fingerprint'])

const insertKey = insertInto('ssh_key', (row) => row.returning(shown))

const matching = <Query extends Filterable<Query>>(
  query: Query,
  { search }: Pick<SshKeyQuery, 'search'>,
): Query => whereIf(Boolean(search), query, contains('name', 'fingerprint'))

const shapeOf = ({ search }: Pick<SshKeyQuery, 'search'>): string => (search ? 's' : '')

const argsOf = ({ search }: Pick<SshKeyQuery, 'search'>): Record<string, unknown> => ({
  search: searchPattern(search),
})
