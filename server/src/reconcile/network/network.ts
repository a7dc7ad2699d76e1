import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { type DesiredNetwork } from '../../cluster/desired/network.ts'
import { Fault, type FaultCode } from '../../engine/model/fault.ts'
import { traitsOf } from '../../domain/network/driver.ts'
import { type NetworkSettings } from '../../domain/network/network-settings.ts'
import { type NetworkStep, type ObservedNetwork, nextStep } from '../../domain/network/next-step.ts'
import { stepFailpoint } from '../../domain/operation/kind.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type AssignedSegment, type TagRange } from '../../store/network/network.ts'
import { askDeadlineAfter } from '../ask-deadline.ts'
import { type UnitParts, fencedUnits } from '../fenced-unit.ts'
import * as networkRecord from './network-record.ts'
import { type AttachmentTarget, type NetworkUnit } from './network-record.ts'
import { refusedWrite } from '../refused-write.ts'
import { isFinalRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  done,
  atOnce,
  outOfTime,
  waiting,
} from '../../engine/reconcile/reconciler.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

interface NetworkReconcilerParts extends UnitParts {
  cluster: {
    reader: Pick<ClusterReader, 'getObject' | 'getSubnet' | 'listVlanTags'>
    writer: Pick<ClusterWriter, 'applyObject' | 'deleteObject'>
  }
  networking: Pick<NetworkSettings, 'chooseDriver'>
  /**
   * The bridge and VLAN tags that separate networks. A change does not affect segments that are
   * assigned already.
   */
  segments: { bridge: { name: string; vlans: readonly TagRange[] }; mtu: number | null }
  /** The delay between checks while the cluster carries out a change. */
  waitMs?: number
}

/**
 * Keeps the segment and the attachment of a network in the desired state. The segment is assigned
 * once, and the attachment is always written the same way.
 */
export function networkReconciler({
  store,
  work,
  waitMs = 500,
  ...parts
}: NetworkReconcilerParts): Reconciler {
  const unitFor = fencedUnits({ store, work }, (op, id) => op.networks.row(id))

  return {
    kind: 'network',
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const desired = await unit(networkRecord.loadDesired)
      if (!desired) return done
      return askDeadlineAfter({
        lease,
        needsReview: desired.needsReview,
        expire: (attendance) =>
          unit((op, network) => networkRecord.expire(op, network, attendance)),
        block: (obstacle) => unit((op, network) => networkRecord.block(op, network, obstacle)),
        async act() {
          const observed = await readObserved(parts.cluster.reader, desired)
          return take(nextStep(desired, observed), { ...parts, unit, desired, waitMs })
        },
      })
    },
    gaveUp: (key, lease) =>
      unitFor(key, lease)((op, network) => networkRecord.fail(op, network, outOfTime)),
  }
}

async function readObserved(
  reader: Pick<ClusterReader, 'getObject' | 'getSubnet'>,
  { id, reference, needsSubnet }: AttachmentTarget,
): Promise<ObservedNetwork> {
  const attachment = await reader.getObject('network', reference)
  const subnet = needsSubnet ? await reader.getSubnet({ name: reference.name }) : null
  return {
    attachment: attachment && { ...attachment, isOwned: attachment.rowId === id },
    subnet: subnet && { ...subnet, isOwned: subnet.rowId === id },
  }
}

interface ReconcileContext extends Omit<NetworkReconcilerParts, keyof UnitParts> {
  unit: NetworkUnit
  desired: AttachmentTarget
  waitMs: number
}

async function take(step: NetworkStep, context: ReconcileContext): Promise<Outcome> {
  const { unit, waitMs } = context
  switch (step.do) {
    case 'nothing':
      return done
    case 'wait':
      return waiting(waitMs)
    case 'assign':
      return atFailpoint(stepFailpoint('create_network', 'segment'), () => assign(context))
    case 'applySubnet':
    case 'applyAttachment':
      return atFailpoint(stepFailpoint('create_network', 'attachment'), () =>
        create(context, applyByStep[step.do]),
      )
    case 'open':
      await atFailpoint(stepFailpoint('create_network', 'ready'), () => unit(networkRecord.open))
      return done
    case 'fail':
      return fail(context, {
        code: 'cluster_name_conflict',
        detail: messageOf('network.name_in_use'),
      })
    default:
      return takeRemoval(step, context)
  }
}

type Removal = Extract<NetworkStep, { do: 'deleteAttachment' | 'deleteSubnet' | 'erase' }>

