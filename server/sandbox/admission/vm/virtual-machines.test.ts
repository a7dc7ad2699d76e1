import { describe, expect, test } from 'vitest'
import { registry } from '../../kinds/registry.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { ApiError } from '../../objects/status.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { admitVm, reviewVm } from './virtual-machines.ts'

const aVm = (spec: JsonMap, own: JsonMap = {}): KubeObject => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'vm1', namespace: 'ns1' },
  spec: {
    runStrategy: 'Halted',
    ...own,
    template: { spec: { ...spec, domain: { devices: {}, ...read.map(spec.domain) } } },
  },
})

interface Surroundings {
  old?: KubeObject
  existing?: readonly KubeObject[]
  warnings?: string[]
  subresource?: string
}

const request = (
  object: KubeObject,
  { old, existing = [], warnings = [], subresource }: Surroundings = {},
): WebhookRequest => ({
  resource: registry.named('virtualmachines.kubevirt.io'),
  object,
  old: old ?? null,
  user: { name: 'alice', groups: [] },
  dryRun: false,
  subresource,
  warn: (text) => void warnings.push(text),
  get: (kind, _namespace, name) =>
    existing.find(
      (each) => kind.startsWith(each.kind.toLowerCase()) && each.metadata.name === name,
    ),
  kindOf: () => null,
  list: (kind) => existing.filter((each) => kind.startsWith(each.kind.toLowerCase())),
})

const written = (object: KubeObject, around: Surroundings = {}): KubeObject => {
  const admitted = admitVm(request(object, around))
  reviewVm(request(admitted, around))
  return admitted
}

