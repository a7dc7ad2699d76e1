import { type KubeObject } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'

const lastRestore = 'restore.kubevirt.io/lastRestoreUID'

export const restoreNameOn = 'restore.kubevirt.io/name'

/** Marks what a restore made, so that it is not made again. */
export const markOf = ({ metadata: { name, uid } }: KubeObject): Record<string, string> => ({
  [lastRestore]: `${name}-${uid}`,
})

export const isMarkedBy = (restore: KubeObject, { metadata }: KubeObject): boolean =>
  metadata.annotations?.[lastRestore] === markOf(restore)[lastRestore]

/** What the claim of a volume is called after the restore; its data volume is called the same. */
export function restoredName(
  { metadata: { uid }, spec }: KubeObject,
  volume: string,
  original: string,
): string {
  const override = read
    .maps(read.at(spec, 'volumeRestoreOverrides'))
    .find(({ volumeName }) => volumeName === volume)
  const given = read.text(override?.restoreName)
  if (given !== '') return given
  const policy = read.at(spec, 'volumeRestorePolicy')
  if (policy === 'InPlace') return original
  // Names of claims end where names of services would.
  return policy === 'PrefixTargetName'
    ? `${read.text(read.at(spec, 'target', 'name'))}-${volume}`.slice(0, 63)
    : `restore-${uid}-${volume}`
}
