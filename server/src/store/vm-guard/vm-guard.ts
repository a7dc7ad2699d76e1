import { type Kysely, sql } from 'kysely'
import { type SecurityGroupView } from '../../domain/security-group/security-group.ts'
import { columnsFrom } from '../../engine/database/sql/columns-from.ts'
import { rulesOfGroup } from '../security-group/security-group.ts'
import { type Reader, one, only } from '../../engine/database/sql/reader.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

/** Of a machine that is there: what is asked of its guard, and what is known of it. */
export interface VmGuardRow {
  generation: number
  membership: number
  appliedGeneration: number
  toldMembership: number
  clusterUid: string | null
  seenVersion: string | null
  networksUid: string | null
  networksVersion: string | null
  refusedGeneration: number
}

export interface GuardedVm {
  id: string
  tenantId: string
}

export type GroupOfVm = Pick<SecurityGroupView, 'id' | 'name' | 'rules'>

/** How far a group's rules have come with the machines that have it. */
export interface GuardProgress {
  behind: number
  refused: number
}

export class VmGuardStore {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /**
   * Gives a machine these groups and no others; they are held already. Once more, so that its guard
   * follows.
   */
  async choose({ id, tenantId }: GuardedVm, groupIds: readonly string[]): Promise<void> {
    await this.#reader.all(statement('guard.choose', choosing), { id, tenantId, groupIds })
  }

  /**
   * What a machine lets through changes beside its groups; answers with the generation of its guard
   * in which it does.
   */
  async change(vmId: string): Promise<number> {
    const changing = statement('guard.change', (db) =>
      db
        .updateTable('vm_guard')
        .set({ generation: sql<number>`generation + 1` })
        .where('vm_id', '=', slot<string>('vmId'))
        .returning('generation'),
    )
    return (await only(this.#reader, changing, { vmId })).generation
  }

  /** The guards of all machines that have the group may change; answers whose. */
  changed(group: { id: string; tenantId: string }): Promise<GuardedVm[]> {
    return this.#reader.all(statement('guard.changed', changing), {
      tenantId: group.tenantId,
      groupIds: [group.id],
    })
  }

  /** The guards of machines whose rules name the groups of this one may change; answers whose. */
  async changedBy({ id, tenantId }: GuardedVm): Promise<GuardedVm[]> {
    const groupIds = (
      await this.#reader.all(statement('guard.namers', namers), { id, tenantId })
    ).map((row) => row.id)
    return groupIds.length === 0
      ? []
      : this.#reader.all(statement('guard.changed', changing), { tenantId, groupIds })
  }

