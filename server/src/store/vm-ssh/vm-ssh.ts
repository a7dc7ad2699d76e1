import { UnitStore } from '../../engine/database/unit-store.ts'
import { type Kysely, sql } from 'kysely'
import { type VmSshProgress } from '../../domain/vm-ssh/vm-ssh.ts'
import { columnsFrom } from '../../engine/database/sql/columns-from.ts'
import { type Reader, one } from '../../engine/database/sql/reader.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { isDesiredSsh, podAddress } from './vm-ssh-keys.ts'

/** The SSH access of a VM: its desired and observed state, and the state of the VM. */
export interface VmSshRow extends VmSshProgress {
  serviceUid: string | null
  sliceUid: string | null
  namespace: string
  /** SSH access is requested and the VM has neither failed nor been deleted. */
  isDesired: boolean
  isLeaving: boolean
  /** The VM's firewall has been applied for the requested access, or was refused. */
  isFirewallApplied: boolean
  /** The VM's current address; null while it does not run. */
  podAddress: string | null
}

type RequestedSsh = Pick<VmSshProgress, 'exposed' | 'wantedNodePort'> & {
  firewallGeneration: number
}
type ObservedSsh = Pick<
  VmSshProgress,
  'appliedGeneration' | 'refusedGeneration' | 'refusal' | 'nodePort' | 'address'
> &
  Pick<VmSshRow, 'serviceUid' | 'sliceUid'> & {
    serviceVersion: string | null
    sliceVersion: string | null
  }

/** Writes the desired and the observed SSH access of VMs. */
export class VmSshStore extends UnitStore {
  /**
   * Records the requested access. Increments the generation even when nothing changed, so that the
   * cluster is updated again.
   */
  async request(
    { id, tenantId }: { id: string; tenantId: string },
    request: RequestedSsh,
  ): Promise<void> {
    await this.reader.all(statement('vmSsh.request', requesting), { id, tenantId, ...request })
  }

  /** True when SSH access was ever requested for the VM, which may be gone. */
  async isKnown(vmId: string): Promise<boolean> {
    const found = statement('vmSsh.isKnown', (db) =>
      db.selectFrom('vm_ssh').select('vm_id').where('vm_id', '=', slot<string>('vmId')),
    )
    return (await one(this.reader, found, { vmId })) !== null
  }

  async isExposed(vmId: string): Promise<boolean> {
    const found = statement('vmSsh.isExposed', (db) =>
      db
        .selectFrom('vm_ssh')
        .select('vm_id')
        .where('vm_id', '=', slot<string>('vmId'))
        .where('exposed', '=', true),
    )
    return (await one(this.reader, found, { vmId })) !== null
  }

  /**
   * Returns the row; null when SSH access was never requested. Only the reconciler calls this and
   * the next method.
   */
  row(vmId: string): Promise<VmSshRow | null> {
    return one(this.reader, statement('vmSsh.row', whole), { vmId })
  }

  async remember(vmId: string, observed: Partial<ObservedSsh>): Promise<void> {
    const remembering = statement(`vmSsh.remember ${Object.keys(observed).sort().join()}`, (db) =>
      db.updateTable('vm_ssh').set(columnsFrom(observed)).where('vm_id', '=', slot<string>('vmId')),
    )
    await this.reader.all(remembering, { vmId, ...observed })
  }
}

export class VmSshReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Returns the SSH access of the VMs for which it was ever requested. */
  async ofVms(vmIds: readonly string[]): Promise<ReadonlyMap<string, VmSshProgress>> {
    const found = statement('vmSsh.ofVms', (db) =>
      db
        .selectFrom('vm_ssh')
        .select(['vm_id as vmId', ...progress])
        .where(sql<boolean>`vm_id = any(${slot('vmIds')}::uuid[])`),
    )
    return new Map(
      (await this.#reader.all(found, { vmIds })).map(({ vmId, ...row }) => [vmId, row]),
    )
  }

  async of(vmId: string): Promise<VmSshProgress | null> {
    return (await this.ofVms([vmId])).get(vmId) ?? null
  }
}

const progress = [
  ...(['vm_ssh.exposed', 'vm_ssh.generation', 'vm_ssh.refusal', 'vm_ssh.address'] as const),
  ...([
    'vm_ssh.wanted_node_port as wantedNodePort',
    'vm_ssh.applied_generation as appliedGeneration',
  ] as const),
  ...(['vm_ssh.refused_generation as refusedGeneration', 'vm_ssh.node_port as nodePort'] as const),
] as const

const isFirewallApplied = sql<boolean>`not exists (select from vm_firewall where vm_firewall.vm_id = vm.id
  and greatest(vm_firewall.applied_generation, vm_firewall.refused_generation) < vm_ssh.firewall_generation)`

const whole = (db: Kysely<Tables>) =>
  db
    .selectFrom('vm_ssh')
    .innerJoin('vm', 'vm.id', 'vm_ssh.vm_id')
    .innerJoin('tenant', 'tenant.id', 'vm.tenant_id')
    .select([
      ...progress,
      'vm_ssh.service_uid as serviceUid',
      'vm_ssh.slice_uid as sliceUid',
      'tenant.namespace',
    ])
    .select([
      isDesiredSsh.as('isDesired'),
      isFirewallApplied.as('isFirewallApplied'),
      podAddress.as('podAddress'),
    ])
    .select(sql<boolean>`coalesce(vm.delete_requested_at, vm.gone_at) is not null`.as('isLeaving'))
    .where('vm_ssh.vm_id', '=', slot<string>('vmId'))

const requesting = (db: Kysely<Tables>) =>
  db
    .insertInto('vm_ssh')
    .values({
      vm_id: slot<string>('id'),
      tenant_id: slot<string>('tenantId'),
      exposed: slot<boolean>('exposed'),
      wanted_node_port: slot<number | null>('wantedNodePort'),
      firewall_generation: slot<number>('firewallGeneration'),
    })
    .onConflict((conflict) =>
      conflict.column('vm_id').doUpdateSet((row) => ({
        exposed: row.ref('excluded.exposed'),
        wanted_node_port: row.ref('excluded.wanted_node_port'),
        firewall_generation: row.ref('excluded.firewall_generation'),
        generation: sql<number>`vm_ssh.generation + 1`,
      })),
    )
