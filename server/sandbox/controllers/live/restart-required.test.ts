import { expect, test } from 'vitest'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { needsRestart } from './restart-required.ts'

const root = { name: 'root', containerDisk: { image: 'fedora' } }
const plugged = { name: 'd', persistentVolumeClaim: { claimName: 'p', hotpluggable: true } }
const fixed = { name: 'd', persistentVolumeClaim: { claimName: 'p' } }
const diskOf = (name: string): JsonMap => ({ name, disk: { bus: 'virtio' } })

const specOf = (spec: JsonMap): JsonMap => ({ template: { spec } })
const base: JsonMap = {
  domain: {
    cpu: { sockets: 1, cores: 1 },
    memory: { guest: '1Gi' },
    devices: { disks: [diskOf('root')] },
  },
  volumes: [root],
}
const domain = base.domain as JsonMap

const object = (kind: string, spec: JsonMap): KubeObject => ({
  apiVersion: 'kubevirt.io/v1',
  kind,
  metadata: { name: 'vm1' },
  spec,
})

test.each([
  { because: 'nothing changed', now: base, needed: false },
  {
    because: 'sockets are hotplugged',
    now: { ...base, domain: { ...domain, cpu: { sockets: 2, cores: 1 } } },
    needed: false,
  },
  {
    because: 'cores cannot be hotplugged',
    now: { ...base, domain: { ...domain, cpu: { sockets: 1, cores: 2 } } },
    needed: true,
  },
  {
    because: 'memory is hotplugged',
    now: { ...base, domain: { ...domain, memory: { guest: '2Gi' } } },
    needed: false,
  },
  {
    because: 'a node selector applies to the next migration',
    now: { ...base, nodeSelector: { zone: 'a' } },
    needed: false,
  },
  {
    because: 'a hotpluggable volume is attached live',
    now: {
      ...base,
      domain: { ...domain, devices: { disks: [diskOf('root'), diskOf('d')] } },
      volumes: [root, plugged],
    },
    needed: false,
  },
  {
    because: 'a volume that is not hotpluggable was added',
    now: {
      ...base,
      domain: { ...domain, devices: { disks: [diskOf('root'), diskOf('d')] } },
      volumes: [root, fixed],
    },
    needed: true,
  },
  {
    because: 'the root disk was removed',
    now: { ...base, domain: { ...domain, devices: { disks: [] } }, volumes: [] },
    needed: true,
  },
  { because: 'the hostname is read at boot', now: { ...base, hostname: 'other' }, needed: true },
])(
  'a changed VM spec needs a restart only when it cannot be applied live: $because',
  ({ now, needed }) => {
    const vmi = object('VirtualMachineInstance', base)
    expect(needsRestart(specOf(base), object('VirtualMachine', specOf(now)), vmi)).toBe(needed)
  },
)