function refusal(object: KubeObject, around: Surroundings = {}): ApiError {
  try {
    written(object, around)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  return expect.unreachable('the webhook admitted the VM')
}

const fieldsOf = (error: ApiError): unknown[] =>
  read.maps(error.details?.causes).map(({ field }) => field)
const specOf = (vm: KubeObject): JsonMap => read.map(read.at(vm.spec, 'template', 'spec'))

const typed = (name: string, spec: JsonMap): KubeObject => ({
  apiVersion: 'instancetype.kubevirt.io/v1beta1',
  kind: 'VirtualMachineClusterInstancetype',
  metadata: { name },
  spec,
})

const preferring = (name: string, spec: JsonMap): KubeObject => ({
  ...typed(name, spec),
  kind: 'VirtualMachineClusterPreference',
})

describe('defaults of a VM', () => {
  test('a new VM gets a firmware UUID and a machine type, but no defaults of a VMI', () => {
    const spec = specOf(written(aVm({ domain: { memory: { guest: '1024Mi' } } })))
    expect(spec.architecture).toBe('amd64')
    expect(spec.domain).toMatchObject({
      machine: { type: 'q35' },
      memory: { guest: '1Gi' },
      resources: {},
    })
    expect(read.at(spec, 'domain', 'firmware', 'uuid')).toMatch(/^[\da-f-]{36}$/)
    expect(spec.networks).toBeUndefined()
    expect(read.at(spec, 'domain', 'cpu')).toBeUndefined()
  })

  test('an update does not set a firmware UUID', () => {
    const old = written(aVm({}))
    const spec = specOf(written(aVm({}), { old }))
    expect(read.at(spec, 'domain', 'firmware')).toBeUndefined()
  })

  test('the mutator ignores a write of the status', () => {
    const vm = aVm({ domain: { cpu: { sockets: -1 } } })
    expect(admitVm(request(vm, { subresource: 'status' }))).toBe(vm)
  })

  test('the field running works and adds a deprecation warning', () => {
    const warnings: string[] = []
    const { runStrategy: _strategy, ...spec } = read.spec(aVm({}, { running: true }))
    written({ ...aVm({}), spec }, { warnings })
    expect(warnings).toEqual(['spec.running is deprecated, please use spec.runStrategy instead.'])
  })
})

describe('decoding by the webhook', () => {
  test.each([
    [{ domain: { cpu: { sockets: -1 } } }, 400, 'a count cannot be negative'],
    [{ domain: { memory: { guest: 'lots' } } }, 400, 'the text is no quantity'],
    [{ dnsPolicy: 'Mine' }, 422, 'the webhook’s schema lists the policies'],
    [{ domain: { devices: { tpm: { persistent: 'yes' } } } }, 422, 'a string is no boolean'],
  ])('a VM with %j gets the status %i, because %s', (spec, status, _because) => {
    expect(refusal(aVm(spec))).toMatchObject({
      status,
      message: expect.stringContaining('"virtualmachines-mutator.kubevirt.io"'),
    })
  })

  test('the webhook refuses unknown metadata of a template, which the CRD allows', () => {
    const vm = aVm({})
    const template = { ...read.map(read.spec(vm).template), metadata: { foo: 'x' } }
    expect(refusal({ ...vm, spec: { ...read.spec(vm), template } }).message).toContain(
      'spec.template.metadata.foo in body is a forbidden property',
    )
  })

  test('a missing disk name decodes to an empty one, which the rules refuse', () => {
    const error = refusal(aVm({ domain: { devices: { disks: [{ disk: { bus: 'virtio' } }] } } }))
    expect(error.message).toContain("spec.template.spec.domain.devices.disks[0].Name '' not found.")
  })
})

const at = 'spec.template.spec'

describe('rules for a VM', () => {
  test.each<[because: string, spec: JsonMap, fields: string[]]>([
    ['a hostname is one label', { hostname: 'a.b' }, [`${at}.hostname`]],
    [
      'too many sockets are reported twice',
      { domain: { cpu: { sockets: 5, maxSockets: 4 } } },
      [`${at}.domain.cpu.sockets`, `${at}.domain.cpu.sockets`],
    ],
    [
      'an explicit maximum of memory must be possible',
      { domain: { memory: { guest: '512Mi', maxGuest: '2Gi' } } },
      [`${at}.domain.memory.guest`],
    ],
    [
      'secure boot needs SMM',
      { domain: { firmware: { bootloader: { efi: {} } } } },
      [`${at}.domain`],
    ],
    [
      'a disk and an interface cannot have the same boot order',
      {
        domain: {
          devices: {
            disks: [{ name: 'a', bootOrder: 1 }],
            interfaces: [{ name: 'n', bridge: {}, bootOrder: 1 }],
          },
        },
        networks: [{ name: 'n', pod: {} }],
        volumes: [{ name: 'a', containerDisk: { image: 'q' } }],
      },
      [`${at}.domain.devices.interfaces[0].bootOrder`],
    ],
    [
      'a volume without a disk becomes one, whose name must be a DNS label',
      { volumes: [{ name: 'My_Volume', containerDisk: { image: 'q' } }] },
      [`${at}.domain.devices.disks.domain.devices.disks[0].name`],
    ],
    [
      'masquerade works only on the pod network',
      {
        domain: { devices: { interfaces: [{ name: 'n', masquerade: {} }] } },
        networks: [{ name: 'n', multus: { networkName: 'x' } }],
      },
      [`${at}.domain.devices.interfaces[0].name`],
    ],
    [
      'a discontinued binding is reported at the path of the VMI',
      {
        domain: { devices: { interfaces: [{ name: 'n', slirp: {} }] } },
        networks: [{ name: 'n', pod: {} }],
      },
      ['spec.domain.devices.interfaces[0].slirp'],
    ],
    [
      'a probe over the network needs the pod network',
      {
        readinessProbe: { httpGet: { port: 80 } },
        domain: { devices: { autoattachPodInterface: false } },
      },
      [`${at}.readinessProbe.httpGet`],
    ],
    [
      'host devices need their feature gate',
      { domain: { devices: { hostDevices: [{ name: 'h', deviceName: 'd' }] } } },
      [`${at}.HostDevices`],
    ],
    [
      'dedicated CPUs need an amount of memory',
      { domain: { cpu: { cores: 1, dedicatedCpuPlacement: true } } },
      [`${at}.domain.resources.limits.memory`],
    ],
    [
      'affinity follows the rules of pods, at a path without the word affinity',
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] },
          },
        },
      },
      [`${at}.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`],
    ],
  ])('a VM is refused: %s', (_because, spec, fields) => {
    expect(fieldsOf(refusal(aVm(spec)))).toEqual(fields)
  })

  test('a denial lists ten causes and counts the rest', () => {
    const volumes = Array.from({ length: 13 }, (_each, index) => ({ name: `v${index}` }))
    const error = refusal(aVm({ volumes }))
    expect(fieldsOf(error)).toHaveLength(10)
    expect(error.message).toMatch(/, and 3 more validation errors$/)
  })

  test('an empty CD-ROM needs no volume, and cloud-init data is limited to 2048 bytes', () => {
    const ci = (userData: string): JsonMap => ({
      volumes: [{ name: 'ci', cloudInitNoCloud: { userData } }],
    })
    expect(() =>
      written(aVm({ domain: { devices: { disks: [{ name: 'cd', cdrom: {} }] } } })),
    ).not.toThrow()
    expect(() => written(aVm(ci('x'.repeat(2048))))).not.toThrow()
    expect(refusal(aVm(ci('x'.repeat(2049)))).message).toContain('userdata exceeds 2048 byte limit')
  })

  test('the KubeVirt object enables feature gates', () => {
    const featureGates = ['HostDevices']
    const kubeVirt = {
      ...typed('kubevirt', { configuration: { developerConfiguration: { featureGates } } }),
      kind: 'KubeVirt',
    }
    const vm = aVm({ domain: { devices: { hostDevices: [{ name: 'h', deviceName: 'd' }] } } })
    expect(() => written(vm, { existing: [kubeVirt] })).not.toThrow()
  })
})

