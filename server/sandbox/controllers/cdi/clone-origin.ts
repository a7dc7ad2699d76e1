import { numberOf } from '../../quantity.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Desk } from '../desk.ts'
import { read } from '../../objects/read.ts'
import { claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'
import { marks } from './marks.ts'

/** The PVC or VolumeSnapshot that a DataVolume clones. */
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

/** The source reference in the spec of a VolumeCloneSource. */
export const orderOf = ({ kind, name }: Origin): JsonMap =>
  kind === 'pvc'
    ? { kind: 'PersistentVolumeClaim', name }
    : { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name }

/** Checks whether the clone can begin; returns the reason when it cannot. */
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

/** The bytes available for a disk image. CDI reserves 6 % of a file system. */
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

/** The phase and message of the DataVolume for each phase of the clone populator. */
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

/** The phase of a cloning DataVolume and the event that announces it. */
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
