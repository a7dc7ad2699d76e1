import { UnitStore } from '../../engine/database/unit-store.ts'
import { type Kysely, sql } from 'kysely'
import { type SecurityGroupView } from '../../domain/security-group/security-group.ts'
import { columnsFrom } from '../../engine/database/sql/columns-from.ts'
import { rulesOfGroup } from '../security-group/security-group.ts'
import { type Reader, one, only } from '../../engine/database/sql/reader.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

/**
 * The firewall of a VM: its desired state, and what the cluster has of it. `generation` grows when
 * the rules of the VM change. `membership` grows when its groups or its addresses change, on which
 * firewalls of other VMs depend.
 */
export interface VmFirewallRow {
  generation: number
  membership: number
  appliedGeneration: number
  propagatedMembership: number
  clusterUid: string | null
  observedVersion: string | null
  networksUid: string | null
  networksVersion: string | null
  refusedGeneration: number
  builtFrom: string | null
}

export interface FirewallVm {
  id: string
  tenantId: string
}

export type GroupOfVm = Pick<SecurityGroupView, 'id' | 'name' | 'rules'>

/** How many VMs have a group, do not have its current rules yet, or are refused them. */
export interface FirewallProgress {
  total: number
  behind: number
  refused: number
}

export class VmFirewallStore extends UnitStore {
  /**
   * Assigns exactly these groups to a VM; the caller has locked them. Increments the generation, so
   * that its firewall follows.
   */
  async assign({ id, tenantId }: FirewallVm, groupIds: readonly string[]): Promise<void> {
    await this.reader.all(statement('firewall.assign', choosing), { id, tenantId, groupIds })
  }

  /**
   * Increments the generation of a VM's firewall for a change outside its groups, and returns it.
   */
  async incrementGeneration(vmId: string): Promise<number> {
    const changing = statement('firewall.change', (db) =>
      db
        .updateTable('vm_firewall')
        .set({ generation: sql<number>`generation + 1` })
        .where('vm_id', '=', slot<string>('vmId'))
        .returning('generation'),
    )
    return (await only(this.reader, changing, { vmId })).generation
  }

  /** Increments the firewall generation of all VMs with the group, and returns these VMs. */
  incrementForGroup(group: { id: string; tenantId: string }): Promise<FirewallVm[]> {
    return this.reader.all(statement('firewall.changed', changing), {
      tenantId: group.tenantId,
      groupIds: [group.id],
    })
  }

  /**
   * Increments the firewall generation of VMs whose rules name the groups of this VM, and returns
   * them.
   */
  async incrementForPeersOf({ id, tenantId }: FirewallVm): Promise<FirewallVm[]> {
    const groupIds = (
      await this.reader.all(statement('firewall.namers', namers), { id, tenantId })
    ).map((row) => row.id)
    return groupIds.length === 0
      ? []
      : this.reader.all(statement('firewall.changed', changing), { tenantId, groupIds })
  }

  /** Returns the row; null for a VM that is gone. */
  row(vmId: string): Promise<VmFirewallRow | null> {
    const found = statement('firewall.row', (db) =>
      db.selectFrom('vm_firewall').where('vm_id', '=', slot<string>('vmId')).select(columns),
    )
    return one(this.reader, found, { vmId })
  }

  /** Returns the groups of a VM. */
  groupsOf(vmId: string): Promise<GroupOfVm[]> {
    const found = statement('firewall.groups', (db) =>
      groupsOfVms(db).where('vm_security_group.vm_id', '=', slot<string>('vmId')),
    )
    return this.reader.all(found, { vmId })
  }

  /** Returns the VMs of each group. */
  async membersOf(groupIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    if (groupIds.length === 0) return new Map()
    const found = statement('firewall.members', (db) =>
      db
        .selectFrom('vm_security_group')
        .select(['group_id as id', sql<string[]>`array_agg(vm_id::text)`.as('vmIds')])
        .where(sql<boolean>`group_id = any(${slot('groupIds')}::uuid[])`)
        .groupBy('group_id'),
    )
    return new Map((await this.reader.all(found, { groupIds })).map(({ id, vmIds }) => [id, vmIds]))
  }

