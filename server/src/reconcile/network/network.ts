import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { reactions } from '../../engine/kube/cluster-error.ts'
import { type WantedNetwork } from '../../cluster/desired/network.ts'
import { Fault, type FaultCode } from '../../engine/model/fault.ts'
import { traitsOf } from '../../domain/network/driver.ts'
import { type Networking } from '../../domain/network/networking.ts'
import { type NetworkStep, type SeenNetwork, nextStep } from '../../domain/network/next-step.ts'
import { stepPoint } from '../../domain/operation/kind.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type TagRange } from '../../store/network/network.ts'
import { type UnitParts, fencedUnits } from '../fenced-unit.ts'
import * as networkRecord from './network-record.ts'
import { type AskedAttachment, type NetworkUnit } from './network-record.ts'
import { isRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  done,
  atOnce,
  outOfTime,
} from '../../engine/reconcile/reconciler.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

interface NetworkReconcilerParts extends UnitParts {
  cluster: {
    reader: Pick<ClusterReader, 'getObject' | 'getSubnet'>
    writer: Pick<ClusterWriter, 'applyObject' | 'deleteObject'>
  }
  networking: Pick<Networking, 'chooseDriver'>
  /** What networks are told apart by; what is decided for one stays so when this changes. */
  segments: { bridge: { name: string; vlans: readonly TagRange[] }; mtu: number | null }
  /** How soon to look again while the cluster is busy with what was asked. */
  waitMs?: number
}

/**
 * Keeps a network's segment and its attachment: the segment is taken once and for all, the
 * attachment is kept as it was written.
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
      const asked = await unit(networkRecord.askedOf)
      if (!asked) return done
      return take(nextStep(asked, await look(parts.cluster.reader, asked)), {
        ...parts,
        unit,
        asked,
        waitMs,
      })
    },
    gaveUp: (key, lease) =>
      unitFor(key, lease)((op, network) => networkRecord.fail(op, network, outOfTime)),
  }
}

async function look(
  reader: Pick<ClusterReader, 'getObject' | 'getSubnet'>,
  { id, place, hasSubnet }: AskedAttachment,
): Promise<SeenNetwork> {
  const attachment = await reader.getObject('network', place)
  const subnet = hasSubnet ? await reader.getSubnet({ name: place.name }) : null
  return {
    attachment: attachment && { ...attachment, isOurs: attachment.rowId === id },
    subnet: subnet && { ...subnet, isOurs: subnet.rowId === id },
  }
}

interface Taking extends Omit<NetworkReconcilerParts, keyof UnitParts> {
  unit: NetworkUnit
  asked: AskedAttachment
  waitMs: number
}

async function take(step: NetworkStep, taking: Taking): Promise<Outcome> {
  const { unit, waitMs } = taking
  switch (step.do) {
    case 'nothing':
      return done
    case 'wait':
      return { again: { afterMs: waitMs } }
    case 'assign':
      return atFailpoint(stepPoint('create_network', 'segment'), () => assign(taking))
    case 'applySubnet':
    case 'applyAttachment':
      return atFailpoint(stepPoint('create_network', 'attachment'), () =>
        making(taking, puts[step.do]),
      )
    case 'open':
      await atFailpoint(stepPoint('create_network', 'ready'), () => unit(networkRecord.open))
      return done
    case 'fail':
      return fail(taking, {
        code: 'cluster_name_conflict',
        detail: messageOf('network.name_in_use'),
      })
    default:
      return takeAway(step, taking)
  }
}

type Removal = Extract<NetworkStep, { do: 'deleteAttachment' | 'deleteSubnet' | 'erase' }>

async function takeAway(step: Removal, { unit, asked, cluster }: Taking): Promise<Outcome> {
  switch (step.do) {
    case 'deleteAttachment':
      await atFailpoint(stepPoint('delete_network', 'attachment'), () =>
        cluster.writer.deleteObject('network', asked.place, step.uid),
      )
      return atOnce
    case 'deleteSubnet':
      await atFailpoint(stepPoint('delete_network', 'attachment'), () =>
        cluster.writer.deleteObject(
          'subnet',
          { namespace: null, name: asked.place.name },
          step.uid,
        ),
      )
      return atOnce
    case 'erase':
      await atFailpoint(stepPoint('delete_network', 'gone'), () => unit(networkRecord.erase))
      return done
  }
}

async function fail({ unit }: Taking, why: { code: FaultCode; detail: Message }): Promise<Outcome> {
  await unit((op, network) => networkRecord.fail(op, network, why))
  return done
}

/**
 * What the cluster lacks today it may have tomorrow: a network that failed for that is tried again
 * with every full pass.
 */
async function assign(taking: Taking): Promise<Outcome> {
  const { unit, networking, segments, waitMs } = taking
  try {
    const driver = networking.chooseDriver()
    const bridge = driver === 'bridge-vlan' ? segments.bridge : null
    const mtu = segments.mtu ?? traitsOf(driver).usualMtu
    if (await unit((op, network) => networkRecord.assign(op, network, { driver, mtu, bridge })))
      return atOnce
    return await fail(taking, {
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
      : fail(taking, { code: error.code, detail: error.said })
  }
}

async function putAttachment({ unit, asked, cluster }: Taking): Promise<void> {
  const { id, tenantId, place } = asked
  const as = wantedFrom(asked)
  const made = await cluster.writer.applyObject({
    noun: 'network',
    ...place,
    tenantId,
    rowId: id,
    uid: null,
    as,
  })
  await unit((op, network) => networkRecord.attached(op, network, made))
}

/** The VPC's router first, which goes with the VPC; it is named as the VPC's namespace. */
async function putSubnet({ unit, asked, cluster }: Taking): Promise<void> {
  const { id, tenantId, vpcId, place, segment, cidr, gateway } = asked
  const router = place.namespace
  const owner = { namespace: null, tenantId, uid: null }
  await cluster.writer.applyObject({
    noun: 'router',
    name: router,
    rowId: vpcId,
    ...owner,
    as: { leadsOut: false },
  })
  const as = {
    router,
    cidr,
    gateway,
    attachment: place,
    mtu: segment?.mtu ?? traitsOf('kube-ovn').usualMtu,
  }
  const made = await cluster.writer.applyObject({
    noun: 'subnet',
    name: place.name,
    rowId: id,
    ...owner,
    as,
  })
  await unit((op, network) => networkRecord.subnetWritten(op, network, made))
}

const puts = { applySubnet: putSubnet, applyAttachment: putAttachment } as const

async function making(taking: Taking, make: (taking: Taking) => Promise<void>): Promise<Outcome> {
  const { waitMs } = taking
  try {
    await make(taking)
    return atOnce
  } catch (error) {
    if (!isRefusal(error)) throw error
    // The VPC's reconciler makes the namespace again, or this network goes with it.
    if (error.trouble === 'namespace_missing' || error.trouble === 'namespace_terminating')
      return { again: { afterMs: waitMs } }
    return fail(taking, {
      code: reactions[error.trouble].fault,
      detail: messageOf('network.refused'),
    })
  }
}

/**
 * As the cluster's side knows it: words and numbers of ours, and nothing that anybody typed.
 * Addresses are ours to give, so a switch knows of none.
 */
function wantedFrom({ segment }: AskedAttachment): WantedNetwork {
  if (!segment) throw new TypeError('a network without a segment has no attachment')
  const { driver, mtu, tagged } = segment
  return { driver, mtu, tagged }
}
