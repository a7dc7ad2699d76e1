import {
  type NamedQuery,
  byCreation,
  byNameOrAge,
  listReads,
} from '../../engine/database/sql/list-reads.ts'
import { UnitStore } from '../../engine/database/unit-store.ts'
import { type Kysely, sql } from 'kysely'
import { notFound } from '../../engine/model/fault.ts'
import { type SshKeyView } from '../../domain/ssh-key/ssh-key.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { one, only } from '../../engine/database/sql/reader.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

const noun = 'SSH key'

type Named = Pick<SshKeyView, 'name' | 'fingerprint'>

/** Writes the public SSH keys of tenants in the transaction of a unit of work. */
export class SshKeyStore extends UnitStore {
  insert(values: Named & Pick<SshKeyView, 'tenantId' | 'publicKey'>): Promise<SshKeyView> {
    return insertKey(this.reader, { id: newId(), ...values })
  }

  /** Counts the tenant's keys, and returns those with the same name or fingerprint. */
  async presentFor(
    key: Named & Pick<SshKeyView, 'tenantId'>,
  ): Promise<{ count: number; alike: Named[] }> {
    const counted = statement('ssh_key.ofTenant', (db) => ofTenant(db).select(countAll))
    const { total } = await only(this.reader, counted, { tenantId: key.tenantId })
    return {
      count: total,
      alike: await this.reader.all(statement('ssh_key.alike', alike), { ...key }),
    }
  }

  /** Removes the key and returns it. */
  async remove(id: string): Promise<SshKeyView> {
    const removing = statement('ssh_key.remove', (db) =>
      db.deleteFrom('ssh_key').where('id', '=', slot<string>('id')).returning(shown),
    )
    const removed = isId(id) ? await one(this.reader, removing, { id }) : null
    if (!removed) throw notFound(noun, id)
    return removed
  }
}

/** Reads the public SSH keys of tenants, for clients and for new VMs. */
export class SshKeyReads extends listReads<'ssh_key', SshKeyView, NamedQuery>({
  stem: 'ssh_key',
  tenantColumn: 'ssh_key.tenant_id',
  rows: (db) => db.selectFrom('ssh_key').select(shown),
  counted: (db) => db.selectFrom('ssh_key').select(countAll),
  found: contains('name', 'fingerprint'),
  narrowedBy: byCreation,
  sortedBy: byNameOrAge,
}) {
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
    const rows = await this.reader.all(lines, { ids: ids.filter(isId) })
    const byId = new Map(rows.map((row) => [row.id, row.publicKey]))
    return ids.map((id) => {
      const line = byId.get(id.toLowerCase())
      if (line === undefined) throw notFound(noun, id)
      return line
    })
  }
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
