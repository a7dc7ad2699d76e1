import { posix } from 'node:path'
import { type JsonMap } from '../../../objects/types.ts'
import { claimNameOf } from '../../hotplug/volume-source.ts'
import { filled, read } from '../../../objects/read.ts'
import { type LauncherContext } from './context.ts'
import { folders } from './image.ts'
import { type LauncherVolume } from './launcher-volume.ts'

const folderOf = (name: string): string => `${folders.private}/vmi-disks/${name}`

/** The volumes of a launcher pod for the guest's disks on PVCs and host disks. */
export function claimVolumes(volume: JsonMap, context: LauncherContext): LauncherVolume[] {
  const name = read.text(volume.name)
  const below = read.map(read.at(volume.ephemeral, 'persistentVolumeClaim'))
  const claimName = claimNameOf(volume) || read.text(below.claimName)
  if (volume.hostDisk !== undefined) return [hostDisk(name, read.map(volume.hostDisk))]
  if (claimName === '') return []
  const isReadOnly = (read.at(volume.persistentVolumeClaim, 'readOnly') ?? below.readOnly) === true
  const persistentVolumeClaim = filled({ claimName, readOnly: isReadOnly ? true : undefined })
  return [{ volume: { name, persistentVolumeClaim }, ...foundAt(name, claimName, context) }]
}

const shared = ['ReadWriteMany', 'ReadOnlyMany']

function foundAt(
  name: string,
  claimName: string,
  { claimOf }: LauncherContext,
): Partial<LauncherVolume> {
  const { volumeMode, accessModes } = read.map(claimOf(claimName)?.spec)
  if (volumeMode === 'Block') return { devices: [{ name, devicePath: `/dev/${name}` }] }
  const mounts = [{ name, mountPath: folderOf(name) }]
  return read.texts(accessModes).some((mode) => shared.includes(mode))
    ? { mounts, sharedFolder: folderOf(name) }
    : { mounts }
}

function hostDisk(name: string, { path, type }: JsonMap): LauncherVolume {
  const hostPath = {
    path: posix.dirname(read.text(path)),
    type: type === 'DiskOrCreate' ? 'DirectoryOrCreate' : 'Directory',
  }
  return { volume: { name, hostPath }, mounts: [{ name, mountPath: folderOf(name) }] }
}
