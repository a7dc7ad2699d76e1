import {
  type DesiredMultiNetworkPolicy,
  type DesiredNetworkPolicy,
} from '../../cluster/desired/network.ts'
import { withinBounds } from '../../domain/security-group/egress-bounds.ts'
import { type Firewall } from '../../domain/security-group/firewall-rule.ts'
import { firewallByAddress, firewallOf } from '../../domain/security-group/firewall.ts'
import { sshRules } from '../../domain/vm-ssh/rules.ts'
import { type Op } from '../../store/op.ts'
import { type FirewallSettings, builtFromWith, fingerprintOf } from './firewall-settings.ts'
import { OpenOperations } from '../open-operations.ts'
import { messageOf } from '../../engine/model/message.ts'

/*
 * The database reads and writes of the reconciler of VM firewalls.
 */

export interface FirewallTarget {
  generation: number
  clusterUid: string | null
  as: DesiredNetworkPolicy
  /** The fingerprint of the bounds in these rules. */
  builtFrom: string
  /** The rules for the VM's other networks; null when it has none. */
  otherNetworks: Omit<DesiredMultiNetworkPolicy, 'ownedBy'> | null
  /** The uid of the policy that is applied there. */
  networksUid: string | null
}

/**
 * Loads the rules that the VM's security groups allow, and SSH when it is exposed. Null when the VM
 * has no firewall any more. VMs whose rules name these groups are enqueued first. That happens
 * after the change of groups is visible, so that two concurrent changes do not miss each other.
 */
export async function loadDesired(
  op: Op,
  vm: { id: string; tenantId: string },
  { takesFilters, bounds }: FirewallSettings,
): Promise<FirewallTarget | null> {
  const row = await op.vmFirewalls.row(vm.id)
  if (!row) return null
  if (row.propagatedMembership < row.membership) await enqueueAffected(op, vm, row.membership)
  const { generation, clusterUid, networksUid } = row
  const firewalls = await currentFirewalls(op, vm.id)
  const pods = { kind: 'vm' as const, rowId: vm.id }
  const elsewhere = takesFilters
    ? await otherNetworksFirewall(op, vm.id, firewalls.elsewhere)
    : null
  return {
    generation,
    clusterUid,
    networksUid,
    as: { pods, ...withinBounds(firewalls.own, bounds) },
    builtFrom: fingerprintOf(bounds),
    otherNetworks: elsewhere && { pods, ...elsewhere },
  }
}

async function enqueueAffected(
  op: Op,
  vm: { id: string; tenantId: string },
  membership: number,
): Promise<void> {
  for (const affected of await op.vmFirewalls.incrementForPeersOf(vm))
    op.work.enqueue('vm_firewall', affected)
  await op.vmFirewalls.remember(vm.id, { propagatedMembership: membership })
}

/** SSH is exposed in the cluster network only. */
async function currentFirewalls(
  op: Op,
  vmId: string,
): Promise<{ own: Firewall; elsewhere: Firewall }> {
  const rules = (await op.vmFirewalls.groupsOf(vmId)).flatMap((group) => group.rules)
  const members = await op.vmFirewalls.membersOf([
    ...new Set(rules.flatMap(({ peerGroupId }) => peerGroupId ?? [])),
  ])
  const membersOf = (groupId: string): readonly string[] => members.get(groupId) ?? []
  const elsewhere = firewallOf(rules, membersOf)
  return {
    own: (await op.vmSsh.isExposed(vmId))
      ? firewallOf([...rules, ...sshRules], membersOf)
      : elsewhere,
    elsewhere,
  }
}

/**
 * Returns the rules for the VM's networks other than the cluster network; null when it has none.
 */
async function otherNetworksFirewall(
  op: Op,
  vmId: string,
  firewall: Firewall,
): Promise<Omit<DesiredMultiNetworkPolicy, 'pods' | 'ownedBy'> | null> {
  // NICs that are being detached count until the guest has released them.
  const nics = (await op.reads.nics.ofVms([vmId])).get(vmId) ?? []
  const networks = nics.flatMap(({ attachmentNamespace: namespace, attachmentName: name }) =>
    namespace !== null && name !== null ? [{ namespace, name }] : [],
  )
  if (networks.length === 0) return null
  const peers = [...firewall.ingress, ...firewall.egress].flatMap(({ peer }) =>
    peer.kind === 'vms' ? peer.rowIds : [],
  )
  const networkIds = nics.flatMap(({ networkId }) => networkId ?? [])
  const addresses = await op.reads.nics.addressesIn(networkIds, [...new Set(peers)])
  return { networks, ...firewallByAddress(firewall, (id) => addresses.get(id) ?? []) }
}

export interface AppliedFirewall {
  generation: number
  uid: string
  version: string
  builtFrom: string
  /** The policy for the other networks; null when there is none. */
  otherNetworks: { uid: string; version: string } | null
}

/** Records the applied generation and ends its operation. */
export async function applied(
  op: Op,
  vmId: string,
  { generation, uid, version, builtFrom, otherNetworks }: AppliedFirewall,
): Promise<void> {
  const row = await op.vmFirewalls.row(vmId)
  if (!row) return
  const observed = {
    clusterUid: uid,
    observedVersion: version,
    builtFrom: builtFromWith(builtFrom, version),
    networksUid: otherNetworks?.uid ?? null,
    networksVersion: otherNetworks?.version ?? null,
  }
  await op.vmFirewalls.remember(vmId, { appliedGeneration: generation, ...observed })
  const operations = await OpenOperations.on(op, { kind: 'vm', id: vmId })
  operations.finish('deploy_vm', 'firewall')
  operations.finish('adopt_vm', 'firewall')
  if (generation < row.generation) return
  operations.finish('set_vm_security_groups', 'firewall')
  operations.succeed('set_vm_security_groups')
}

/** Records that the cluster will never accept this generation. The previous rules stay. */
export async function refused(op: Op, vmId: string, generation: number): Promise<void> {
  await op.vmFirewalls.remember(vmId, { refusedGeneration: generation })
  const operations = await OpenOperations.on(op, { kind: 'vm', id: vmId })
  operations.failKind('set_vm_security_groups', refusal)
}

const refusal = {
  code: 'platform_error',
  detail: messageOf('vm.rules_refused'),
} as const
