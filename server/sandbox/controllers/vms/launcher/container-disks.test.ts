import { expect, test } from 'vitest'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { diskContainers, exactImages, imageVolumes } from './container-disks.ts'
import { type LauncherContext } from './context.ts'

const vmi: KubeObject = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'vm1', namespace: 'ns1' },
  spec: {
    volumes: [
      { name: 'seed', cloudInitNoCloud: {} },
      { name: 'root', containerDisk: { image: 'registry.example:5000/fedora:42' } },
    ],
  },
}

const context: LauncherContext = {
  configuration: {},
  isGateEnabled: () => true,
  claimOf: () => undefined,
  isLimited: () => false,
  images: {},
}
const digest = `sha256:${'ab'.repeat(32)}`
const exact = `registry.example:5000/fedora@${digest}`

const podWith = (parts: JsonMap): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'virt-launcher-vm1', namespace: 'ns1' },
  ...parts,
})

test('an image is mounted at the index of its volume, and an init container resolves its digest', () => {
  const [disk, program] = imageVolumes(vmi, context)
  expect(disk?.volume).toEqual({
    name: 'root',
    image: { reference: 'registry.example:5000/fedora:42' },
  })
  expect(disk?.mounts).toEqual([
    { name: 'root', mountPath: '/var/run/kubevirt-image-volume/disk_1', readOnly: true },
  ])
  expect(program?.volume?.name).toBe('launcher-volume')
  expect(diskContainers(vmi, context).map(({ name }) => name)).toEqual(['volumeroot'])
})

test('a migration target pod uses the exact image and needs no init container', () => {
  const known = { ...context, images: { root: exact } }
  expect(imageVolumes(vmi, known).map(({ volume }) => volume)).toEqual([
    { name: 'root', image: { reference: exact } },
  ])
  expect(diskContainers(vmi, known)).toEqual([])
})

test.each([
  {
    because: 'the status of the init container has the digest',
    pod: podWith({
      status: {
        initContainerStatuses: [
          { name: 'volumeroot', imageID: `registry.example:5000/fedora@${digest}` },
        ],
      },
    }),
    image: exact,
  },
  {
    because: 'a migration target pod has the digest in its volume',
    pod: podWith({ spec: { volumes: [{ name: 'root', image: { reference: exact } }] } }),
    image: exact,
  },
  {
    because: 'without a digest the tag is used',
    pod: podWith({}),
    image: 'registry.example:5000/fedora:42',
  },
])('the exact image of a running guest is found: $because', ({ pod, image }) => {
  expect(exactImages(vmi, pod)).toEqual({ root: image })
})