  /** Null for a machine that is gone. */
  row(vmId: string): Promise<VmGuardRow | null> {
    const found = statement('guard.row', (db) =>
      db.selectFrom('vm_guard').where('vm_id', '=', slot<string>('vmId')).select(columns),
    )
    return one(this.#reader, found, { vmId })
  }

  /** The groups of a machine. */
  groupsOf(vmId: string): Promise<GroupOfVm[]> {
    const found = statement('guard.groups', (db) =>
      groupsOfVms(db).where('vm_security_group.vm_id', '=', slot<string>('vmId')),
    )
    return this.#reader.all(found, { vmId })
  }

  /** The machines of these groups. */
  async membersOf(groupIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    if (groupIds.length === 0) return new Map()
    const found = statement('guard.members', (db) =>
      db
        .selectFrom('vm_security_group')
        .select(['group_id as id', sql<string[]>`array_agg(vm_id::text)`.as('vmIds')])
        .where(sql<boolean>`group_id = any(${slot('groupIds')}::uuid[])`)
        .groupBy('group_id'),
    )
    return new Map(
      (await this.#reader.all(found, { groupIds })).map(({ id, vmIds }) => [id, vmIds]),
    )
  }

  /**
   * It is in other networks than before: its guard follows, and those of machines whose rules name
   * its groups.
   */
  async rewired({ id, tenantId }: GuardedVm): Promise<GuardedVm> {
    const rewiring = statement('guard.rewired', (db) =>
      db
        .updateTable('vm_guard')
        .set({ generation: sql<number>`generation + 1`, membership: sql<number>`membership + 1` })
        .where('vm_id', '=', slot<string>('id')),
    )
    await this.#reader.all(rewiring, { id })
    return { id, tenantId }
  }

  /** What follows is for reconcilers only. */
  async remember(
    vmId: string,
    seen: Partial<Omit<VmGuardRow, 'generation' | 'membership'>>,
  ): Promise<void> {
    const remembering = statement(`guard.remember ${Object.keys(seen).sort().join()}`, (db) =>
      db.updateTable('vm_guard').set(columnsFrom(seen)).where('vm_id', '=', slot<string>('vmId')),
    )
    await this.#reader.all(remembering, { vmId, ...seen })
  }

  /**
   * A machine that is not made yet gets its guard with everything else, and one that goes needs
   * none.
   */
  progressOf({ id, tenantId }: { id: string; tenantId: string }): Promise<GuardProgress> {
    return only(this.#reader, statement('guard.progress', progress), { id, tenantId })
  }
}

export interface VmSecurity {
  vmId: string
  /** All that was asked has reached the cluster. */
  inForce: boolean
  groups: GroupOfVm[]
}

export class VmGuardReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  async securityOf(vmIds: readonly string[]): Promise<ReadonlyMap<string, VmSecurity>> {
    const found = statement('guard.security', (db) =>
      groupsOfVms(db)
        .innerJoin('vm_guard', 'vm_guard.vm_id', 'vm_security_group.vm_id')
        .select([
          'vm_security_group.vm_id as vmId',
          sql<boolean>`vm_guard.applied_generation = vm_guard.generation`.as('inForce'),
        ])
        .where(sql<boolean>`vm_security_group.vm_id = any(${slot('vmIds')}::uuid[])`),
    )
    const security = new Map<string, VmSecurity>()
    for (const { vmId, inForce, ...group } of await this.#reader.all(found, { vmIds })) {
      const known = security.get(vmId) ?? { vmId, inForce, groups: [] }
      security.set(vmId, known)
      known.groups.push(group)
    }
    return security
  }
}

const columns = [
  ...([
    'generation',
    'membership',
    'applied_generation as appliedGeneration',
    'refused_generation as refusedGeneration',
  ] as const),
  ...([
    'told_membership as toldMembership',
    'cluster_uid as clusterUid',
    'seen_version as seenVersion',
    'networks_uid as networksUid',
    'networks_version as networksVersion',
  ] as const),
] as const

const groupsOfVms = (db: Kysely<Tables>) =>
  db
    .selectFrom('vm_security_group')
    .innerJoin('security_group', 'security_group.id', 'vm_security_group.group_id')
    .select(['security_group.id', 'security_group.name', rulesOfGroup])
    .orderBy('security_group.name')

const choosing = (db: Kysely<Tables>) =>
  db
    .with('chosen', (chosen) =>
      chosen
        .insertInto('vm_security_group')
        .columns(['vm_id', 'group_id', 'tenant_id'])
        .expression(
          sql`select ${slot('id')}::uuid, group_id, ${slot('tenantId')}::uuid from unnest(${slot('groupIds')}::uuid[]) as group_id`,
        )
        .onConflict((conflict) => conflict.doNothing()),
    )
    .with('left', (left) =>
      left
        .deleteFrom('vm_security_group')
        .where('vm_id', '=', slot<string>('id'))
        .where(sql<boolean>`group_id <> all(${slot('groupIds')}::uuid[])`),
    )
    .insertInto('vm_guard')
    .values({ vm_id: slot<string>('id'), tenant_id: slot<string>('tenantId') })
    .onConflict((conflict) =>
      conflict.column('vm_id').doUpdateSet({
        generation: sql<number>`vm_guard.generation + 1`,
        membership: sql<number>`vm_guard.membership + 1`,
      }),
    )

// In one order, so that two who do this at once do not wait for each other.
const changing = (db: Kysely<Tables>) =>
  db
    .with('touched', (touched) =>
      touched
        .selectFrom('vm_guard')
        .select('vm_id')
        .where(
          sql<boolean>`vm_id in (select vm_id from vm_security_group
                                  where tenant_id = ${slot('tenantId')} and group_id = any(${slot('groupIds')}::uuid[]))`,
        )
        .orderBy('vm_id')
        .forUpdate(),
    )
    .updateTable('vm_guard')
    .set({ generation: sql<number>`vm_guard.generation + 1` })
    .from('touched')
    .whereRef('vm_guard.vm_id', '=', 'touched.vm_id')
    .returning(['vm_guard.vm_id as id', 'vm_guard.tenant_id as tenantId'])

// Also of those that the machine has just left: their members are told by nobody else. There are
// few that name any.
const namers = (db: Kysely<Tables>) =>
  db
    .selectFrom('security_group_rule')
    .select('group_id as id')
    .distinct()
    .where('tenant_id', '=', slot<string>('tenantId'))
    .where('peer_group_id', 'is not', null)

const progress = (db: Kysely<Tables>) =>
  db
    .selectFrom('vm_security_group')
    .innerJoin('vm_guard', 'vm_guard.vm_id', 'vm_security_group.vm_id')
    .innerJoin('vm', 'vm.id', 'vm_security_group.vm_id')
    .where('vm_security_group.tenant_id', '=', slot<string>('tenantId'))
    .where('vm_security_group.group_id', '=', slot<string>('id'))
    .where('vm.cluster_uid', 'is not', null)
    .where('vm.delete_requested_at', 'is', null)
    .select([
      sql<number>`count(*) filter (where greatest(vm_guard.applied_generation, refused_generation) < vm_guard.generation)::int`.as(
        'behind',
      ),
      sql<number>`count(*) filter (where refused_generation = vm_guard.generation)::int`.as(
        'refused',
      ),
    ])
