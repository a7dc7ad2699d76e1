import { describe, expect, test } from 'vitest'
import { registry } from '../../kinds/registry.ts'
import { type Admittance } from '../../objects/resource.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { admitInstance, reviewInstance } from './instances.ts'

const instance = (spec: JsonMap): KubeObject => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'vmi1', namespace: 'ns1' },
  spec: { ...spec, domain: { memory: { guest: '1Gi' }, devices: {}, ...read.map(spec.domain) } },
})

const asked = (
  object: KubeObject,
  old: KubeObject | null = null,
  user = 'anybody',
): Admittance => ({
  resource: registry.named('virtualmachineinstances.kubevirt.io'),
  object,
  old,
  user: { name: user, groups: [] },
  dryRun: false,
  warn: () => undefined,
  kindOf: () => null,
  get: () => undefined,
  list: () => [],
})

const made = (spec: JsonMap): KubeObject => {
  const object = admitInstance(asked(instance(spec)))
  reviewInstance(asked(object))
  return object
}

const domainOf = (vmi: KubeObject): JsonMap => read.map(read.spec(vmi).domain)

describe('a new instance', () => {
  test('is filled with everything that nobody asked for', () => {
    const vmi = made({ volumes: [{ name: 'root', containerDisk: { image: 'q:42' } }] })
    expect(read.spec(vmi)).toMatchObject({
      evictionStrategy: 'None',
      networks: [{ name: 'default', pod: {} }],
      volumes: [{ containerDisk: { imagePullPolicy: 'IfNotPresent' } }],
    })
    expect(domainOf(vmi)).toMatchObject({
      cpu: { sockets: 1, cores: 1, threads: 1, maxSockets: 4, model: 'host-model' },
      memory: { guest: '1Gi', maxGuest: '4Gi' },
      features: { acpi: { enabled: true } },
      devices: {
        disks: [{ name: 'root', disk: { bus: 'sata' } }],
        interfaces: [{ name: 'default', bridge: {} }],
      },
    })
    expect(vmi.status).toMatchObject({
      phase: 'Pending',
      runtimeUser: 107,
      memory: { guestAtBoot: '1Gi' },
    })
    expect(vmi.metadata.finalizers).toEqual(['kubevirt.io/foregroundDeleteVirtualMachine'])
  })

  test.each<[because: string, domain: JsonMap, memory: JsonMap]>([
    ['little memory cannot grow', { memory: { guest: '512Mi' } }, { guest: '512Mi' }],
    ['nor can what is not aligned', { memory: { guest: '1025Mi' } }, { guest: '1025Mi' }],
    [
      'a request is the guest’s memory, too',
      { memory: {}, resources: { requests: { memory: '2Gi' } } },
      { guest: '2Gi', maxGuest: '8Gi' },
    ],
  ])('%s', (_because, domain, memory) => {
    expect(domainOf(made({ domain })).memory).toEqual(memory)
  })

  test('many CPUs grow to 512 and no further', () => {
    expect(
      read.at(
        domainOf(made({ domain: { cpu: { sockets: 100, cores: 2, threads: 1 } } })),
        'cpu',
        'maxSockets',
      ),
    ).toBe(256)
  })

  test('an enlightenment brings along what it needs, unless that was turned off', () => {
    const needed = made({ domain: { features: { hyperv: { synictimer: {}, evmcs: {} } } } })
    const features = {
      synic: { enabled: true },
      vpindex: { enabled: true },
      vapic: { enabled: true },
    }
    expect(read.at(domainOf(needed), 'features', 'hyperv')).toMatchObject(features)
    expect(read.at(domainOf(needed), 'cpu', 'features')).toEqual([
      { name: 'vmx', policy: 'require' },
    ])
    expect(() =>
      made({ domain: { features: { hyperv: { ipi: {}, vpindex: { enabled: false } } } } }),
    ).toThrow('which was disabled.')
  })

  test.each([
    [{ domain: { memory: {} } }, 'no memory requested, at least one of'],
    [{ architecture: 'riscv' }, 'unsupported architecture: riscv'],
    [
      { domain: { devices: { video: { type: 'cga' } } } },
      "video model 'cga' is not supported on amd64 architecture",
    ],
  ])('%j is refused', (spec, message) => {
    expect(() => made(spec)).toThrow(message)
  })
})

describe('an instance that is there', () => {
  const old = made({})

  test('is changed by KubeVirt only', () => {
    const next = { ...old, spec: { ...read.spec(old), hostname: 'other' } }
    expect(() => reviewInstance(asked(next, old))).toThrow('update of VMI object is restricted')
    expect(() =>
      reviewInstance(asked(next, old, 'system:serviceaccount:kubevirt:virt-controller')),
    ).not.toThrow()
  })

  test('keeps its status and its reserved labels, whoever writes them', () => {
    const next = { ...old, status: { phase: 'Failed' } }
    expect(admitInstance(asked(next, old)).status).toEqual(old.status)
    const labelled = {
      ...old,
      metadata: { ...old.metadata, labels: { 'kubevirt.io/nodeName': 'node-7' } },
    }
    expect(() => reviewInstance(asked(labelled, old))).toThrow(
      'modification of the following reserved kubevirt.io/ labels',
    )
  })
})
