import { type KubeClient } from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

/* Prepares the objects that existed before each recording. */

const namespaced = (path: string): string => path.replace('/ns/', '/namespaces/ns1/')
const vms = namespaced('/apis/kubevirt.io/v1/ns/virtualmachines')
const vmis = namespaced('/apis/kubevirt.io/v1/ns/virtualmachineinstances')
const claims = namespaced('/api/v1/ns/persistentvolumeclaims')
const dataVolumes = namespaced('/apis/cdi.kubevirt.io/v1beta1/ns/datavolumes')
const diskSnapshots = namespaced('/apis/snapshot.storage.k8s.io/v1/ns/volumesnapshots')
const vmSnapshots = namespaced('/apis/snapshot.kubevirt.io/v1beta1/ns/virtualmachinesnapshots')
const quotas = namespaced('/api/v1/ns/resourcequotas')

/** Creates objects in a test namespace and waits until they are ready. */
export class Preparation {
  readonly #client: KubeClient
  readonly #image: string

  constructor(client: KubeClient, image: string) {
    this.#client = client
    this.#image = image
  }

  async make(path: string, body: object): Promise<void> {
    const { status, text } = await this.#client.call(path, { method: 'POST', body })
    if (status >= 400) throw new TypeError(`POST ${path} failed with ${status}: ${text}`)
  }

  async until(path: string, isSo: (status: Record<string, unknown>) => boolean): Promise<void> {
    const check = async (): Promise<boolean> =>
      isSo(((await this.#client.call(path)).body.status ?? {}) as Record<string, unknown>)
    await waitFor(check, { timeoutMs: 60_000, everyMs: 50, what: path })
  }

  async claim(name: string): Promise<void> {
    const spec = {
      accessModes: ['ReadWriteMany'],
      storageClassName: 'fast',
      resources: { requests: { storage: '1Gi' } },
    }
    await this.make(claims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name },
      spec,
    })
    await this.until(`${claims}/${name}`, ({ phase }) => phase === 'Bound')
  }

  #imported = (): object => ({
    source: { http: { url: this.#image } },
    storage: { resources: { requests: { storage: '1Gi' } }, storageClassName: 'fast' },
  })

  async imported(name: string): Promise<void> {
    await this.make(dataVolumes, {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      metadata: { name },
      spec: this.#imported(),
    })
    await this.until(`${dataVolumes}/${name}`, ({ phase }) => phase === 'Succeeded')
  }

  async diskSnapshot(name: string, persistentVolumeClaimName: string): Promise<void> {
    const spec = { volumeSnapshotClassName: 'fast-snap', source: { persistentVolumeClaimName } }
    await this.make(diskSnapshots, {
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshot',
      metadata: { name },
      spec,
    })
    await this.until(`${diskSnapshots}/${name}`, ({ readyToUse }) => readyToUse === true)
  }

  async vmSnapshot(): Promise<void> {
    const spec = { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'vm1' } }
    await this.make(vmSnapshots, {
      apiVersion: 'snapshot.kubevirt.io/v1beta1',
      kind: 'VirtualMachineSnapshot',
      metadata: { name: 's' },
      spec,
    })
    await this.until(
      `${vmSnapshots}/s`,
      ({ phase, readyToUse }) => phase === 'Succeeded' && readyToUse === true,
    )
  }

  async quota(hard: Record<string, string>): Promise<void> {
    await this.make(quotas, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard },
    })
    await this.until(`${quotas}/q`, (status) => status.hard !== undefined)
  }

  /** Creates a VM and waits until it is stopped, or until its agent is connected. */
  async vm(
    runStrategy: string,
    root: 'claim' | 'container' | 'imported' = 'container',
    ...more: object[]
  ): Promise<void> {
    const volumes = {
      container: { containerDisk: { image: 'quay.io/containerdisks/fedora:42' } },
      claim: { persistentVolumeClaim: { claimName: 'p1' } },
      imported: { dataVolume: { name: 'vm1-root' } },
    }
    const disks = ['root', 'ci'].map((name) => ({ name, disk: { bus: 'virtio' } }))
    const spec = {
      domain: {
        cpu: { sockets: 1, cores: 1, threads: 1 },
        memory: { guest: '1Gi' },
        devices: {
          disks: [...disks, ...more.map(() => ({ name: 'd1', disk: { bus: 'scsi' } }))],
          interfaces: [{ name: 'default', masquerade: {} }],
        },
      },
      networks: [{ name: 'default', pod: {} }],
      volumes: [
        { name: 'root', ...volumes[root] },
        { name: 'ci', cloudInitNoCloud: { userData: '#cloud-config\n' } },
        ...more,
      ],
    }
    const templates =
      root === 'imported'
        ? { dataVolumeTemplates: [{ metadata: { name: 'vm1-root' }, spec: this.#imported() }] }
        : {}
    const body = {
      runStrategy,
      ...templates,
      template: { metadata: { labels: { app: 'vm1' } }, spec },
    }
    await this.make(vms, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name: 'vm1' },
      spec: body,
    })
    if (root === 'imported')
      await this.until(`${dataVolumes}/vm1-root`, ({ phase }) => phase === 'Succeeded')
    const isStopped = ['Halted', 'Manual'].includes(runStrategy)
    await this.until(
      `${vms}/vm1`,
      ({ printableStatus }) => printableStatus === (isStopped ? 'Stopped' : 'Running'),
    )
    if (!isStopped) await this.agent()
  }

  agent(): Promise<void> {
    return this.until(`${vmis}/vm1`, ({ conditions }) =>
      JSON.stringify(conditions ?? []).includes('AgentConnected'),
    )
  }

  async start(): Promise<void> {
    await this.#client.call(`${vms.replace('kubevirt.io', 'subresources.kubevirt.io')}/vm1/start`, {
      method: 'PUT',
      body: {},
      headers: { accept: '*/*' },
    })
    await this.until(`${vms}/vm1`, ({ printableStatus }) => printableStatus === 'Running')
    await this.agent()
  }

  async attached(): Promise<void> {
    const body = [
      { op: 'add', path: '/spec/template/spec/volumes/-', value: hotplugged },
      {
        op: 'add',
        path: '/spec/template/spec/domain/devices/disks/-',
        value: { name: 'd1', disk: { bus: 'scsi' } },
      },
    ]
    await this.#client.call(`${vms}/vm1`, {
      method: 'PATCH',
      body,
      headers: { 'content-type': 'application/json-patch+json' },
    })
    await this.until(`${vmis}/vm1`, ({ volumeStatus }) =>
      JSON.stringify(volumeStatus ?? []).includes('"Ready"'),
    )
  }
}

