import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { volumesOf } from '../../hotplug/volumes.ts'
import { filled, read } from '../../../objects/read.ts'
import { needsGuaranteedQos } from './guaranteed.ts'
import { type LauncherContext } from './context.ts'
import { confined, folders, launcherImage } from './image.ts'
import { type LauncherVolume } from './launcher-volume.ts'

/*
 * Container disks are image volumes of the pod. An init container of the same image runs once and
 * does nothing. Its status reveals the exact image, which a migration target must use. Kubernetes
 * reports digests only for containers.
 */

interface Disk {
  name: string
  image: string
  pullPolicy: string | undefined
  mountPath: string
}

function disksOf(vmi: KubeObject): Disk[] {
  const disks = volumesOf(vmi).flatMap(({ name, containerDisk }, index) =>
    containerDisk === undefined
      ? []
      : [diskOf(read.text(name), read.map(containerDisk), `${folders.images}/disk_${index}`)],
  )
  const kernel = read.map(read.at(vmi.spec, 'domain', 'firmware', 'kernelBoot', 'container'))
  return read.text(kernel.image) === ''
    ? disks
    : [...disks, diskOf('kernel-boot-volume', kernel, folders.kernel)]
}

const diskOf = (name: string, { image, imagePullPolicy }: JsonMap, mountPath: string): Disk => ({
  name,
  image: read.text(image),
  pullPolicy: read.text(imagePullPolicy) || undefined,
  mountPath,
})

const isExact = ({ images }: LauncherContext, { name }: Disk): boolean =>
  (images[name] ?? '').includes('@sha256:')

/** The disks whose image digest is not known yet. */
const unresolvedDisks = (vmi: KubeObject, context: LauncherContext): Disk[] =>
  vmi.metadata.annotations?.['kubevirt.io/image-volume-skip-digest-resolution'] === 'true'
    ? []
    : disksOf(vmi).filter((disk) => !isExact(context, disk))

export function imageVolumes(vmi: KubeObject, context: LauncherContext): LauncherVolume[] {
  const disks = disksOf(vmi).map((disk): LauncherVolume => {
    const image = filled({
      reference: context.images[disk.name] ?? disk.image,
      pullPolicy: disk.pullPolicy,
    })
    return {
      volume: { name: disk.name, image },
      mounts: [{ name: disk.name, mountPath: disk.mountPath, readOnly: true }],
    }
  })
  const program = {
    name: 'launcher-volume',
    image: { reference: launcherImage, pullPolicy: 'IfNotPresent' },
  }
  return unresolvedDisks(vmi, context).length > 0 ? [...disks, { volume: program }] : disks
}

export const diskContainers = (vmi: KubeObject, context: LauncherContext): JsonMap[] =>
  unresolvedDisks(vmi, context).map(({ name, image, pullPolicy }) =>
    filled({
      name: `volume${name}`,
      image,
      imagePullPolicy: pullPolicy,
      command: ['/container-disk-binary/usr/bin/container-disk'],
      args: ['--no-op'],
      resources: resourcesOf(vmi),
      securityContext: confined,
      volumeMounts: [
        { name: 'launcher-volume', mountPath: '/container-disk-binary', readOnly: true },
      ],
    }),
  )

const storage = { 'ephemeral-storage': '50M' }

function resourcesOf(vmi: KubeObject): JsonMap {
  const limits = { cpu: '10m', memory: '40M' }
  return {
    limits,
    requests: { ...(needsGuaranteedQos(vmi) ? limits : { cpu: '1m', memory: '1M' }), ...storage },
  }
}

/**
 * The exact images of a running pod by volume, read from its volumes or the status of its init
 * containers.
 */
export function exactImages(vmi: KubeObject, pod: KubeObject): Record<string, string> {
  const podVolumes = read.maps(read.spec(pod).volumes)
  const statuses = read.maps(read.status(pod).initContainerStatuses)
  return Object.fromEntries(
    disksOf(vmi).map(({ name, image }) => {
      const known = read.text(
        read.at(podVolumes.find((each) => each.name === name)?.image, 'reference'),
      )
      if (known.includes('@sha256:')) return [name, known]
      const digest = /@(sha256:[0-9a-f]{64})$/.exec(
        read.text(statuses.find((each) => each.name === `volume${name}`)?.imageID),
      )?.[1]
      return [
        name,
        digest === undefined ? image : `${image.replace(/@.*$|:[^:/]*$/, '')}@${digest}`,
      ]
    }),
  )
}
