import { type FaultCode } from '../../engine/model/fault.ts'
import { hasSubnet } from '../../domain/network/driver.ts'
import { type DesiredNetwork } from '../../domain/network/next-step.ts'
import {
  type AssignedSegment,
  type ObservedNetworkState,
  type TagRange,
} from '../../store/network/network.ts'
import { type Op } from '../../store/op.ts'
import { type Unit } from '../fenced-unit.ts'
import { type Attendance, OpenOperations } from '../open-operations.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/*
 * The database reads and writes of the reconciler of networks. Each function runs in a transaction
 * that fails once another worker holds the lease.
 */

type Row = NonNullable<Awaited<ReturnType<Op['networks']['row']>>>

/** One fenced transaction on the row of a network. */
export type NetworkUnit = Unit<Row>

/** The desired network, with everything needed to carry it out. */
export interface AttachmentTarget extends DesiredNetwork {
  id: string
  tenantId: string
  vpcId: string
  cidr: string
  gateway: string
  reference: { namespace: string; name: string }
  segment: AssignedSegment | null
  needsReview: boolean
}

const operationsOn = (op: Op, { id }: Row): Promise<OpenOperations> =>
  OpenOperations.on(op, { kind: 'network', id })

/** Loads the desired state, and whether an operation needs a review after the pass. */
export async function loadDesired(op: Op, network: Row | null): Promise<AttachmentTarget | null> {
  if (!network) return null
  const operations = await operationsOn(op, network)
  begin(network, operations)
  const vpc = await op.reads.vpcs.find(network.vpcId)
  const segment = segmentOf(network)
  return {
    id: network.id,
    tenantId: network.tenantId,
    vpcId: network.vpcId,
    segment,
    cidr: network.cidr,
    gateway: network.gateway,
    needsSubnet: hasSubnet(network.driver ?? null),
    reference: { namespace: network.attachmentNamespace, name: network.attachmentName },
    deleteRequested: Boolean(network.deleteRequestedAt),
    isGone: Boolean(network.goneAt),
    isActive: network.state === 'active',
    isAssigned: segment !== null,
    hasNamespace: vpc?.state === 'active',
    writtenVersion: network.observedVersion ?? null,
    subnetGeneration: network.subnetGeneration ?? null,
    needsReview: operations.needReview,
  }
}

function begin(network: Row, operations: OpenOperations): void {
  const isDeleted = Boolean(network.deleteRequestedAt)
  if (isDeleted) operations.supersede('create_network', 'delete_network')
  if (isDeleted) operations.begin('delete_network', 'attachment')
  else operations.begin('create_network', segmentOf(network) === null ? 'segment' : 'attachment')
}

/** Ends operations that are past their deadline. Call it after the network was observed. */
export async function expire(op: Op, network: Row | null, attendance: Attendance): Promise<void> {
  if (!network || network.goneAt) return
  const late = (await operationsOn(op, network)).expire(attendance)
  if (late.includes('create_network') && network.state === 'creating')
    observe(op, network, { state: 'failed', stateReason: messageOf('network.late') })
}

/** Records what the operator must provide before the network can be reconciled. */
export async function block(op: Op, network: Row | null, obstacle: Message): Promise<void> {
  if (network && !network.goneAt) (await operationsOn(op, network)).block(obstacle)
}

function segmentOf({ driver, mtu, bridge, segment }: Row): AssignedSegment | null {
  if (!driver || !mtu) return null
  return { driver, mtu, tagged: bridge && segment ? { bridge, segment } : null }
}

const isStillDesired = (network: Row | null): network is Row =>
  network !== null && !network.deleteRequestedAt && !network.goneAt

interface SegmentChoice extends Omit<AssignedSegment, 'tagged'> {
  /** The bridge whose VLAN tags are used; null for drivers without tags. */
  bridge: { name: string; vlans: readonly TagRange[]; usedTags: readonly number[] } | null
}

/** Returns false when no tag is left. */
export async function assign(
  op: Op,
  network: Row | null,
  { driver, mtu, bridge }: SegmentChoice,
): Promise<boolean> {
  if (!isStillDesired(network) || network.driver) return true
  const segment = bridge && (await op.networks.freeTag(bridge.vlans, bridge.usedTags))
  if (bridge && segment === null) return false
  op.networks.assign(network, {
    driver,
    mtu,
    tagged: bridge && segment ? { bridge: bridge.name, segment } : null,
  })
  const operations = await operationsOn(op, network)
  operations.finish('create_network', 'segment')
  operations.begin('create_network', 'attachment')
  recordChange(op, network)
  return true
}

export async function subnetWritten(
  op: Op,
  network: Row | null,
  { generation }: { generation: number | null },
): Promise<void> {
  if (!isStillDesired(network) || network.subnetGeneration === generation) return
  op.networks.recordSubnet(network, generation)
  recordChange(op, network)
}

export async function attached(
  op: Op,
  network: Row | null,
  { uid, version }: { uid: string; version: string },
): Promise<void> {
  if (!isStillDesired(network)) return
  const operations = await operationsOn(op, network)
  operations.finish('create_network', 'attachment')
  operations.begin('create_network', 'ready')
  observe(op, network, {
    clusterUid: uid,
    observedVersion: version,
    stateReason: network.stateReason ?? null,
  })
}

export async function open(op: Op, network: Row | null): Promise<void> {
  if (!isStillDesired(network)) return
  const operations = await operationsOn(op, network)
  for (const step of ['segment', 'attachment', 'ready']) operations.finish('create_network', step)
  operations.succeed('create_network')
  observe(op, network, { state: 'active', stateReason: null })
}

/**
 * Marks the network as gone and enqueues its VPC, whose own deletion may wait for it. An open
 * create operation ends as cancelled.
 */
export async function erase(op: Op, network: Row | null): Promise<void> {
  if (!network || network.goneAt) return
  const operations = await operationsOn(op, network)
  for (const step of ['attachment', 'gone']) operations.finish('delete_network', step)
  operations.succeed('delete_network')
  operations.failKind('create_network', {
    code: 'cancelled',
    detail: messageOf('network.vpc_deleted'),
  })
  op.networks.markGone(network)
  recordChange(op, network)
  op.work.enqueue('vpc', { id: network.vpcId, tenantId: network.tenantId })
}

/**
 * A delete that was requested after the decision has its own operation, which this failure does not
 * end.
 */
export async function fail(
  op: Op,
  network: Row | null,
  { code, detail }: { code: FaultCode; detail: Message },
): Promise<void> {
  if (!network || network.goneAt) return
  const operations = await operationsOn(op, network)
  if (!network.deleteRequestedAt) observe(op, network, { state: 'failed', stateReason: detail })
  operations.failKind(network.deleteRequestedAt ? 'delete_network' : 'create_network', {
    code,
    detail,
  })
}

function observe(op: Op, network: Row, observed: ObservedNetworkState): void {
  // Compares the recorded status with the status as it would become.
  const { state, clusterUid, observedVersion, stateReason } = network
  const before = {
    state,
    clusterUid: clusterUid ?? null,
    observedVersion: observedVersion ?? null,
    stateReason: stateReason ?? null,
  }
  if (JSON.stringify({ ...before, ...observed }) === JSON.stringify(before)) return
  op.networks.observe(network, observed)
  recordChange(op, network)
}

const recordChange = (op: Op, { id, version, tenantId }: Row): void =>
  op.changes.record('network', { id, version: version + 1, tenantId })
