import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Store } from '../../apiserver/storage/store.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey, runController } from '../../controllers/controller.ts'
import { Client } from '../../controllers/client.ts'
import { claimProtection } from '../../controllers/storage/protection.ts'
import { snapshotControllers } from '../../controllers/snapshots/all.ts'
import { read } from '../../objects/read.ts'
import { paceOf } from '../../pace.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

const kinds = {
  vm: 'virtualmachines.kubevirt.io',
  vmi: 'virtualmachineinstances.kubevirt.io',
  snapshot: 'virtualmachinesnapshots.snapshot.kubevirt.io',
  content: 'virtualmachinesnapshotcontents.snapshot.kubevirt.io',
  restore: 'virtualmachinerestores.snapshot.kubevirt.io',
  clone: 'virtualmachineclones.clone.kubevirt.io',
  export: 'virtualmachineexports.export.kubevirt.io',
  claim: 'persistentvolumeclaims',
  pod: 'pods',
  dataVolume: 'datavolumes.cdi.kubevirt.io',
  copy: 'volumesnapshots.snapshot.storage.k8s.io',
} as const

type Kind = keyof typeof kinds

/** Simulated storage that completes every copy at once and never fails. */
const disks = (takesCopies: boolean): Controller => ({
  name: 'disks',
  sources: [kinds.copy, kinds.claim, kinds.dataVolume].map((kind) => ({ kind, keysOf: ownKey })),
  reconcile(hand, { namespace, name }) {
    const copy = hand.get(kinds.copy, namespace, name)
    if (copy && takesCopies)
      hand.setStatus(kinds.copy, copy, {
        readyToUse: true,
        creationTime: '2026-01-01T00:00:00Z',
        restoreSize: '2Gi',
      })
    const claim = hand.get(kinds.claim, namespace, name)
    if (claim) hand.setStatus(kinds.claim, claim, { phase: 'Bound' })
    const volume = hand.get(kinds.dataVolume, namespace, name)
    if (volume) hand.setStatus(kinds.dataVolume, volume, { phase: 'Succeeded' })
    return undefined
  },
})

const blankDisk = {
  source: { blank: {} },
  storage: { resources: { requests: { storage: '1Gi' } } },
}

const meta = (name: string): KubeObject['metadata'] => ({ name, namespace: 'ns1' })

const vmNamed = (name: string): JsonMap => ({
  apiGroup: 'kubevirt.io',
  kind: 'VirtualMachine',
  name,
})

/**
 * Runs the snapshot, restore and clone controllers on their own store, with storage that never
 * fails.
 */
export class CopiesWorld {
  readonly #folder = mkdtempSync(join(tmpdir(), 'berth-copies-'))
  #store = new Store({ folder: this.#folder })
  #stops: (() => void)[] = []
  client = new Client({ store: this.#store, pace: paceOf(0.02) }, 'test')

  constructor({ takesCopies = true } = {}) {
    this.#run([...snapshotControllers, claimProtection, disks(takesCopies)])
    const client = this.client
    client.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns1' } })
    this.aStorageClass('fast', 'csi.example.com')
    const snapshotClass = {
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshotClass',
      metadata: { name: 'fast-snap' },
    }
    client.create('volumesnapshotclasses.snapshot.storage.k8s.io', {
      ...snapshotClass,
      driver: 'csi.example.com',
      deletionPolicy: 'Delete',
    })
  }

  #run(controllers: readonly Controller[]): void {
    this.#stops = controllers.map((controller) => runController(this.client.world, controller))
  }

  /** Restarts with only the stored state, as after a kill. */
  async reopen(): Promise<void> {
    await this.#close()
    this.#store = new Store({ folder: this.#folder })
    this.client = new Client({ store: this.#store, pace: paceOf(0.02) }, 'test')
    this.#run([...snapshotControllers, claimProtection, disks(true)])
  }

  async #close(): Promise<void> {
    for (const stop of this.#stops) stop()
    await this.#store.close()
  }

  async end(): Promise<void> {
    await this.#close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get = (kind: Kind, name: string): KubeObject | undefined =>
    this.client.get(kinds[kind], 'ns1', name)
  count = (...of: Kind[]): number =>
    of.reduce((sum, kind) => sum + this.client.list(kinds[kind]).length, 0)
  status = (kind: Kind, name: string): JsonMap => read.map(this.get(kind, name)?.status)
  spec = (kind: Kind, name: string, ...path: string[]): unknown =>
    read.at(this.get(kind, name), 'spec', ...path)

  remove(kind: Kind, name: string): void {
    const object = this.get(kind, name)
    if (object) this.client.remove(kinds[kind], object)
  }

  reasonOf(kind: Kind, name: string, type: string): string {
    const condition = read
      .maps(this.status(kind, name).conditions)
      .find((each) => each.type === type)
    return condition === undefined
      ? 'absent'
      : `${read.text(condition.status)}: ${read.text(condition.reason)}`
  }

  until = (kind: Kind, name: string, isSo: (status: JsonMap) => boolean): Promise<void> =>
    waitFor(() => isSo(this.status(kind, name)), { what: `${kind} ${name}` })

  /** Collects all values of the status field from now on, for objects of the kind. */
  valuesOf(kind: Kind, field: string): unknown[] {
    const values: unknown[] = []
    const keysOf = (object: KubeObject): [] => (values.push(read.status(object)[field]), [])
    this.#stops.push(
      runController(this.client.world, {
        name: 'watcher',
        sources: [{ kind: kinds[kind], keysOf }],
        reconcile: () => undefined,
      }),
    )
    return values
  }

  aStorageClass(name: string, provisioner: string): void {
    const kind = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name } }
    this.client.create('storageclasses.storage.k8s.io', { ...kind, provisioner })
  }

  aClaim(name: string, storageClassName = 'fast'): void {
    const spec = {
      accessModes: ['ReadWriteMany'],
      storageClassName,
      resources: { requests: { storage: '1Gi' } },
    }
    this.client.create(kinds.claim, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: meta(name),
      spec,
    })
  }

