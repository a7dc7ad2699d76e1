import { afterEach, describe, expect, test } from 'vitest'
import { mapDrivers } from '../../../server/src/domain/network/driver.ts'
import { type Capabilities } from '../../../server/src/cluster/capabilities/capabilities.ts'
import { followCapabilities } from '../../../server/src/cluster/capabilities/follow-capabilities.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { gatewayTo } from '../../support/cluster/gateway.ts'
import { type Json } from '../../support/json.ts'
import { answerJson, secureServer } from '../../support/cluster/scripted-server.ts'
import { waitFor } from '../../support/wait-for.ts'

/*
 * The capabilities that Berth reads from clusters as they exist in the field. Each case is a table
 * of answers on an HTTPS server.
 */
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type Answers = Record<string, Json>

const list = (...items: object[]) => ({ metadata: { resourceVersion: '1' }, items })
const named = (name: string, more: object, annotations: Record<string, string> = {}) => ({
  metadata: { name, uid: `uid-${name}`, resourceVersion: '1', annotations },
  ...more,
})
const groups = (...versions: string[]) => ({
  groups: versions.map((groupVersion) => ({ versions: [{ groupVersion }] })),
})

const everything = [
  'kubevirt.io/v1',
  'snapshot.kubevirt.io/v1beta1',
  'clone.kubevirt.io/v1beta1',
  'cdi.kubevirt.io/v1beta1',
  'snapshot.storage.k8s.io/v1',
  'k8s.cni.cncf.io/v1',
  'k8s.cni.cncf.io/v1beta1',
  'k8s.ovn.org/v1',
  'kubeovn.io/v1',
  'nmstate.io/v1',
]
const liveMigration = { workloadUpdateMethods: ['LiveMigrate'] }
const kubevirt = (version: string, developerConfiguration: object = {}, phase = 'Deployed') =>
  list(
    named('kubevirt', {
      spec: { configuration: { developerConfiguration }, workloadUpdateStrategy: liveMigration },
      status: { observedKubeVirtVersion: version, phase },
    }),
  )

const policies = list(
  named('berth-foreign-attachments', {}),
  named('berth-unknown-attachments', {}),
)

/** A cluster that serves everything. Each test removes or changes one part of it. */
const complete: Answers = {
  '/version': { gitVersion: 'v1.36.2' },
  '/api/v1/nodes': list(named('node-0', {}), named('node-1', {})),
  '/apis': groups(...everything),
  '/apis/subresources.kubevirt.io/v1/version': { gitVersion: 'v1.9.0' },
  '/apis/kubevirt.io/v1/kubevirts': kubevirt('v1.9.0'),
  '/apis/cdi.kubevirt.io/v1beta1/cdis': list(
    named('cdi', { status: { observedVersion: 'v1.66.0', phase: 'Deployed' } }),
  ),
  '/apis/storage.k8s.io/v1/storageclasses': list(
    named(
      'fast',
      { provisioner: 'csi.a', allowVolumeExpansion: true, volumeBindingMode: 'Immediate' },
      { 'storageclass.kubernetes.io/is-default-class': 'true' },
    ),
    named('local', { provisioner: 'local-path', volumeBindingMode: 'WaitForFirstConsumer' }),
  ),
  '/apis/cdi.kubevirt.io/v1beta1/storageprofiles': list(
    named('fast', {
      status: {
        claimPropertySets: [{ accessModes: ['ReadWriteMany'], volumeMode: 'Block' }],
        cloneStrategy: 'csi-clone',
      },
    }),
    named('local', { status: {} }),
  ),
  '/apis/snapshot.storage.k8s.io/v1/volumesnapshotclasses': list(
    named('fast-snap', { driver: 'csi.a' }),
  ),
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies': policies,
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings': policies,
}

async function serve(answers: Answers) {
  const server = await secureServer(({ url = '' }, response) => {
    const answer: Json = answers[url.split('?')[0] ?? '']
    if (typeof answer === 'number')
      return answerJson(response, answer, {
        reason: answer === 403 ? 'Forbidden' : '',
        message: 'no',
      })
    if (answer !== undefined) return answerJson(response, 200, answer)
    response.writeHead(404, { 'content-type': 'text/plain' })
    response.end('404 page not found')
  })
  const cluster = gatewayTo(server)
  closing.push(
    () => server.close(),
    () => cluster.close(),
  )
  return cluster
}

