import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { filled } from '../../objects/read.ts'

const apiVersion = 'instancetype.kubevirt.io/v1beta1'
const label = (name: string): string => `instancetype.kubevirt.io/${name}`
const common = {
  'app.kubernetes.io/component': 'kubevirt',
  'app.kubernetes.io/managed-by': 'virt-operator',
  [label('vendor')]: 'kubevirt.io',
  [label('common-instancetypes-version')]: 'v1.7.0',
}

/**
 * Creates some of the instance types and preferences that virt-operator installs, for VMs that name
 * them. Berth itself uses none.
 */
export function seedInstancetypes(client: Client): void {
  for (const object of [...sizes.flatMap(typesOf), ...preferences]) {
    const resource = `${object.kind.toLowerCase()}s.instancetype.kubevirt.io`
    if (!client.get(resource, undefined, object.metadata.name)) client.create(resource, object)
  }
}

type Size = readonly [name: string, vcpus: number, memory: string]

const sizes: readonly Size[] = [
  ['nano', 1, '512Mi'],
  ['micro', 1, '1Gi'],
  ['small', 1, '2Gi'],
  ['medium', 1, '4Gi'],
  ['2xmedium', 2, '4Gi'],
  ['large', 2, '8Gi'],
  ['xlarge', 4, '16Gi'],
  ['2xlarge', 8, '32Gi'],
  ['4xlarge', 16, '64Gi'],
  ['8xlarge', 32, '128Gi'],
]

/**
 * The series: universal; overcommitted, whose pods request half of the memory; dedicated CPUs.
 */
const series = {
  u1: { cpu: {}, memory: {}, class: 'general.purpose' },
  o1: { cpu: {}, memory: { overcommitPercent: 50 }, class: 'overcommitted' },
  d1: {
    cpu: { dedicatedCPUPlacement: true, isolateEmulatorThread: true },
    memory: {},
    class: 'dedicated',
  },
}

const typesOf = ([size, vcpus, memory]: Size): KubeObject[] =>
  Object.entries(series).map(([name, each]) => ({
    apiVersion,
    kind: 'VirtualMachineClusterInstancetype',
    metadata: {
      name: `${name}.${size}`,
      labels: {
        ...common,
        [label('class')]: each.class,
        [label('cpu')]: String(vcpus),
        [label('memory')]: memory,
        [label('size')]: size,
        [label('version')]: '1',
      },
    },
    spec: { cpu: { guest: vcpus, ...each.cpu }, memory: { guest: memory, ...each.memory } },
  }))

interface PreferenceRow {
  os: 'linux' | 'windows'
  vcpus: number
  memory: string
  architecture?: string
  spec: JsonMap
}

const virtio: JsonMap = {
  preferredDiskBus: 'virtio',
  preferredInterfaceModel: 'virtio',
  preferredRng: {},
}
const secureBoot: JsonMap = {
  features: { preferredSmm: {} },
  firmware: { preferredEfi: { secureBoot: true } },
}
const insecureBoot: JsonMap = { firmware: { preferredEfi: { secureBoot: false } } }
const linux = (memory: string, spec: JsonMap = {}): PreferenceRow => ({
  os: 'linux',
  vcpus: 1,
  memory,
  spec: { devices: virtio, ...spec },
})

const enlightenments: JsonMap = {
  frequencies: {},
  ipi: {},
  reenlightenment: {},
  relaxed: {},
  reset: {},
  runtime: {},
  spinlocks: { spinlocks: 8191 },
  synic: {},
  synictimer: { direct: {} },
  tlbflush: {},
  vapic: {},
  vpindex: {},
}

const emulated: JsonMap = { preferredDiskBus: 'sata', preferredInterfaceModel: 'e1000e' }
const paravirtual: JsonMap = {
  preferredDiskBus: 'virtio',
  preferredInputBus: 'virtio',
  preferredInputType: 'tablet',
  preferredInterfaceModel: 'virtio',
  preferredVideoType: 'virtio',
}

const windows = (
  vcpus: number,
  memory: string,
  { hasTpm, devices }: { hasTpm: boolean; devices: JsonMap },
): PreferenceRow => ({
  os: 'windows',
  vcpus,
  memory,
  spec: {
    clock: {
      preferredClockOffset: { utc: {} },
      preferredTimer: {
        hpet: { present: false },
        hyperv: {},
        pit: { tickPolicy: 'delay' },
        rtc: { tickPolicy: 'catchup' },
      },
    },
    cpu: { preferredCPUTopology: 'sockets' },
    devices: {
      preferredAutoattachInputDevice: true,
      ...devices,
      ...(hasTpm ? { preferredTPM: { persistent: true } } : {}),
    },
    features: {
      preferredAcpi: {},
      preferredApic: {},
      preferredHyperv: enlightenments,
      preferredSmm: {},
    },
    firmware: { preferredEfi: { ...(hasTpm ? { persistent: true } : {}), secureBoot: true } },
    preferredTerminationGracePeriodSeconds: 3600,
  },
})

