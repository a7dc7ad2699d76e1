import { LockMode, raw } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { notFound } from '../../engine/model/fault.ts'
import { type VpcView, vpcNamespace } from '../../domain/vpc/vpc.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { Vpc } from './vpc-entity.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { type Reader, one, only } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { takeTurn } from '../../engine/database/turn.ts'
import { type UnitTools } from '../../engine/database/unit.ts'
import { shownOfVpc } from './vpc-reads.ts'
import { type Message } from '../../engine/model/message.ts'

const firstVpcsLock = 0x7670_6373

/** What a look at the cluster found; only the reconciler writes it. */
export type SeenOfVpc = Pick<Vpc, 'state'> & { stateReason: Message | null; clusterUid?: string }

export class VpcStore {
  readonly #unit: Pick<UnitTools, 'em'>
  readonly #reader: Reader

  constructor(unit: Pick<UnitTools, 'em'>, reader: Reader) {
    this.#unit = unit
    this.#reader = reader
  }

  insert(values: Pick<VpcView, 'tenantId' | 'name' | 'cidr' | 'isDefault'>): Promise<VpcView> {
    const id = newId()
    return insertVpc(this.#reader, { ...values, id, namespace: vpcNamespace(id) })
  }

  /**
   * The tenant's VPC, locked until the unit ends: what is made in it and its end follow each other.
   */
  async get(id: string): Promise<Vpc> {
    const vpc = isId(id)
      ? await this.#unit.em.findOne(
          Vpc,
          { id, goneAt: null },
          { lockMode: LockMode.PESSIMISTIC_WRITE },
        )
      : null
    if (!vpc) throw notFound('vpc', id)
    return vpc
  }

  /** The row whatever became of it, locked; null when there never was one. */
  row(id: string): Promise<Vpc | null> {
    return this.#unit.em.findOne(Vpc, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  }

  /** All of a tenant that are not gone, locked. */
  ofTenant(tenantId: string): Promise<Vpc[]> {
    return this.#unit.em.find(
      Vpc,
      { tenantId, goneAt: null },
      { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
    )
  }

  async countOf(tenantId: string): Promise<number> {
    const counted = statement('vpc.countOf', (db) =>
      db
        .selectFrom('vpc')
        .select(countAll)
        .where('tenant_id', '=', slot<string>('tenantId'))
        .where('gone_at', 'is', null),
    )
    return (await only(this.#reader, counted, { tenantId })).total
  }

  async nameTaken(tenantId: string, name: string): Promise<boolean> {
    const named = statement('vpc.named', (db) =>
      db
        .selectFrom('vpc')
        .select('id')
        .where('tenant_id', '=', slot<string>('tenantId'))
        .where(sql<boolean>`lower(name) = lower(${slot('name')})`)
        .where('gone_at', 'is', null),
    )
    return (await one(this.#reader, named, { tenantId, name })) !== null
  }

  /** Only the request; the reconciler sees to the rest. */
  requestDelete(vpc: Vpc): void {
    vpc.deleteRequestedAt ??= raw('now()')
  }

  observe(vpc: Vpc, seen: SeenOfVpc): void {
    Object.assign(vpc, seen)
    vpc.seenAt = raw('now()')
  }

  /** Nothing of it is in the cluster any more: the row stays as the record of what was. */
  markGone(vpc: Vpc): void {
    vpc.goneAt = raw('now()')
  }

  /**
   * Tenants that never had a VPC: those that were there before there were any. Of two starts at
   * once the second finds what the first made.
   */
  async tenantsWithout(): Promise<{ id: string }[]> {
    await takeTurn(this.#reader, firstVpcsLock)
    const without = statement('vpc.tenantsWithout', (db) =>
      db
        .selectFrom('tenant')
        .select('id')
        .where('gone_at', 'is', null)
        .where('delete_requested_at', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(selectFrom('vpc').select('vpc.id').whereRef('vpc.tenant_id', '=', 'tenant.id')),
          ),
        )
        .orderBy('id'),
    )
    return this.#reader.all(without, {})
  }
}

const insertVpc = insertInto('vpc', (row) => row.returning(shownOfVpc))
