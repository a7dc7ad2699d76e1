import { describe, expect, test } from 'vitest'
import { registry } from '../../kinds/registry.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { admitVmi, reviewVmi } from './virtual-machine-instances.ts'

const instance = (spec: JsonMap): KubeObject => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'vmi1', namespace: 'ns1' },
  spec: { ...spec, domain: { memory: { guest: '1Gi' }, devices: {}, ...read.map(spec.domain) } },
})

const request = (
  object: KubeObject,
  old: KubeObject | null = null,
  user = 'alice',
): WebhookRequest => ({
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
  const object = admitVmi(request(instance(spec)))
  reviewVmi(request(object))
  return object
}

const domainOf = (vmi: KubeObject): JsonMap => read.map(read.spec(vmi).domain)

describe('a new VMI', () => {
  test('a new VMI gets its defaults', () => {
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
    ['512 MiB are too little for hotplug', { memory: { guest: '512Mi' } }, { guest: '512Mi' }],
    ['1025 MiB are not aligned for hotplug', { memory: { guest: '1025Mi' } }, { guest: '1025Mi' }],
    [
      'a memory request is the default of guest memory',
      { memory: {}, resources: { requests: { memory: '2Gi' } } },
      { guest: '2Gi', maxGuest: '8Gi' },
    ],
  ])('a new VMI has guest memory and its limit: %s', (_because, domain, memory) => {
    expect(domainOf(made({ domain })).memory).toEqual(memory)
  })

  test('the default socket limit allows at most 512 vCPUs', () => {
    expect(
      read.at(
        domainOf(made({ domain: { cpu: { sockets: 100, cores: 2, threads: 1 } } })),
        'cpu',
        'maxSockets',
      ),
    ).toBe(256)
  })

  test('an enlightenment enables its requirements unless the spec disables them', () => {
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
  ])('a VMI with the spec %j is refused', (spec, message) => {
    expect(() => made(spec)).toThrow(message)
  })
})

describe('an existing VMI', () => {
  const old = made({})

  test('the spec of a VMI is writable only for KubeVirt', () => {
    const next = { ...old, spec: { ...read.spec(old), hostname: 'other' } }
    expect(() => reviewVmi(request(next, old))).toThrow('update of VMI object is restricted')
    expect(() =>
      reviewVmi(request(next, old, 'system:serviceaccount:kubevirt:virt-controller')),
    ).not.toThrow()
  })

  test('a VMI keeps its status and reserved labels when a user writes them', () => {
    const next = { ...old, status: { phase: 'Failed' } }
    expect(admitVmi(request(next, old)).status).toEqual(old.status)
    const labelled = {
      ...old,
      metadata: { ...old.metadata, labels: { 'kubevirt.io/nodeName': 'node-7' } },
    }
    expect(() => reviewVmi(request(labelled, old))).toThrow(
      'modification of the following reserved kubevirt.io/ labels',
    )
  })
})
