import { type FaultCode } from '../../engine/model/fault.ts'
import { hasSubnet } from '../../domain/network/driver.ts'
import { type AskedNetwork } from '../../domain/network/next-step.ts'
import {
  type AssignedSegment,
  type SeenOfNetwork,
  type TagRange,
} from '../../store/network/network.ts'
import { type Op } from '../../store/op.ts'
import { type Unit } from '../fenced-unit.ts'
import { Promises } from '../promise.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

type Row = NonNullable<Awaited<ReturnType<Op['networks']['row']>>>

/** One fenced transaction on the row of a network. */
export type NetworkUnit = Unit<Row>

/** What the row of a network asks for, with everything that it takes to carry it out. */
export interface AskedAttachment extends AskedNetwork {
  id: string
  tenantId: string
  vpcId: string
  cidr: string
  gateway: string
  place: { namespace: string; name: string }
  segment: AssignedSegment | null
}

const promisesOn = (op: Op, { id }: Row): Promise<Promises> =>
  Promises.on(op, { kind: 'network', id })

/** What the row asks for, and first of all whether time is up for what was promised. */
export async function askedOf(op: Op, network: Row | null): Promise<AskedAttachment | null> {
  if (!network) return null
  const promises = await promisesOn(op, network)
  begin(op, network, promises)
  const vpc = await op.reads.vpcs.find(network.vpcId)
  const segment = segmentOf(network)
  return {
    id: network.id,
    tenantId: network.tenantId,
    vpcId: network.vpcId,
    segment,
    cidr: network.cidr,
    gateway: network.gateway,
    hasSubnet: hasSubnet(network.driver ?? null),
    place: { namespace: network.attachmentNamespace, name: network.attachmentName },
    deleteRequested: Boolean(network.deleteRequestedAt),
    isGone: Boolean(network.goneAt),
    isActive: network.state === 'active',
    isAssigned: segment !== null,
    hasPlace: vpc?.state === 'active',
    seenVersion: network.seenVersion ?? null,
    subnetGeneration: network.subnetGeneration ?? null,
  }
}

function begin(op: Op, network: Row, promises: Promises): void {
  const isDeleted = Boolean(network.deleteRequestedAt)
  if (isDeleted) promises.supersede('create_network', 'delete_network')
  if (isDeleted) promises.begin('delete_network', 'attachment')
  else promises.begin('create_network', segmentOf(network) === null ? 'segment' : 'attachment')
  if (promises.expire() && network.state === 'creating')
    observe(op, network, {
      state: 'failed',
      stateReason: messageOf('network.late'),
    })
}

function segmentOf({ driver, mtu, bridge, segment }: Row): AssignedSegment | null {
  if (!driver || !mtu) return null
  return { driver, mtu, tagged: bridge && segment ? { bridge, segment } : null }
}

const isAsked = (network: Row | null): network is Row =>
  network !== null && !network.deleteRequestedAt && !network.goneAt

interface Assigning extends Omit<AssignedSegment, 'tagged'> {
  /** Null where tags are not what keeps networks apart. */
  bridge: { name: string; vlans: readonly TagRange[] } | null
}

/** False when there is no tag left. */
export async function assign(
  op: Op,
  network: Row | null,
  { driver, mtu, bridge }: Assigning,
): Promise<boolean> {
  if (!isAsked(network) || network.driver) return true
  const segment = bridge && (await op.networks.freeTag(bridge.vlans))
  if (bridge && segment === null) return false
  op.networks.assign(network, {
    driver,
    mtu,
    tagged: bridge && segment ? { bridge: bridge.name, segment } : null,
  })
  const promises = await promisesOn(op, network)
  promises.finish('create_network', 'segment')
  promises.begin('create_network', 'attachment')
  note(op, network)
  return true
}

export async function subnetWritten(
  op: Op,
  network: Row | null,
  { generation }: { generation: number | null },
): Promise<void> {
  if (!isAsked(network) || network.subnetGeneration === generation) return
  op.networks.subnetWritten(network, generation)
  note(op, network)
}

export async function attached(
  op: Op,
  network: Row | null,
  { uid, version }: { uid: string; version: string },
): Promise<void> {
  if (!isAsked(network)) return
  const promises = await promisesOn(op, network)
  promises.finish('create_network', 'attachment')
  promises.begin('create_network', 'ready')
  observe(op, network, {
    clusterUid: uid,
    seenVersion: version,
    stateReason: network.stateReason ?? null,
  })
}

export async function open(op: Op, network: Row | null): Promise<void> {
  if (!isAsked(network)) return
  const promises = await promisesOn(op, network)
  for (const step of ['segment', 'attachment', 'ready']) promises.finish('create_network', step)
  promises.succeed('create_network')
  observe(op, network, { state: 'active', stateReason: null })
}

/**
 * A VPC that goes has waited for it; what was promised of a network that went with it will not be.
 */
export async function erase(op: Op, network: Row | null): Promise<void> {
  if (!network || network.goneAt) return
  const promises = await promisesOn(op, network)
  for (const step of ['attachment', 'gone']) promises.finish('delete_network', step)
  promises.succeed('delete_network')
  promises.refuse('create_network', {
    code: 'cancelled',
    detail: messageOf('network.vpc_deleted'),
  })
  op.networks.markGone(network)
  note(op, network)
  op.work.ring('vpc', { id: network.vpcId, tenantId: network.tenantId })
}

/**
 * A delete that came after the decision has a promise of its own, which this failure is not about.
 */
export async function fail(
  op: Op,
  network: Row | null,
  { code, detail }: { code: FaultCode; detail: Message },
): Promise<void> {
  if (!network || network.goneAt) return
  const promises = await promisesOn(op, network)
  if (!network.deleteRequestedAt) observe(op, network, { state: 'failed', stateReason: detail })
  promises.refuse(network.deleteRequestedAt ? 'delete_network' : 'create_network', { code, detail })
}

function observe(op: Op, network: Row, seen: SeenOfNetwork): void {
  // What the row knows of, as it would be afterwards, against what it is.
  const { state, clusterUid, seenVersion, stateReason } = network
  const before = {
    state,
    clusterUid: clusterUid ?? null,
    seenVersion: seenVersion ?? null,
    stateReason: stateReason ?? null,
  }
  if (JSON.stringify({ ...before, ...seen }) === JSON.stringify(before)) return
  op.networks.observe(network, seen)
  note(op, network)
}

const note = (op: Op, { id, version, tenantId }: Row): void =>
  op.changes.note('network', { id, version: version + 1, tenantId })
