import { numberOf } from '../../quantity.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { read } from '../../objects/read.ts'
import { claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'
import { annotationKeys } from './annotation-keys.ts'

/** The PVC or VolumeSnapshot that a DataVolume clones. */
export interface CloneSource {
  kind: 'pvc' | 'snapshot'
  namespace: string
  name: string
}

export function clonedSourceOf(volume: KubeObject): CloneSource | null {
  const { pvc, snapshot } = read.map(read.spec(volume).source)
  const origin = read.map(pvc ?? snapshot)
  if (origin.name === undefined) return null
  const namespace = read.text(origin.namespace) || (volume.metadata.namespace ?? '')
  return { kind: pvc === undefined ? 'snapshot' : 'pvc', namespace, name: read.text(origin.name) }
}

/** The source reference in the spec of a VolumeCloneSource. */
export const sourceReference = ({ kind, name }: CloneSource): JsonMap =>
  kind === 'pvc'
    ? { kind: 'PersistentVolumeClaim', name }
    : { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name }

/** Checks whether the clone can begin; returns the reason when it cannot. */
export function cloneProblem(
  client: Client,
  volume: KubeObject,
  origin: CloneSource,
): { reason: string; message: string } | null {
  const source = client.get(
    origin.kind === 'pvc' ? names.claims : names.snapshots,
    origin.namespace,
    origin.name,
  )
  const kindText = origin.kind === 'pvc' ? 'pvc' : 'snapshot'
  if (!source)
    return {
      reason: 'CloneWithoutSource',
      message: `The source ${kindText} ${origin.name} doesn't exist`,
    }
  const requested =
    numberOf(
      read.at(volume, 'spec', 'storage', 'resources', 'requests', 'storage') ?? pvcSize(volume),
    ) ?? 0
  const available =
    origin.kind === 'pvc' ? usable(source) : (numberOf(read.status(source).restoreSize) ?? 0)
  if (requested === 0 || requested >= available) return null
  const why = `target resources requests storage size is smaller than the source ${requested} < ${available}`
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
  claim.annotation(source, annotationKeys.createdFor) === undefined
    ? claim.bytes(source)
    : Math.floor(claim.bytes(source) / 1.06)

interface PhaseMessages {
  phase: string
  reason?: string
  messageFor(from: string, to: string): string
}

const during = (phase: string, text: string): PhaseMessages => ({
  phase,
  messageFor: (from) => `${text} is in progress (for ${from})`,
})

/** The phase and message of the DataVolume for each phase of the clone populator. */
const phases: Readonly<Record<string, PhaseMessages>> = {
  Pending: {
    phase: 'CloneScheduled',
    messageFor: (from, to) => `Cloning from ${from} into ${to} scheduled`,
  },
  Snapshot: during('SnapshotForSmartCloneInProgress', 'Creating snapshot for smart-clone'),
  SnapshotClone: during('CloneFromSnapshotSourceInProgress', 'Creating PVC from snapshot source'),
  CSIClone: during('CSICloneInProgress', 'CSI Volume clone'),
  HostClone: {
    phase: 'CloneInProgress',
    messageFor: (from, to) => `Cloning from ${from} into ${to} in progress`,
  },
  Succeeded: {
    phase: 'Succeeded',
    reason: 'CloneSucceeded',
    messageFor: (from, to) => `Successfully cloned from ${from} into ${to}`,
  },
}

/**
 * The phase of a cloning DataVolume and the event that announces it. Null when the PVC is not
 * filled by the clone, as after a restore that replaced it.
 */
export function clonePhase(
  volume: KubeObject,
  object: KubeObject,
): { phase: string; reason: string; message: string } | null {
  const origin = clonedSourceOf(volume)
  const messages = phases[claim.annotation(object, annotationKeys.clonePhase) ?? 'Pending']
  const isCloned = claim.source(object).kind === 'VolumeCloneSource'
  if (!origin || !messages || !isCloned) return null
  const path = `${origin.namespace}/${origin.name}`
  const from =
    messages.phase.endsWith('InProgress') && messages.phase !== 'CloneInProgress'
      ? `${origin.kind} ${path}`
      : path
  const to = `${volume.metadata.namespace}/${volume.metadata.name}`
  return {
    phase: messages.phase,
    reason: messages.reason ?? messages.phase,
    message: messages.messageFor(from, to),
  }
}