const hotplugged = { name: 'd1', persistentVolumeClaim: { claimName: 'p1', hotpluggable: true } }

type Steps = (before: Preparation) => Promise<void>

const running: Steps = (before) => before.vm('Always')
const importedRunning: Steps = (before) => before.vm('Always', 'imported')
const importedHalted: Steps = (before) => before.vm('Halted', 'imported')

const diskSnapshot: Steps = async (before) => {
  await before.claim('p1')
  await before.diskSnapshot('s1', 'p1')
}

const importedSnapshot: Steps = async (before) => {
  await before.imported('src')
  await before.diskSnapshot('s1', 'src')
}

const runningWithClaim: Steps = async (before) => {
  await before.claim('p1')
  await before.vm('Always')
}

const runningAttached: Steps = async (before) => {
  await runningWithClaim(before)
  await before.attached()
}

const snapshotOfHalted: Steps = async (before) => {
  await importedHalted(before)
  await before.vmSnapshot()
}

const snapshotOfRunning: Steps = async (before) => {
  await importedRunning(before)
  await before.vmSnapshot()
}

/** Preparations by timeline. Other timelines begin with an empty namespace. */
export const before: Record<string, Steps> = {
  'attach-not-hotpluggable': runningWithClaim,
  'dv-clone-pvc': (make) => make.imported('src'),
  'dv-clone-snapshot': importedSnapshot,
  'dv-clone-snapshot-too-small': importedSnapshot,
  'dv-delete': (make) => make.imported('dv1'),
  'dv-pvc-deleted': (make) => make.imported('dv1'),
  'dv-quota': (make) => make.quota({ 'requests.storage': '100Mi' }),
  'guest-crash-rerunonfailure': (make) => make.vm('RerunOnFailure'),
  'guest-poweroff-always': running,
  'guest-poweroff-manual': async (make) => {
    await make.vm('Manual')
    await make.start()
  },
  'guest-poweroff-rerunonfailure': (make) => make.vm('RerunOnFailure'),
  'hotplug-attach-running': runningWithClaim,
  'hotplug-attach-stopped': async (make) => {
    await make.claim('p1')
    await make.vm('Halted')
  },
  'hotplug-detach-running': runningAttached,
  'hotplug-detach-stopped': async (make) => {
    await make.claim('p1')
    await make.vm('Halted', 'container', hotplugged)
  },
  'hotplug-missing-pvc': running,
  'hotplug-removevolume-running': runningAttached,
  'live-cpu': running,
  migration: running,
  'migration-cancel': running,
  'namespace-delete': importedRunning,
  'non-live-change': running,
  'pvc-delete-in-use': async (make) => {
    await make.claim('p1')
    await make.vm('Always', 'claim')
  },
  'pvc-from-volumesnapshot': diskSnapshot,
  'restore-new-vm': snapshotOfHalted,
  'restore-running-failimmediate': snapshotOfRunning,
  'restore-running-stoptarget': snapshotOfRunning,
  'restore-stopped': snapshotOfHalted,
  'snapshot-delete': snapshotOfHalted,
  'snapshot-offline': importedHalted,
  'snapshot-online': importedRunning,
  'snapshot-vm-deleted': snapshotOfHalted,
  'vm-clone': importedHalted,
  'vm-delete-foreground': importedRunning,
  'vm-delete-orphan': importedRunning,
  'vm-delete-running': importedRunning,
  'vm-pause-unpause': running,
  'vm-quota': (make) => make.quota({ 'requests.memory': '100Mi' }),
  'vm-restart': running,
  'vm-restart-force': running,
  'vm-start': (make) => make.vm('Halted'),
  'vm-start-manual': (make) => make.vm('Manual'),
  'vm-start-patch': (make) => make.vm('Halted'),
  'vm-stop': running,
  'vm-stop-patch': running,
  'vmi-delete-always': running,
  volumesnapshot: (make) => make.claim('p1'),
  'volumesnapshot-delete': diskSnapshot,
}
