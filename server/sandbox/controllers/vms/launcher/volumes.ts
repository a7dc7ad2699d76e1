import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { isHotpluggable } from '../../hotplug/volume-source.ts'
import { disksOf, named, volumesOf } from '../../hotplug/volumes.ts'
import { filled, read } from '../../../objects/read.ts'
import { type LauncherVolume } from './launcher-volume.ts'
import { imageVolumes } from './container-disks.ts'
import { type LauncherContext } from './context.ts'
import { folders } from './image.ts'
import { claimVolumes } from './claim-volumes.ts'
import { secretVolumes } from './secret-volumes.ts'

const empty = (name: string): JsonMap => ({ name, emptyDir: {} })

/** The volumes of every launcher pod. KubeVirt mounts them in a different order. */
const own: readonly LauncherVolume[] = [
  { volume: empty('private') },
  { volume: empty('public') },
  { volume: empty('sockets') },
  { volume: empty('virt-bin-share-dir') },
  { volume: empty('libvirt-runtime') },
  { volume: empty('ephemeral-disks') },
  {
    mounts: [
      { name: 'private', mountPath: folders.private },
      { name: 'public', mountPath: folders.shared },
      { name: 'ephemeral-disks', mountPath: folders.ephemeralDisks },
      { name: 'libvirt-runtime', mountPath: '/var/run/libvirt' },
      { name: 'sockets', mountPath: `${folders.shared}/sockets` },
    ],
  },
]

/** All volumes of a launcher pod: those of every pod, and those for the disks of the VMI. */
export function launcherVolumesOf(vmi: KubeObject, context: LauncherContext): LauncherVolume[] {
  // Hotpluggable volumes are mounted by attachment pods.
  const volumes = volumesOf(vmi).filter((volume) => !isHotpluggable(volume))
  return [
    ...own,
    ...volumes.flatMap((volume) => configVolumes(vmi, volume)),
    ...volumes.flatMap((volume) => [
      ...claimVolumes(volume, context),
      ...secretVolumes(volume),
      ...metricsVolumes(volume),
    ]),
    ...credentials(vmi),
    ...imageVolumes(vmi, context),
    ...hugePages(vmi),
    ...plugs(vmi),
  ]
}

const kinds = { secret: 'secret', configMap: 'config-map', downwardAPI: 'downwardapi' } as const

/** Volumes for Secrets, ConfigMaps and downward API data, which may be disks of the guest. */
function configVolumes(vmi: KubeObject, volume: JsonMap): LauncherVolume[] {
  const name = read.text(volume.name)
  const isDisk = named(disksOf(vmi), name) !== undefined
  return Object.entries(kinds).flatMap(([kind, folder]) => {
    if (volume[kind] === undefined) return []
    const { volumeLabel: _ofTheDisk, fields, ...source } = read.map(volume[kind])
    const mounts = [{ name, mountPath: `${folders.private}/${folder}/${name}`, readOnly: true }]
    return [
      {
        volume: { name, [kind]: filled({ ...source, items: fields }) },
        mounts: isDisk ? mounts : [],
      },
    ]
  })
}

function metricsVolumes({ name, downwardMetrics }: JsonMap): LauncherVolume[] {
  if (downwardMetrics === undefined) return []
  const mounts = [{ name, mountPath: `${folders.private}/downwardmetric-disk` }]
  return [{ volume: { name, emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } }, mounts }]
}

function credentials(vmi: KubeObject): LauncherVolume[] {
  return read.maps(read.spec(vmi).accessCredentials).flatMap(({ sshPublicKey, userPassword }) => {
    const secretName = read.text(
      read.at(sshPublicKey ?? userPassword, 'source', 'secret', 'secretName'),
    )
    const name = `${secretName}-access-cred`
    const mounts = [{ name, mountPath: `${folders.private}/secret/${name}`, readOnly: true }]
    return secretName === '' ? [] : [{ volume: { name, secret: { secretName } }, mounts }]
  })
}

function hugePages(vmi: KubeObject): LauncherVolume[] {
  if (read.at(vmi.spec, 'domain', 'memory', 'hugepages') === undefined) return []
  const emptyDir = { medium: 'HugePages' }
  return [
    {
      volume: { name: 'hugepages', emptyDir },
      mounts: [{ name: 'hugepages', mountPath: '/dev/hugepages' }],
    },
    {
      volume: { name: 'hugetblfs-dir', emptyDir },
      mounts: [{ name: 'hugetblfs-dir', mountPath: '/dev/hugepages/libvirt/qemu' }],
    },
  ]
}

/** The folder where hotplugged disks appear. */
function plugs(vmi: KubeObject): LauncherVolume[] {
  if (read.at(vmi.spec, 'domain', 'devices', 'disableHotplug') === true) return []
  const mountPath = `${folders.shared}/hotplug-disks`
  return [
    {
      volume: empty('hotplug-disks'),
      mounts: [{ name: 'hotplug-disks', mountPath, mountPropagation: 'HostToContainer' }],
    },
  ]
}