/** Returns the capabilities that Berth reads from these answers, as a client receives them. */
const capabilitiesFrom = async (answers: Answers): Promise<Capabilities> => {
  const read = await (await serve(answers)).reader.readCapabilities()
  return JSON.parse(JSON.stringify(read)) as Capabilities
}
const capabilitiesWith = (changed: Answers): Promise<Capabilities> =>
  capabilitiesFrom({ ...complete, ...changed })

const yes = { available: true, reason: null }
const no = (...words: string[]) => ({
  available: false,
  reason: expect.stringMatching(words.join('.*')) as string,
})

test('a complete cluster has every capability', async () => {
  const { versions, features, hotplugBy, networks } = await capabilitiesWith({})
  expect(versions).toEqual({ kubernetes: 'v1.36.2', kubevirt: 'v1.9.0', cdi: 'v1.66.0' })
  expect(Object.values(features).every(({ available }) => available)).toBe(true)
  expect(hotplugBy).toBe('spec')
  expect(networks).toEqual(mapDrivers(() => yes))
})

test('the addresses of the nodes and of the API server are read, and host names are no addresses', async () => {
  const addresses = (...all: string[]) => all.map((address) => ({ address }))
  const slice = (namespace: string, ...all: string[]) => ({
    metadata: { name: 'kubernetes', namespace, uid: 'u', resourceVersion: '1' },
    endpoints: [{ addresses: all }],
  })
  const { ownAddresses } = await capabilitiesWith({
    '/api/v1/nodes': list(
      named('node-0', { status: { addresses: addresses('198.51.100.7', 'node-0') } }),
      named('node-1', { status: { addresses: addresses('198.51.100.8', '2001:db8::8') } }),
    ),
    '/apis/discovery.k8s.io/v1/endpointslices': list(
      slice('default', '198.51.100.7', '203.0.113.9'),
      slice('berth-acme', '93.184.216.34'),
    ),
  })
  expect(ownAddresses).toEqual([
    '198.51.100.7/32',
    '198.51.100.8/32',
    '2001:db8::8/128',
    '203.0.113.9/32',
  ])
})

test('attachment policies count as available only when each policy and each binding is installed', async () => {
  const paths = Object.keys(complete).filter((path) => path.includes('/validatingadmission'))
  expect(paths).toHaveLength(2)
  for (const path of paths) {
    expect(
      (await capabilitiesWith({ [path]: list(named('berth-foreign-attachments', {})) })).features
        .attachmentPolicies,
    ).toEqual(no('Kubernetes 1.30'))
    expect((await capabilitiesWith({ [path]: 403 })).features.attachmentPolicies).toEqual(
      no('right to list validatingadmissionpolic'),
    )
    expect((await capabilitiesWith({ [path]: undefined })).features.attachmentPolicies).toEqual(
      no('not in the cluster'),
    )
  }
})

test('NICs can be attached to running VMs when KubeVirt live-migrates them, and detached since 1.4', async () => {
  const kubevirts = '/apis/kubevirt.io/v1/kubevirts'
  const liveNicsWith = async (changed: Answers) => {
    const { features, nicObstacles } = await capabilitiesWith(changed)
    return { feature: features.liveNics, ...nicObstacles }
  }
  expect(await liveNicsWith({})).toEqual({ feature: yes, attach: null, detach: null })
  expect(await liveNicsWith({ '/api/v1/nodes': list(named('node-0', {})) })).toEqual({
    feature: no('one node'),
    attach: 'one_host',
    detach: null,
  })
  // Berth may be forbidden to list nodes. Then KubeVirt decides when the NIC is attached.
  expect(await liveNicsWith({ '/api/v1/nodes': 403 })).toEqual({
    feature: yes,
    attach: null,
    detach: null,
  })
  const [installed] = complete[kubevirts].items
  const unmoved = {
    ...installed,
    spec: { ...installed.spec, workloadUpdateStrategy: { workloadUpdateMethods: ['Evict'] } },
  }
  expect(await liveNicsWith({ [kubevirts]: list(unmoved) })).toEqual({
    feature: no('LiveMigrate'),
    attach: 'platform',
    detach: null,
  })
  const old = { feature: no('1.4'), attach: 'platform', detach: 'platform' }
  expect(await liveNicsWith({ [kubevirts]: kubevirt('v1.3.1') })).toEqual(old)
})