describe('instance types and preferences', () => {
  const existing = [
    typed('u1', { cpu: { guest: 3 }, memory: { guest: '1Gi' } }),
    preferring('big', { requirements: { cpu: { guest: 4 } } }),
    preferring('spread', { cpu: { preferredCPUTopology: 'spread' } }),
    preferring('arm', { preferredArchitecture: 'arm64' }),
  ]
  const sized = (spec: JsonMap, preference?: string): KubeObject =>
    aVm(spec, {
      instancetype: { name: 'u1' },
      ...(preference === undefined ? {} : { preference: { name: preference } }),
    })

  test('a VM with an instance type is refused for CPU and memory of its own', () => {
    const spec = {
      domain: {
        cpu: { sockets: 1, cores: 1 },
        memory: { guest: '1Gi' },
        resources: { requests: { memory: '1Gi' } },
      },
    }
    expect(fieldsOf(refusal(sized(spec), { existing }))).toEqual([
      `${at}.domain.cpu.sockets`,
      `${at}.domain.cpu.cores`,
      `${at}.domain.memory.guest`,
    ])
  })

  test('a preference refuses too few CPUs and CPUs that it cannot spread', () => {
    expect(refusal(sized({}, 'big'), { existing }).message).toContain(
      'insufficient CPU resources of 3 vCPU provided by instance type, preference requires 4 vCPU',
    )
    expect(fieldsOf(refusal(sized({}, 'spread'), { existing }))).toEqual([
      'instancetype.spec.cpu.guest',
    ])
  })

  test('a VM may name a missing instance type, but a matcher must have a name', () => {
    expect(() => written(sized({}, 'nosuch'))).not.toThrow()
    expect(fieldsOf(refusal(aVm({}, { instancetype: {} })))).toEqual(['spec.instancetype'])
  })

  test('a VM takes the preferred architecture', () => {
    const vm = written(aVm({}, { preference: { name: 'arm' } }), { existing })
    expect(specOf(vm)).toMatchObject({
      architecture: 'arm64',
      domain: { machine: { type: 'virt' } },
    })
  })

  test('a VM takes the instance type from the labels of a volume', () => {
    const claim = { ...typed('data', {}), kind: 'PersistentVolumeClaim' }
    claim.metadata = {
      ...claim.metadata,
      labels: { 'instancetype.kubevirt.io/default-instancetype': 'u1' },
    }
    const volumes = [{ name: 'root', persistentVolumeClaim: { claimName: 'data' } }]
    const vm = (policy?: string): KubeObject =>
      aVm(
        { volumes },
        {
          instancetype: {
            inferFromVolume: 'root',
            ...(policy === undefined ? {} : { inferFromVolumeFailurePolicy: policy }),
          },
        },
      )
    expect(read.spec(written(vm(), { existing: [...existing, claim] })).instancetype).toEqual({
      name: 'u1',
    })
    const silent = { ...claim, metadata: { name: 'data' } }
    expect(refusal(vm(), { existing: [silent] }).status).toBe(400)
    expect(read.spec(written(vm('Ignore'), { existing: [silent] })).instancetype).toBeUndefined()
  })
})

describe('a VM with a snapshot or restore in progress', () => {
  const old = { ...aVm({}), status: { snapshotInProgress: 's', restoreInProgress: 'r' } }

  test('a VM refuses a change of its power until its snapshot completes', () => {
    const next = { ...old, spec: { ...read.spec(old), runStrategy: 'Always' } }
    expect(refusal(next, { old }).message).toContain(
      'Cannot update vm running state until snapshot "s" completes',
    )
  })

  test('a VM refuses a change of its power until its restore completes', () => {
    const { snapshotInProgress: _snapshot, ...status } = old.status
    const next = { ...old, status, spec: { ...read.spec(old), runStrategy: 'Always' } }
    expect(refusal(next, { old: { ...old, status } }).message).toContain(
      'Cannot update VM runStrategy until restore "r" completes',
    )
  })
})
