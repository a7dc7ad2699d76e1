import { UnitStore } from '../../engine/database/unit-store.ts'
import { LockMode, raw } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { type VpcView, vpcNamespace } from '../../domain/vpc/vpc.ts'
import { newId } from '../../runtime/ids.ts'
import { Vpc } from './vpc-entity.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { type TakenName, isLeaving } from '../../engine/database/sql/is-named.ts'
import { one, only } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { takeAdvisoryLock } from '../../engine/database/advisory-lock.ts'
import { vpcViewColumns } from './vpc-reads.ts'
import { type Message } from '../../engine/model/message.ts'

const firstVpcsLock = 0x7670_6373

interface NewVpcRow extends Pick<VpcView, 'tenantId' | 'name' | 'cidr' | 'isDefault'> {
  requestedCidr?: string | null
}

/** The observed state of a VPC. Only the reconciler writes it. */
export type ObservedVpcState = Pick<Vpc, 'state'> & {
  stateReason: Message | null
  clusterUid?: string
}

/**
 * Writes VPCs in the transaction of a unit of work: use cases their desired state, the reconciler
 * their observed state.
 */
export class VpcStore extends UnitStore {
  insert(values: NewVpcRow): Promise<VpcView> {
    const id = newId()
    return insertVpc(this.reader, { ...values, id, namespace: vpcNamespace(id) })
  }

  /**
   * Returns the tenant's VPC, locked until the unit ends. Creating something in it and deleting it
   * then follow each other.
   */
  get(id: string): Promise<Vpc> {
    return this.lockById(Vpc, { id, goneAt: null }, 'vpc')
  }

  /** Returns the row, locked, even when the VPC is gone; null when it never existed. */
  row(id: string): Promise<Vpc | null> {
    return this.lockRow(Vpc, { id })
  }

  /** Returns the VPCs of a tenant that are not gone, locked. */
  ofTenant(tenantId: string): Promise<Vpc[]> {
    return this.unit.em.find(
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
    return (await only(this.reader, counted, { tenantId })).total
  }

  takenName(tenantId: string, name: string): Promise<TakenName | null> {
    const named = statement('vpc.named', (db) =>
      db
        .selectFrom('vpc')
        .select(isLeaving)
        .where('tenant_id', '=', slot<string>('tenantId'))
        .where(sql<boolean>`lower(name) = lower(${slot('name')})`)
        .where('gone_at', 'is', null),
    )
    return one(this.reader, named, { tenantId, name })
  }

  /** Records the request. The reconciler does the rest. */
  requestDelete(vpc: Vpc): void {
    vpc.deleteRequestedAt ??= raw('now()')
  }

  observe(vpc: Vpc, observed: ObservedVpcState): void {
    Object.assign(vpc, observed)
    vpc.observedAt = raw('now()')
  }

  /**
   * Marks the VPC as gone, when the cluster has nothing of it any more. The row stays as a record.
   */
  markGone(vpc: Vpc): void {
    vpc.goneAt = raw('now()')
  }

  /**
   * Returns tenants that never had a VPC, because they were created before VPCs existed. When two
   * replicas start at once, the second finds what the first created.
   */
  async tenantsWithout(): Promise<{ id: string }[]> {
    await takeAdvisoryLock(this.reader, firstVpcsLock)
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
    return this.reader.all(without, {})
  }
}

const insertVpc = insertInto('vpc', (row) => row.returning(vpcViewColumns))