async function takeRemoval(
  step: Removal,
  { unit, desired, cluster }: ReconcileContext,
): Promise<Outcome> {
  switch (step.do) {
    case 'deleteAttachment':
      await atFailpoint(stepFailpoint('delete_network', 'attachment'), () =>
        cluster.writer.deleteObject('network', desired.reference, step.uid),
      )
      return atOnce
    case 'deleteSubnet':
      await atFailpoint(stepFailpoint('delete_network', 'attachment'), () =>
        cluster.writer.deleteObject(
          'subnet',
          { namespace: null, name: desired.reference.name },
          step.uid,
        ),
      )
      return atOnce
    case 'erase':
      await atFailpoint(stepFailpoint('delete_network', 'gone'), () => unit(networkRecord.erase))
      return done
  }
}

async function fail(
  { unit }: ReconcileContext,
  why: { code: FaultCode; detail: Message },
): Promise<Outcome> {
  await unit((op, network) => networkRecord.fail(op, network, why))
  return done
}

/**
 * Assigns a segment. A network that failed because the cluster lacks a feature is tried again with
 * every full pass.
 */
async function assign(context: ReconcileContext): Promise<Outcome> {
  const { unit, networking, segments, cluster, waitMs } = context
  try {
    const driver = networking.chooseDriver()
    const { isTagged, usualMtu } = traitsOf(driver)
    const bridge = isTagged ? await withUsedTags(segments.bridge, cluster.reader) : null
    const mtu = segments.mtu ?? usualMtu
    if (await unit((op, network) => networkRecord.assign(op, network, { driver, mtu, bridge })))
      return atOnce
    return await fail(context, {
      code: 'capacity',
      detail: messageOf('network.segments_exhausted'),
    })
  } catch (error) {
    if (
      !(error instanceof Fault) ||
      (error.code !== 'feature_disabled' && error.code !== 'cluster_unavailable')
    )
      throw error
    return error.code === 'cluster_unavailable'
      ? { again: { afterMs: waitMs } }
      : fail(context, { code: error.code, detail: error.userMessage })
  }
}

/**
 * A tag that is used in the cluster is never assigned, even if no row has it. A database that was
 * restored from an older backup lacks later networks, and two tenants would share a segment.
 */
const withUsedTags = async (
  bridge: NetworkReconcilerParts['segments']['bridge'],
  reader: Pick<ClusterReader, 'listVlanTags'>,
) => ({ ...bridge, usedTags: await reader.listVlanTags({ bridge: bridge.name }) })

async function applyAttachment({ unit, desired, cluster }: ReconcileContext): Promise<void> {
  const { id, tenantId, reference } = desired
  const as = desiredAttachmentOf(desired)
  const made = await cluster.writer.applyObject({
    noun: 'network',
    ...reference,
    tenantId,
    rowId: id,
    uid: null,
    spec: as,
  })
  await unit((op, network) => networkRecord.attached(op, network, made))
}

/**
 * Applies the subnet, and first the router of the VPC. The router has the name of the VPC's
 * namespace and is deleted with the VPC.
 */
async function applySubnet({ unit, desired, cluster }: ReconcileContext): Promise<void> {
  const { id, tenantId, vpcId, reference, cidr, gateway } = desired
  const router = reference.namespace
  const owner = { namespace: null, tenantId, uid: null }
  await cluster.writer.applyObject({
    noun: 'router',
    name: router,
    rowId: vpcId,
    ...owner,
    spec: { hasExternalRoute: false },
  })
  const as = {
    router,
    cidr,
    gateway,
    attachment: reference,
    mtu: segmentOf(desired).mtu,
  }
  const made = await cluster.writer.applyObject({
    noun: 'subnet',
    name: reference.name,
    rowId: id,
    ...owner,
    spec: as,
  })
  await unit((op, network) => networkRecord.subnetWritten(op, network, made))
}

const applyByStep = { applySubnet, applyAttachment } as const

async function create(
  context: ReconcileContext,
  apply: (context: ReconcileContext) => Promise<void>,
): Promise<Outcome> {
  const { waitMs } = context
  try {
    await apply(context)
    return atOnce
  } catch (error) {
    if (!isFinalRefusal(error)) throw error
    // The VPC's reconciler recreates the namespace, or this network is deleted with it.
    if (error.trouble === 'namespace_missing' || error.trouble === 'namespace_terminating')
      return { again: { afterMs: waitMs } }
    const own = { name_taken: messageOf('network.name_in_use') }
    const isNew = context.desired.writtenVersion === null
    const detail = messageOf(isNew ? 'network.refused' : 'network.change_refused')
    return fail(context, refusedWrite(error, detail, own))
  }
}

/**
 * Returns the attachment for the cluster. It holds no text from users, and no addresses, because
 * Berth assigns those itself.
 */
function desiredAttachmentOf(desired: AttachmentTarget): DesiredNetwork {
  const { driver, mtu, tagged } = segmentOf(desired)
  return { driver, mtu, tagged }
}

function segmentOf({ segment }: AttachmentTarget): AssignedSegment {
  if (!segment) throw new TypeError('a network without a segment has no object in the cluster')
  return segment
}