test('persistent firmware and TPM state is available when an operator sets vmStateStorageClass', async () => {
  expect((await capabilitiesWith({})).guestState).toEqual(no('vmStateStorageClass'))
  const [kubevirts = '', answer] =
    Object.entries(complete).find(([path]) => path.endsWith('/kubevirts')) ?? []
  const [kubevirt] = answer.items
  const chosen = {
    ...kubevirt,
    spec: { ...kubevirt.spec, configuration: { vmStateStorageClass: 'fast' } },
  }
  expect((await capabilitiesWith({ [kubevirts]: list(chosen) })).guestState).toEqual(yes)
})

test('each storage class reports what its volumes can do, with a reason for each limit', async () => {
  const { storageClasses, snapshotClasses } = await capabilitiesWith({})
  expect(snapshotClasses).toEqual([{ name: 'fast-snap', driver: 'csi.a', isDefault: false }])
  expect(storageClasses).toEqual([
    {
      name: 'fast',
      provisioner: 'csi.a',
      isDefault: true,
      bindsOnFirstUse: false,
      accessModes: ['ReadWriteMany'],
      cloneBy: 'csi',
      expand: yes,
      profileSnapshotClass: null,
      liveMigrate: yes,
      import: yes,
    },
    {
      name: 'local',
      provisioner: 'local-path',
      isDefault: false,
      bindsOnFirstUse: true,
      accessModes: [],
      cloneBy: 'unknown',
      expand: no('local', 'expansion'),
      profileSnapshotClass: null,
      liveMigrate: no('ReadWriteMany'),
      import: no('StorageProfile'),
    },
  ])
})

test('a bare Kubernetes offers no capability, and each reason names the missing component', async () => {
  const { features, networks, hotplugBy, storageClasses } = await capabilitiesFrom({
    '/version': { gitVersion: 'v1.36.2' },
    '/apis': groups(),
  })
  expect(Object.values(features).filter(({ available }) => available)).toEqual([])
  expect(features.virtualMachines).toEqual(no('KubeVirt', 'not installed'))
  expect(features.imageImports).toEqual(no('CDI'))
  expect(networks['bridge-vlan']).toEqual(no('Multus'))
  expect({ hotplugBy, storageClasses }).toEqual({ hotplugBy: null, storageClasses: [] })
})

const kubevirts = '/apis/kubevirt.io/v1/kubevirts'
const rows = [
  {
    because: 'KubeVirt 1.8 disables beta gates by default',
    kubevirt: kubevirt('v1.8.4'),
    snapshots: no('Snapshot', 'listed'),
    hotplugBy: null,
  },
  {
    because: 'KubeVirt 1.8 lists both gates as enabled',
    kubevirt: kubevirt('v1.8.4', { featureGates: ['Snapshot', 'DeclarativeHotplugVolumes'] }),
    snapshots: yes,
    hotplugBy: 'spec',
  },
  {
    because: 'KubeVirt 1.8 lists only the older hotplug gate',
    kubevirt: kubevirt('v1.8.4', { featureGates: ['HotplugVolumes'] }),
    snapshots: no('Snapshot'),
    hotplugBy: 'call',
  },
  {
    because: 'KubeVirt 1.9 enables beta gates by default',
    kubevirt: kubevirt('v1.9.0-rc.2'),
    snapshots: yes,
    hotplugBy: 'spec',
  },
  {
    because: 'KubeVirt 1.9 lists both gates as disabled',
    kubevirt: kubevirt('v1.9.1', {
      disabledFeatureGates: ['Snapshot', 'DeclarativeHotplugVolumes'],
    }),
    snapshots: no('disabled'),
    hotplugBy: null,
  },
  {
    because: 'a gate in both lists counts as enabled',
    kubevirt: kubevirt('v1.9.0', {
      featureGates: ['Snapshot'],
      disabledFeatureGates: ['Snapshot'],
    }),
    snapshots: yes,
    hotplugBy: 'spec',
  },
  {
    because: 'the older hotplug gate takes precedence',
    kubevirt: kubevirt('v1.9.0', { featureGates: ['HotplugVolumes'] }),
    snapshots: yes,
    hotplugBy: 'call',
  },
  {
    because: 'a newer version behaves like 1.9',
    kubevirt: kubevirt('v2.0.0'),
    snapshots: yes,
    hotplugBy: 'spec',
  },
  {
    because: 'the version cannot be parsed',
    kubevirt: kubevirt('main'),
    snapshots: no('Snapshot'),
    hotplugBy: null,
  },
  {
    because: 'Berth may not read the KubeVirt object',
    kubevirt: 403,
    snapshots: no('right to list kubevirts'),
    hotplugBy: null,
  },
]

