import { describe, expect, test } from 'vitest'
import { registry } from '../../kinds/registry.ts'
import { type Admittance } from '../../objects/resource.ts'
import { ApiError } from '../../objects/status.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { admitMachine, reviewMachine } from './machines.ts'

const machine = (spec: JsonMap, own: JsonMap = {}): KubeObject => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'vm1', namespace: 'ns1' },
  spec: {
    runStrategy: 'Halted',
    ...own,
    template: { spec: { ...spec, domain: { devices: {}, ...read.map(spec.domain) } } },
  },
})

interface Around {
  old?: KubeObject
  there?: readonly KubeObject[]
  warnings?: string[]
  subresource?: string
}

const asked = (
  object: KubeObject,
  { old, there = [], warnings = [], subresource }: Around = {},
): Admittance => ({
  resource: registry.named('virtualmachines.kubevirt.io'),
  object,
  old: old ?? null,
  user: { name: 'anybody', groups: [] },
  dryRun: false,
  subresource,
  warn: (text) => void warnings.push(text),
  get: (kind, _namespace, name) =>
    there.find((each) => kind.startsWith(each.kind.toLowerCase()) && each.metadata.name === name),
  kindOf: () => null,
  list: (kind) => there.filter((each) => kind.startsWith(each.kind.toLowerCase())),
})

const written = (object: KubeObject, around: Around = {}): KubeObject => {
  const admitted = admitMachine(asked(object, around))
  reviewMachine(asked(admitted, around))
  return admitted
}

function refusal(object: KubeObject, around: Around = {}): ApiError {
  try {
    written(object, around)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  return expect.unreachable('it was let in')
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

describe('what a VM becomes', () => {
  test('it gets an identity and a machine, and nothing that is its instance’s', () => {
    const spec = specOf(written(machine({ domain: { memory: { guest: '1024Mi' } } })))
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

  test('an update leaves the identity to whoever has it', () => {
    const old = written(machine({}))
    const spec = specOf(written(machine({}), { old }))
    expect(read.at(spec, 'domain', 'firmware')).toBeUndefined()
  })

  test('a written status is none of the mutator’s business', () => {
    const vm = machine({ domain: { cpu: { sockets: -1 } } })
    expect(admitMachine(asked(vm, { subresource: 'status' }))).toBe(vm)
  })

  test('running still works, with a warning', () => {
    const warnings: string[] = []
    const { runStrategy: _strategy, ...spec } = read.spec(machine({}, { running: true }))
    written({ ...machine({}), spec }, { warnings })
    expect(warnings).toEqual(['spec.running is deprecated, please use spec.runStrategy instead.'])
  })
})

describe('what is not even decoded', () => {
  test.each([
    [{ domain: { cpu: { sockets: -1 } } }, 400, 'a count cannot be negative'],
    [{ domain: { memory: { guest: 'lots' } } }, 400, 'it is no quantity'],
    [{ dnsPolicy: 'Mine' }, 422, 'the webhook’s schema knows the policies'],
    [{ domain: { devices: { tpm: { persistent: 'yes' } } } }, 422, 'a text is no flag'],
  ])('%j is answered %i, because %s', (spec, status, _because) => {
    expect(refusal(machine(spec))).toMatchObject({
      status,
      message: expect.stringContaining('"virtualmachines-mutator.kubevirt.io"'),
    })
  })

  test('metadata of a template is closed, though its schema is open', () => {
    const vm = machine({})
    const template = { ...read.map(read.spec(vm).template), metadata: { foo: 'x' } }
    expect(refusal({ ...vm, spec: { ...read.spec(vm), template } }).message).toContain(
      'spec.template.metadata.foo in body is a forbidden property',
    )
  })

  test('a name that is missing is an empty one, and refused by the rules', () => {
    const error = refusal(
      machine({ domain: { devices: { disks: [{ disk: { bus: 'virtio' } }] } } }),
    )
    expect(error.message).toContain("spec.template.spec.domain.devices.disks[0].Name '' not found.")
  })
})

const at = 'spec.template.spec'

describe('the rules', () => {
  test.each<[because: string, spec: JsonMap, fields: string[]]>([
    ['a hostname is one label', { hostname: 'a.b' }, [`${at}.hostname`]],
    [
      'sockets are asked for twice',
      { domain: { cpu: { sockets: 5, maxSockets: 4 } } },
      [`${at}.domain.cpu.sockets`, `${at}.domain.cpu.sockets`],
    ],
    [
      'a limit of memory that is named must be possible',
      { domain: { memory: { guest: '512Mi', maxGuest: '2Gi' } } },
      [`${at}.domain.memory.guest`],
    ],
    [
      'secure boot needs SMM',
      { domain: { firmware: { bootloader: { efi: {} } } } },
      [`${at}.domain`],
    ],
    [
      'boot orders are shared by disks and cards',
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
      'a volume that is mapped to nothing becomes a disk, whose name must be one for a container',
      { volumes: [{ name: 'My_Volume', containerDisk: { image: 'q' } }] },
      [`${at}.domain.devices.disks.domain.devices.disks[0].name`],
    ],
    [
      'masquerading is for the pod network',
      {
        domain: { devices: { interfaces: [{ name: 'n', masquerade: {} }] } },
        networks: [{ name: 'n', multus: { networkName: 'x' } }],
      },
      [`${at}.domain.devices.interfaces[0].name`],
    ],
    [
      'a discontinued binding is told at the instance’s path',
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
      'a closed gate closes its devices',
      { domain: { devices: { hostDevices: [{ name: 'h', deviceName: 'd' }] } } },
      [`${at}.HostDevices`],
    ],
    [
      'own CPUs need a known amount of memory',
      { domain: { cpu: { cores: 1, dedicatedCpuPlacement: true } } },
      [`${at}.domain.resources.limits.memory`],
    ],
    [
      'affinity follows the rules of pods, without its own name in the path',
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] },
          },
        },
      },
      [`${at}.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`],
    ],
  ])('%s', (_because, spec, fields) => {
    expect(fieldsOf(refusal(machine(spec)))).toEqual(fields)
  })

  test('of more than ten mistakes the rest is counted', () => {
    const volumes = Array.from({ length: 13 }, (_each, index) => ({ name: `v${index}` }))
    const error = refusal(machine({ volumes }))
    expect(fieldsOf(error)).toHaveLength(10)
    expect(error.message).toMatch(/, and 3 more validation errors$/)
  })

  test('an empty drive needs no volume, and cloud-init takes two kilobytes', () => {
    const ci = (userData: string): JsonMap => ({
      volumes: [{ name: 'ci', cloudInitNoCloud: { userData } }],
    })
    expect(() =>
      written(machine({ domain: { devices: { disks: [{ name: 'cd', cdrom: {} }] } } })),
    ).not.toThrow()
    expect(() => written(machine(ci('x'.repeat(2048))))).not.toThrow()
    expect(refusal(machine(ci('x'.repeat(2049)))).message).toContain(
      'userdata exceeds 2048 byte limit',
    )
  })

  test('the KubeVirt object opens gates', () => {
    const featureGates = ['HostDevices']
    const kubeVirt = {
      ...typed('kubevirt', { configuration: { developerConfiguration: { featureGates } } }),
      kind: 'KubeVirt',
    }
    const vm = machine({ domain: { devices: { hostDevices: [{ name: 'h', deviceName: 'd' }] } } })
    expect(() => written(vm, { there: [kubeVirt] })).not.toThrow()
  })
})

