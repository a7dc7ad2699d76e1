import { ApiError } from '../../apiserver/status.ts'
import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { at, mapsOf, specOf, statusOf, textOf } from './fields.ts'
import { copiedVm } from './snapshot-state.ts'

/** A restore with everything that it works on. */
export interface RestoreJob {
  restore: KubeObject
  /** Absent when the restore makes a new VM. */
  vm: KubeObject | undefined
  content: KubeObject
}

/** What keeps a restore from going on now; it says so and is tried again. */
export const obstacle = (message: string): ApiError => new ApiError({ status: 500, message })

const lastRestore = 'restore.kubevirt.io/lastRestoreUID'
export const restoreNameOn = 'restore.kubevirt.io/name'

/** Marks what a restore made, so that it is not made again. */
export const markOf = ({ metadata: { name, uid } }: KubeObject): Record<string, string> => ({ [lastRestore]: `${name}-${uid}` })

export const isMarkedBy = (restore: KubeObject, { metadata }: KubeObject): boolean =>
  metadata.annotations?.[lastRestore] === markOf(restore)[lastRestore]

/** What the claim of a volume is called after the restore; its data volume is called the same. */
export function restoredName({ metadata: { uid }, spec }: KubeObject, volume: string, original: string): string {
  const override = mapsOf(at(spec, 'volumeRestoreOverrides')).find(({ volumeName }) => volumeName === volume)
  const given = textOf(override?.restoreName)
  if (given !== '') return given
  const policy = at(spec, 'volumeRestorePolicy')
  if (policy === 'InPlace') return original
  // Names of claims end where names of services would.
  return policy === 'PrefixTargetName' ? `${textOf(at(spec, 'target', 'name'))}-${volume}`.slice(0, 63) : `restore-${uid}-${volume}`
}

export const restoresOf = (restore: KubeObject): JsonMap[] => mapsOf(statusOf(restore).restores)

export const templatesOf = (content: KubeObject): JsonMap[] => mapsOf(at(copiedVm(content), 'spec', 'dataVolumeTemplates'))

export const templateNamed = (content: KubeObject, name: string): JsonMap | undefined =>
  templatesOf(content).find((template) => at(template, 'metadata', 'name') === name)

export const keepsNoOwner = (restore: KubeObject): boolean => specOf(restore).volumeOwnershipPolicy === 'None'