  /**
   * Increments the generation and the membership after the networks of the VM changed. Its firewall
   * follows, and those of VMs whose rules name its groups.
   */
  async incrementForNetworks({ id, tenantId }: FirewallVm): Promise<FirewallVm> {
    const rewiring = statement('firewall.incrementForNetworks', (db) =>
      db
        .updateTable('vm_firewall')
        .set({ generation: sql<number>`generation + 1`, membership: sql<number>`membership + 1` })
        .where('vm_id', '=', slot<string>('id')),
    )
    await this.reader.all(rewiring, { id })
    return { id, tenantId }
  }

  /** Records the observed state. Only reconcilers call this and the next method. */
  async remember(
    vmId: string,
    observed: Partial<Omit<VmFirewallRow, 'generation' | 'membership'>>,
  ): Promise<void> {
    const remembering = statement(
      `firewall.remember ${Object.keys(observed).sort().join()}`,
      (db) =>
        db
          .updateTable('vm_firewall')
          .set(columnsFrom(observed))
          .where('vm_id', '=', slot<string>('vmId')),
    )
    await this.reader.all(remembering, { vmId, ...observed })
  }

  /**
   * Counts the VMs whose firewall is behind. VMs that are not created yet or are being deleted do
   * not count.
   */
  progressOf({ id, tenantId }: { id: string; tenantId: string }): Promise<FirewallProgress> {
    return only(this.reader, statement('firewall.progress', progress), { id, tenantId })
  }
}

export interface VmSecurity {
  vmId: string
  /** True when the cluster has the current firewall. */
  inForce: boolean
  groups: GroupOfVm[]
}

export class VmFirewallReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  async securityOf(vmIds: readonly string[]): Promise<ReadonlyMap<string, VmSecurity>> {
    const found = statement('firewall.security', (db) =>
      groupsOfVms(db)
        .innerJoin('vm_firewall', 'vm_firewall.vm_id', 'vm_security_group.vm_id')
        .select([
          'vm_security_group.vm_id as vmId',
          sql<boolean>`vm_firewall.applied_generation = vm_firewall.generation`.as('inForce'),
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
    'propagated_membership as propagatedMembership',
    'cluster_uid as clusterUid',
    'observed_version as observedVersion',
    'networks_uid as networksUid',
    'networks_version as networksVersion',
    'built_from as builtFrom',
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
    .insertInto('vm_firewall')
    .values({ vm_id: slot<string>('id'), tenant_id: slot<string>('tenantId') })
    .onConflict((conflict) =>
      conflict.column('vm_id').doUpdateSet({
        generation: sql<number>`vm_firewall.generation + 1`,
        membership: sql<number>`vm_firewall.membership + 1`,
      }),
    )

// The rows are locked in one order, so that two concurrent changes cannot deadlock.
const changing = (db: Kysely<Tables>) =>
  db
    .with('touched', (touched) =>
      touched
        .selectFrom('vm_firewall')
        .select('vm_id')
        .where(
          sql<boolean>`vm_id in (select vm_id from vm_security_group
                                  where tenant_id = ${slot('tenantId')} and group_id = any(${slot('groupIds')}::uuid[]))`,
        )
        .orderBy('vm_id')
        .forUpdate(),
    )
    .updateTable('vm_firewall')
    .set({ generation: sql<number>`vm_firewall.generation + 1` })
    .from('touched')
    .whereRef('vm_firewall.vm_id', '=', 'touched.vm_id')
    .returning(['vm_firewall.vm_id as id', 'vm_firewall.tenant_id as tenantId'])

// Selects all groups whose rules name any group, because the VM may just have left one. Few groups
// do.
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
    .innerJoin('vm_firewall', 'vm_firewall.vm_id', 'vm_security_group.vm_id')
    .innerJoin('vm', 'vm.id', 'vm_security_group.vm_id')
    .where('vm_security_group.tenant_id', '=', slot<string>('tenantId'))
    .where('vm_security_group.group_id', '=', slot<string>('id'))
    .where('vm.cluster_uid', 'is not', null)
    .where('vm.delete_requested_at', 'is', null)
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`count(*) filter (where greatest(vm_firewall.applied_generation, refused_generation) < vm_firewall.generation)::int`.as(
        'behind',
      ),
      sql<number>`count(*) filter (where refused_generation = vm_firewall.generation)::int`.as(
        'refused',
      ),
    ])