const preferenceRows: Readonly<Record<string, PreferenceRow>> = {
  alpine: linux('512Mi'),
  'centos.stream9': linux('1536Mi', {
    devices: { ...virtio, preferredDiskDedicatedIoThread: true },
  }),
  cirros: linux('256Mi'),
  debian: linux('512Mi', insecureBoot),
  fedora: { ...linux('2Gi', secureBoot), architecture: 'amd64' },
  'opensuse.leap': linux('2Gi'),
  'rhel.9': {
    ...linux('1536Mi', {
      ...secureBoot,
      devices: { ...virtio, preferredDiskDedicatedIoThread: true },
    }),
    architecture: 'amd64',
  },
  sles: linux('2Gi'),
  ubuntu: linux('2Gi'),
  'windows.10': windows(1, '2Gi', { hasTpm: false, devices: emulated }),
  'windows.11': windows(2, '4Gi', { hasTpm: true, devices: emulated }),
  'windows.11.virtio': windows(2, '4Gi', { hasTpm: true, devices: paravirtual }),
  'windows.2k22': windows(1, '2Gi', { hasTpm: true, devices: emulated }),
  'windows.2k25': windows(1, '2Gi', { hasTpm: true, devices: emulated }),
}

const preferencesWithoutRequirements: Readonly<Record<string, JsonMap>> = {
  linux: { devices: virtio },
  'linux.efi': { devices: virtio, ...insecureBoot },
}

const preferenceOf = (
  name: string,
  os: string,
  { labels, spec }: { labels: Record<string, string>; spec: JsonMap },
): KubeObject => ({
  apiVersion,
  kind: 'VirtualMachineClusterPreference',
  metadata: {
    name,
    annotations: annotationsOf(name),
    labels: { ...common, [label('os-type')]: os, ...labels },
  },
  spec: { annotations: { 'vm.kubevirt.io/os': os }, ...spec },
})

const architectureLabels = (architecture: string): Record<string, string> => ({
  [label('arch')]: architecture,
  [label('preferred-architecture')]: architecture,
  [label('required-architecture')]: architecture,
})

const project = 'https://github.com/kubevirt/common-instancetypes'
const virtOperatorAnnotations = {
  'kubevirt.io/generation': '3',
  'kubevirt.io/install-strategy-identifier': 'e7c580c5d27f7e4f5a19973a8f8124be8a43cb65',
  'kubevirt.io/install-strategy-registry': 'quay.io/kubevirt',
  'kubevirt.io/install-strategy-version': 'v1.9.0-rc.2',
}

function annotationsOf(name: string): Record<string, string> {
  const [family = name] = name.split('.')
  const title = `${family.charAt(0).toUpperCase()}${family.slice(1)}`
  // The quotes and line breaks in the URLs are those of common-instancetypes.
  const openshift = {
    'display-name': `${title}${preferenceRows[name]?.architecture === undefined ? '' : ' (amd64)'}`,
    'documentation-url': `"${project}"\n`,
    'provider-display-name': 'KubeVirt',
    'support-url': `"${project}/issues"\n`,
  }
  const prefixed = Object.entries(openshift).map(([key, value]): [string, string] => [
    `openshift.io/${key}`,
    value,
  ])
  return {
    ...virtOperatorAnnotations,
    ...Object.fromEntries(prefixed),
    iconClass: `icon-${family}`,
    tags: `hidden,kubevirt,${family}`,
  }
}

const preferences: readonly KubeObject[] = [
  ...Object.entries(preferencesWithoutRequirements).map(([name, spec]) =>
    preferenceOf(name, 'linux', { labels: {}, spec }),
  ),
  ...Object.entries(preferenceRows).map(([name, { os, vcpus, memory, architecture, spec }]) =>
    preferenceOf(name, os, {
      labels: {
        [label('required-cpu')]: String(vcpus),
        [label('required-memory')]: memory,
        ...(architecture === undefined ? {} : architectureLabels(architecture)),
      },
      spec: {
        ...spec,
        ...filled({ preferredArchitecture: architecture }),
        requirements: filled({ architecture, cpu: { guest: vcpus }, memory: { guest: memory } }),
      },
    }),
  ),
]
