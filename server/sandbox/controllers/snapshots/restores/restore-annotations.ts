import { type KubeObject } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'

const lastRestore = 'restore.kubevirt.io/lastRestoreUID'

export const restoreNameKey = 'restore.kubevirt.io/name'

/**
 * The annotation of objects that a restore created or changed, so that it does not repeat the work.
 */
export const lastRestoreAnnotation = ({
  metadata: { name, uid },
}: KubeObject): Record<string, string> => ({
  [lastRestore]: `${name}-${uid}`,
})

export const isRestoredBy = (restore: KubeObject, { metadata }: KubeObject): boolean =>
  metadata.annotations?.[lastRestore] === lastRestoreAnnotation(restore)[lastRestore]

/** The name of a volume's PVC after the restore; its DataVolume has the same name. */
export function restoredName(
  { metadata: { uid }, spec }: KubeObject,
  volume: string,
  original: string,
): string {
  const override = read
    .maps(read.at(spec, 'volumeRestoreOverrides'))
    .find(({ volumeName }) => volumeName === volume)
  const overrideName = read.text(override?.restoreName)
  if (overrideName !== '') return overrideName
  const policy = read.at(spec, 'volumeRestorePolicy')
  if (policy === 'InPlace') return original
  // KubeVirt cuts PVC names at 63 characters, the limit of a DNS label.
  return policy === 'PrefixTargetName'
    ? `${read.text(read.at(spec, 'target', 'name'))}-${volume}`.slice(0, 63)
    : `restore-${uid}-${volume}`
}