describe('feature gates', () => {
  test.each(rows)(
    'the feature gates determine snapshots and hotplug: $because',
    async ({ kubevirt: answer, snapshots, hotplugBy }) => {
      const { features, hotplugBy: actualHotplugBy } = await capabilitiesWith({
        [kubevirts]: answer,
      })
      expect({ snapshots: features.vmSnapshots, hotplugBy: actualHotplugBy }).toEqual({
        snapshots,
        hotplugBy,
      })
    },
  )
})

test.each([
  { because: 'KubeVirt uses its default', answer: kubevirt('v1.9.0'), ratio: 10 },
  {
    because: 'the KubeVirt object sets it',
    answer: kubevirt('v1.9.0', { cpuAllocationRatio: 4 }),
    ratio: 4,
  },
  { because: 'Berth may not read the KubeVirt object', answer: 403, ratio: 10 },
])('KubeVirt allocates $ratio vCPUs per core when $because', async ({ answer, ratio }) => {
  expect((await capabilitiesWith({ [kubevirts]: answer })).vcpusPerCore).toBe(ratio)
})

test('KubeVirt counts as unavailable when its API does not answer or when it is being deleted', async () => {
  const away = await capabilitiesWith({ '/apis/subresources.kubevirt.io/v1/version': 503 })
  expect(away.features.virtualMachines).toEqual(no('does not answer'))
  const leaving = await capabilitiesWith({ [kubevirts]: kubevirt('v1.9.0', {}, 'Deleting') })
  expect(leaving.features.vmSnapshots).toEqual(no('Deleting'))
})

test('VM snapshots need a VolumeSnapshotClass', async () => {
  const { features } = await capabilitiesWith({
    '/apis/snapshot.storage.k8s.io/v1/volumesnapshotclasses': list(),
  })
  expect(features.vmSnapshots).toEqual(no('no VolumeSnapshotClass'))
})

test('capabilities are polled, survive an outage of the cluster, and are logged only when they change', async () => {
  const answers = { ...complete }
  const cluster = await serve(answers)
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => lines.push(line) })
  const followed = followCapabilities({
    reader: cluster.reader,
    clock: systemClock,
    log,
    periodMs: 20,
  })
  closing.push(() => followed.stop())
  const logged = (): Json[] =>
    lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'cluster.capabilities_listed')
  await waitFor(() => followed.current() !== null)
  answers['/apis'] = 500
  await waitFor(() => lines.some((line) => line.includes('cluster.capabilities_read_failed')), {
    timeoutMs: 9000,
  })
  expect(followed.current()?.networks['ovn-layer2'].available).toBe(true)
  answers['/apis'] = groups(...everything.filter((group) => group !== 'k8s.ovn.org/v1'))
  await waitFor(() => followed.current()?.networks['ovn-layer2'].available === false, {
    timeoutMs: 9000,
  })
  expect(logged()).toHaveLength(2)
  expect(logged()[1].capabilities.networks['ovn-layer2'].reason).toContain('OVN-Kubernetes')
})