  aDataVolume(name: string): void {
    // The claim already exists.
    const metadata = {
      ...meta(name),
      annotations: { 'cdi.kubevirt.io/storage.prePopulated': name },
    }
    this.client.create(kinds.dataVolume, {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      metadata,
      spec: blankDisk,
    })
  }

  aPodUsing(claimName: string): void {
    const volumes = [{ name: 'd', persistentVolumeClaim: { claimName } }]
    this.client.create(kinds.pod, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: meta('user'),
      spec: { volumes },
    })
  }

  /**
   * Creates a VM with a root disk from a template and a cloud-init disk, which a snapshot cannot
   * contain.
   */
  aVm(
    name = 'vm1',
    { storageClass = 'fast', ...extra }: JsonMap & { storageClass?: string } = {},
  ): void {
    const volumes = [
      { name: 'root', dataVolume: { name: `${name}-root` } },
      { name: 'seed', cloudInitNoCloud: { userData: '#cloud-config' } },
    ]
    const interfaces = [{ name: 'default', masquerade: {}, macAddress: '02:00:00:00:00:01' }]
    const networks = [{ name: 'default', pod: {} }]
    const domain = { devices: { interfaces }, firmware: { serial: 's1', uuid: 'u1' } }
    this.client.create(kinds.vm, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { ...meta(name), labels: { keep: 'yes', drop: 'yes' } },
      spec: {
        runStrategy: 'Halted',
        dataVolumeTemplates: [{ metadata: { name: `${name}-root` }, spec: blankDisk }],
        template: { metadata: { labels: { app: name } }, spec: { domain, networks, volumes } },
        ...extra,
      },
    })
    this.aClaim(`${name}-root`, storageClass)
  }

  aRunningVmi(...conditions: JsonMap[]): void {
    const identity = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: meta('vm1'),
    }
    const vmi = this.client.create(kinds.vmi, {
      ...identity,
      spec: { domain: { devices: {}, memory: { guest: '1Gi' } } },
    })
    // No virt-handler runs here that would remove this finalizer.
    const free = this.client.release(kinds.vmi, vmi, 'kubevirt.io/foregroundDeleteVirtualMachine')
    this.client.setStatus(kinds.vmi, free, { phase: 'Running', conditions })
  }

  #create(kind: 'snapshot' | 'restore', name: string, spec: JsonMap): KubeObject {
    const kindName = kind === 'snapshot' ? 'VirtualMachineSnapshot' : 'VirtualMachineRestore'
    return this.client.create(kinds[kind], {
      apiVersion: 'snapshot.kubevirt.io/v1beta1',
      kind: kindName,
      metadata: meta(name),
      spec,
    })
  }

  takeSnapshot = (spec: JsonMap = {}): KubeObject =>
    this.#create('snapshot', 's', { source: vmNamed('vm1'), ...spec })

  restoreTo = (vm: string, { name = 'r', ...spec }: JsonMap & { name?: string } = {}): KubeObject =>
    this.#create('restore', name, { target: vmNamed(vm), virtualMachineSnapshotName: 's', ...spec })

  /** Clones vm1 to vm2. */
  clone(spec: JsonMap): void {
    this.client.create(kinds.clone, {
      apiVersion: 'clone.kubevirt.io/v1beta1',
      kind: 'VirtualMachineClone',
      metadata: meta('c'),
      spec: { source: vmNamed('vm1'), target: vmNamed('vm2'), template: {}, ...spec },
    })
  }

  exportOf(source: JsonMap): void {
    const identity = {
      apiVersion: 'export.kubevirt.io/v1',
      kind: 'VirtualMachineExport',
      metadata: meta('e'),
    }
    this.client.create(kinds.export, { ...identity, spec: { source } })
  }

  async aSnapshot(): Promise<void> {
    this.takeSnapshot()
    await this.until('snapshot', 's', ({ readyToUse }) => readyToUse === true)
    await this.until('vm', 'vm1', ({ snapshotInProgress }) => snapshotInProgress === undefined)
  }

  eventsOf = (name: string): string[] =>
    this.client
      .list('events', 'ns1')
      .flatMap(({ involvedObject, reason }) =>
        read.at(involvedObject, 'name') === name ? [read.text(reason)] : [],
      )
}
