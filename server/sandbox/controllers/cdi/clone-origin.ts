import { numberOf } from '../../quantity.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Desk } from '../desk.ts'
import { read } from '../../objects/read.ts'
import { claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'
import { marks } from './marks.ts'

/** What a DataVolume is a clone of. */
export interface Origin {
  kind: 'pvc' | 'snapshot'
  namespace: string
  name: string
}

export function originOf(volume: KubeObject): Origin | null {
  const { pvc, snapshot } = read.map(read.spec(volume).source)
  const origin = read.map(pvc ?? snapshot)
  if (origin.name === undefined) return null
  const namespace = read.text(origin.namespace) || (volume.metadata.namespace ?? '')
  return { kind: pvc === undefined ? 'snapshot' : 'pvc', namespace, name: read.text(origin.name) }
}

/** As the populator's order names it. */
export const orderOf = ({ kind, name }: Origin): JsonMap =>
  kind === 'pvc'
    ? { kind: 'PersistentVolumeClaim', name }
    : { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name }

/** Why the clone cannot begin; null when it can. */
export function troubleWith(
  desk: Desk,
  volume: KubeObject,
  origin: Origin,
): { reason: string; message: string } | null {
  const source = desk.get(
    origin.kind === 'pvc' ? names.claims : names.snapshots,
    origin.namespace,
    origin.name,
  )
  const what = origin.kind === 'pvc' ? 'pvc' : 'snapshot'
  if (!source)
    return {
      reason: 'CloneWithoutSource',
      message: `The source ${what} ${origin.name} doesn't exist`,
    }
  const asked =
    numberOf(
      read.at(volume, 'spec', 'storage', 'resources', 'requests', 'storage') ?? pvcSize(volume),
    ) ?? 0
  const has =
    origin.kind === 'pvc' ? usable(source) : (numberOf(read.status(source).restoreSize) ?? 0)
  if (asked === 0 || asked >= has) return null
  const why = `target resources requests storage size is smaller than the source ${asked} < ${has}`
  return {
    reason: 'CloneValidationFailed',
    message: `The clone doesn't meet the validation requirements: ${why}`,
  }
}

const pvcSize = (volume: KubeObject): JsonMap[string] =>
  read.at(volume, 'spec', 'pvc', 'resources', 'requests', 'storage')

/** Room for an image: a file system keeps some of it to itself. */
const usable = (source: KubeObject): number =>
  read.spec(source).volumeMode === 'Block' ||
  claim.annotation(source, marks.createdFor) === undefined
    ? claim.bytes(source)
    : Math.floor(claim.bytes(source) / 1.06)

interface Words {
  phase: string
  reason?: string
  say(from: string, to: string): string
}

const during = (phase: string, text: string): Words => ({
  phase,
  say: (from) => `${text} is in progress (for ${from})`,
})

/** What the phase of the populator means for the DataVolume. */
const phases: Readonly<Record<string, Words>> = {
  Pending: {
    phase: 'CloneScheduled',
    say: (from, to) => `Cloning from ${from} into ${to} scheduled`,
  },
  Snapshot: during('SnapshotForSmartCloneInProgress', 'Creating snapshot for smart-clone'),
  SnapshotClone: during('CloneFromSnapshotSourceInProgress', 'Creating PVC from snapshot source'),
  CSIClone: during('CSICloneInProgress', 'CSI Volume clone'),
  HostClone: {
    phase: 'CloneInProgress',
    say: (from, to) => `Cloning from ${from} into ${to} in progress`,
  },
  Succeeded: {
    phase: 'Succeeded',
    reason: 'CloneSucceeded',
    say: (from, to) => `Successfully cloned from ${from} into ${to}`,
  },
}

/** How far the clone is, as the DataVolume tells it. */
export function clonePhase(
  volume: KubeObject,
  object: KubeObject,
): { phase: string; reason: string; message: string } | null {
  const origin = originOf(volume)
  const words = phases[claim.annotation(object, marks.clonePhase) ?? 'Pending']
  if (!origin || !words) return null
  const path = `${origin.namespace}/${origin.name}`
  const from =
    words.phase.endsWith('InProgress') && words.phase !== 'CloneInProgress'
      ? `${origin.kind} ${path}`
      : path
  const to = `${volume.metadata.namespace}/${volume.metadata.name}`
  return { phase: words.phase, reason: words.reason ?? words.phase, message: words.say(from, to) }
}