describe('instance types and preferences', () => {
  const there = [
    typed('u1', { cpu: { guest: 3 }, memory: { guest: '1Gi' } }),
    preferring('big', { requirements: { cpu: { guest: 4 } } }),
    preferring('spread', { cpu: { preferredCPUTopology: 'spread' } }),
    preferring('arm', { preferredArchitecture: 'arm64' }),
  ]
  const sized = (spec: JsonMap, preference?: string): KubeObject =>
    machine(spec, {
      instancetype: { name: 'u1' },
      ...(preference === undefined ? {} : { preference: { name: preference } }),
    })

  test('a VM has no sizes beside its instance type; of its CPUs all are told, of its memory the first', () => {
    const spec = {
      domain: {
        cpu: { sockets: 1, cores: 1 },
        memory: { guest: '1Gi' },
        resources: { requests: { memory: '1Gi' } },
      },
    }
    expect(fieldsOf(refusal(sized(spec), { there }))).toEqual([
      `${at}.domain.cpu.sockets`,
      `${at}.domain.cpu.cores`,
      `${at}.domain.memory.guest`,
    ])
  })

  test('a preference demands, and CPUs that do not divide cannot be spread', () => {
    expect(refusal(sized({}, 'big'), { there }).message).toContain(
      'insufficient CPU resources of 3 vCPU provided by instance type, preference requires 4 vCPU',
    )
    expect(fieldsOf(refusal(sized({}, 'spread'), { there }))).toEqual([
      'instancetype.spec.cpu.guest',
    ])
  })

  test('what is not there is not refused, but a matcher must name something', () => {
    expect(() => written(sized({}, 'nosuch'))).not.toThrow()
    expect(fieldsOf(refusal(machine({}, { instancetype: {} })))).toEqual(['spec.instancetype'])
  })

  test('the preferred architecture is written into the VM', () => {
    const vm = written(machine({}, { preference: { name: 'arm' } }), { there })
    expect(specOf(vm)).toMatchObject({
      architecture: 'arm64',
      domain: { machine: { type: 'virt' } },
    })
  })

  test('a volume tells by its labels what it is made for', () => {
    const claim = { ...typed('data', {}), kind: 'PersistentVolumeClaim' }
    claim.metadata = {
      ...claim.metadata,
      labels: { 'instancetype.kubevirt.io/default-instancetype': 'u1' },
    }
    const volumes = [{ name: 'root', persistentVolumeClaim: { claimName: 'data' } }]
    const vm = (policy?: string): KubeObject =>
      machine(
        { volumes },
        {
          instancetype: {
            inferFromVolume: 'root',
            ...(policy === undefined ? {} : { inferFromVolumeFailurePolicy: policy }),
          },
        },
      )
    expect(read.spec(written(vm(), { there: [...there, claim] })).instancetype).toEqual({
      name: 'u1',
    })
    const silent = { ...claim, metadata: { name: 'data' } }
    expect(refusal(vm(), { there: [silent] }).status).toBe(400)
    expect(read.spec(written(vm('Ignore'), { there: [silent] })).instancetype).toBeUndefined()
  })
})

describe('while a VM is copied', () => {
  const old = { ...machine({}), status: { snapshotInProgress: 's', restoreInProgress: 'r' } }

  test('its power stays as it is until the snapshot is done', () => {
    const next = { ...old, spec: { ...read.spec(old), runStrategy: 'Always' } }
    expect(refusal(next, { old }).message).toContain(
      'Cannot update vm running state until snapshot "s" completes',
    )
  })

  test('its power stays as it is until the restore is done', () => {
    const { snapshotInProgress: _snapshot, ...status } = old.status
    const next = { ...old, status, spec: { ...read.spec(old), runStrategy: 'Always' } }
    expect(refusal(next, { old: { ...old, status } }).message).toContain(
      'Cannot update VM runStrategy until restore "r" completes',
    )
  })
})
