import {
  type WantedMultiNetworkPolicy,
  type WantedNetworkPolicy,
} from '../../cluster/desired/network.ts'
import { type Guard, guardByAddress, guardOf } from '../../domain/security-group/guard.ts'
import { sshRules } from '../../domain/vm-ssh/rules.ts'
import { type Op } from '../../store/op.ts'
import { Promises } from '../promise.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface AskedGuard {
  generation: number
  clusterUid: string | null
  as: WantedNetworkPolicy
  /** What holds in its other networks, where it is in any. */
  elsewhere: Omit<WantedMultiNetworkPolicy, 'ownedBy'> | null
  /** Of what holds there by now. */
  networksUid: string | null
}

/**
 * What the machine's groups let through now, and its SSH where that is exposed; null for one that
 * has none any more. Those whose rules name its groups hear of it first: later than the choice
 * itself, when whoever chose at the same time can be seen, so that of two neither misses the other.
 */
export async function askedOf(
  op: Op,
  vm: { id: string; tenantId: string },
  { takesFilters }: { takesFilters: boolean },
): Promise<AskedGuard | null> {
  const row = await op.vmGuards.row(vm.id)
  if (!row) return null
  if (row.toldMembership < row.membership) await tell(op, vm, row.membership)
  const { generation, clusterUid, networksUid } = row
  const guards = await guardsNow(op, vm.id)
  const pods = { kind: 'vm' as const, rowId: vm.id }
  const elsewhere = takesFilters ? await guardElsewhere(op, vm.id, guards.elsewhere) : null
  return {
    generation,
    clusterUid,
    networksUid,
    as: { pods, ...guards.own },
    elsewhere: elsewhere && { pods, ...elsewhere },
  }
}

async function tell(
  op: Op,
  vm: { id: string; tenantId: string },
  membership: number,
): Promise<void> {
  for (const other of await op.vmGuards.changedBy(vm)) op.work.ring('vm_guard', other)
  await op.vmGuards.remember(vm.id, { toldMembership: membership })
}

/** Its SSH is exposed on the cluster's own network alone. */
async function guardsNow(op: Op, vmId: string): Promise<{ own: Guard; elsewhere: Guard }> {
  const rules = (await op.vmGuards.groupsOf(vmId)).flatMap((group) => group.rules)
  const members = await op.vmGuards.membersOf([
    ...new Set(rules.flatMap(({ peerGroupId }) => peerGroupId ?? [])),
  ])
  const membersOf = (groupId: string): readonly string[] => members.get(groupId) ?? []
  const elsewhere = guardOf(rules, membersOf)
  return {
    own: (await op.vmSsh.isExposed(vmId)) ? guardOf([...rules, ...sshRules], membersOf) : elsewhere,
    elsewhere,
  }
}

/** In the networks that the machine has beside the cluster's own; null where it has none. */
async function guardElsewhere(
  op: Op,
  vmId: string,
  guard: Guard,
): Promise<Omit<WantedMultiNetworkPolicy, 'pods' | 'ownedBy'> | null> {
  // With those that are to go: until then a guest has them.
  const nics = (await op.reads.nics.ofVms([vmId])).get(vmId) ?? []
  const networks = nics.flatMap(({ attachmentNamespace: namespace, attachmentName: name }) =>
    namespace !== null && name !== null ? [{ namespace, name }] : [],
  )
  if (networks.length === 0) return null
  const peers = [...guard.ingress, ...guard.egress].flatMap(({ peer }) =>
    peer.kind === 'vms' ? peer.rowIds : [],
  )
  const networkIds = nics.flatMap(({ networkId }) => networkId ?? [])
  const addresses = await op.reads.nics.addressesIn(networkIds, [...new Set(peers)])
  return { networks, ...guardByAddress(guard, (id) => addresses.get(id) ?? []) }
}

export interface AppliedGuard {
  generation: number
  uid: string
  version: string
  /** Of what holds in its other networks; null where nothing does. */
  elsewhere: { uid: string; version: string } | null
}

/** The cluster has it: what was promised of this generation is kept. */
export async function applied(
  op: Op,
  vmId: string,
  { generation, uid, version, elsewhere }: AppliedGuard,
): Promise<void> {
  const row = await op.vmGuards.row(vmId)
  if (!row) return
  const seen = {
    clusterUid: uid,
    seenVersion: version,
    networksUid: elsewhere?.uid ?? null,
    networksVersion: elsewhere?.version ?? null,
  }
  await op.vmGuards.remember(vmId, { appliedGeneration: generation, ...seen })
  const promises = await Promises.on(op, { kind: 'vm', id: vmId })
  promises.finish('deploy_vm', 'guard')
  if (generation < row.generation) return
  promises.finish('set_vm_security_groups', 'guard')
  promises.succeed('set_vm_security_groups')
}

/** The cluster will never take it; what it had before stays. */
export async function refused(op: Op, vmId: string, generation: number): Promise<void> {
  await op.vmGuards.remember(vmId, { refusedGeneration: generation })
  const promises = await Promises.on(op, { kind: 'vm', id: vmId })
  promises.refuse('set_vm_security_groups', refusal)
}

const refusal = {
  code: 'platform_error',
  detail: messageOf('vm.rules_refused'),
} as const
