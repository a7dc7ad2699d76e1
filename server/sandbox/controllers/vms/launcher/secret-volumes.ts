import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { folders } from './image.ts'
import { type LauncherVolume } from './launcher-volume.ts'

/** The volumes of a launcher pod for cloud-init and sysprep data in Secrets or ConfigMaps. */
export function secretVolumes(volume: JsonMap): LauncherVolume[] {
  const name = read.text(volume.name)
  const seed = read.map(volume.cloudInitNoCloud ?? volume.cloudInitConfigDrive)
  return [
    ...seedVolume(name, {
      secretRef: seed.secretRef,
      suffix: 'udata',
      keys: ['userdata', 'userData'],
    }),
    ...seedVolume(name, {
      secretRef: seed.networkDataSecretRef,
      suffix: 'ndata',
      keys: ['networkdata', 'networkData'],
    }),
    ...answerVolume(name, read.map(volume.sysprep)),
  ]
}

interface Part {
  secretRef: JsonMap[string] | undefined
  suffix: string
  keys: string[]
}

/** Mounts both spellings of the Secret's key. */
function seedVolume(volume: string, { secretRef, suffix, keys }: Part): LauncherVolume[] {
  const secretName = read.text(read.at(secretRef, 'name'))
  if (secretName === '') return []
  const name = `${volume}-${suffix}`
  const mounts = keys.map((key) => ({
    name,
    mountPath: `${folders.private}/secret/${volume}/${key}`,
    subPath: key,
    readOnly: true,
  }))
  return [{ volume: { name, secret: { secretName } }, mounts }]
}

function answerVolume(name: string, { secret, configMap }: JsonMap): LauncherVolume[] {
  const mounts = [{ name, mountPath: `${folders.private}/sysprep/${name}`, readOnly: true }]
  if (secret !== undefined)
    return [
      { volume: { name, secret: { secretName: read.text(read.at(secret, 'name')) } }, mounts },
    ]
  if (configMap !== undefined)
    return [
      { volume: { name, configMap: { name: read.text(read.at(configMap, 'name')) } }, mounts },
    ]
  return []
}
