import { expect, test } from 'vitest'
import { type JsonMap } from '../objects/types.ts'
import { type Matched, applyMatched } from './apply.ts'

const applied = (
  spec: JsonMap,
  matched: Partial<Matched>,
): { spec: JsonMap; metadata: JsonMap; conflicts: string[] } => {
  const template = { spec: structuredClone(spec), metadata: {} }
  const conflicts = applyMatched(template, { instancetype: null, preference: null, ...matched })
  return { ...template, conflicts }
}

const sized = (vcpus: number): JsonMap => ({ cpu: { guest: vcpus }, memory: { guest: '4Gi' } })

test.each<[vcpus: number, cpu: JsonMap, layout: JsonMap, because: string]>([
  [4, {}, { sockets: 4, cores: 1, threads: 1 }, 'sockets can be hotplugged'],
  [
    4,
    { preferredCPUTopology: 'preferCores' },
    { sockets: 1, cores: 4, threads: 1 },
    'older names have the same meaning',
  ],
  [
    4,
    { preferredCPUTopology: 'any' },
    { sockets: 4, cores: 1, threads: 1 },
    'any topology means sockets',
  ],
  [
    8,
    { preferredCPUTopology: 'spread' },
    { sockets: 4, cores: 2, threads: 1 },
    'two cores per socket are the default',
  ],
  [
    8,
    { preferredCPUTopology: 'spread', spreadOptions: { across: 'SocketsCoresThreads', ratio: 2 } },
    { sockets: 2, cores: 2, threads: 2 },
    'threads come in pairs',
  ],
  [
    1,
    { preferredCPUTopology: 'threads' },
    { sockets: 1, cores: 1, threads: 1 },
    'a single CPU has one layout',
  ],
])('%i CPUs with %j are laid out as %j, because %s', (vcpus, cpu, layout) => {
  const { spec } = applied(
    { domain: { devices: {} } },
    { instancetype: sized(vcpus), preference: { cpu } },
  )
  expect(spec).toMatchObject({ domain: { cpu: layout, memory: { guest: '4Gi' } } })
})

test('a preference fills only unset fields', () => {
  const preference = {
    devices: {
      preferredDiskBus: 'virtio',
      preferredCdromBus: 'scsi',
      preferredInterfaceModel: 'virtio',
      preferredInterfaceMasquerade: {},
    },
    firmware: { preferredEfi: { secureBoot: true } },
    annotations: { os: 'linux' },
  }
  const devices = {
    disks: [{ name: 'a', disk: { bus: 'sata' } }, { name: 'b' }, { name: 'c', cdrom: {} }],
    interfaces: [{ name: 'n' }, { name: 'm', model: 'e1000', bridge: {} }],
  }
  const networks = [{ name: 'n', pod: {} }]
  const { spec, metadata } = applied(
    { domain: { devices, firmware: { bootloader: { bios: {} } } }, networks },
    { preference },
  )
  expect(spec).toEqual({
    networks,
    domain: {
      devices: {
        disks: [
          { name: 'a', disk: { bus: 'sata' } },
          { name: 'b', disk: { bus: 'virtio' } },
          { name: 'c', cdrom: { bus: 'scsi' } },
        ],
        interfaces: [
          { name: 'n', model: 'virtio', masquerade: {} },
          { name: 'm', model: 'e1000', bridge: {} },
        ],
      },
      firmware: { bootloader: { bios: {} } },
    },
  })
  expect(metadata).toEqual({ annotations: { os: 'linux' } })
})

test('the guest gets overcommitted memory that the node does not reserve', () => {
  const instancetype = { cpu: { guest: 1 }, memory: { guest: '4Gi', overcommitPercent: 50 } }
  const { spec } = applied({ domain: { devices: {} } }, { instancetype })
  expect(spec).toMatchObject({
    domain: { memory: { guest: '4Gi' }, resources: { requests: { memory: '2Gi' } } },
  })
})

test('an instance type changes nothing when the VM sets a size of its own', () => {
  const { spec, conflicts } = applied(
    { domain: { devices: {}, cpu: { threads: 2 } } },
    { instancetype: sized(2) },
  )
  expect(conflicts).toEqual(['domain.cpu.threads'])
  expect(spec).toEqual({ domain: { devices: {}, cpu: { threads: 2 } } })
})
