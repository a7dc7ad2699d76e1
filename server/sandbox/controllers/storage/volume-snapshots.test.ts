import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { Store } from '../../apiserver/storage/store.ts'
import { read } from '../../objects/read.ts'
import { names } from '../../objects/storage/names.ts'
import { type KubeObject } from '../../objects/types.ts'
import { paceOf } from '../../pace.ts'
import { Client } from '../client.ts'
import { runController } from '../controller.ts'
import { volumeSnapshots } from './volume-snapshots.ts'

const driver = 'csi.example.com'
const folder = mkdtempSync(join(tmpdir(), 'berth-snapshots-'))
let store: Store
let client: Client
let stop: () => void
beforeEach(() => {
  store = new Store({ folder })
  client = new Client({ store, pace: paceOf(0.05) }, 'test')
  stop = runController(client.world, volumeSnapshots)
  client.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns1' } })
  client.create('storageclasses.storage.k8s.io', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: driver,
  })
  client.create(names.snapshotClasses, {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshotClass',
    metadata: { name: 'fast-snap' },
    driver,
    deletionPolicy: 'Delete',
  })
})
afterEach(async () => {
  stop()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

function aBoundClaim(): void {
  const claim = client.create(names.claims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'ns1' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'fast',
      volumeName: 'pv-1',
    },
  })
  client.setStatus(names.claims, claim, { phase: 'Bound', capacity: { storage: '1Gi' } })
}

const takeSnapshot = (name: string): KubeObject =>
  client.create(names.snapshots, {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: { name, namespace: 'ns1' },
    spec: {
      source: { persistentVolumeClaimName: 'data' },
      volumeSnapshotClassName: 'fast-snap',
    },
  })

const snapshot = (name: string): KubeObject | undefined => client.get(names.snapshots, 'ns1', name)
const claimFinalizers = (): readonly string[] =>
  client.get(names.claims, 'ns1', 'data')?.metadata.finalizers ?? []
const held = 'snapshot.storage.kubernetes.io/pvc-as-source-protection'

/** Deletes the snapshot as soon as it holds its PVC, before it is ready. */
function deleteWhileTaken(name: string): void {
  const unsubscribe = store.subscribe(store.registry.named(names.claims), ({ object }) => {
    if (!object.metadata.finalizers?.includes(held)) return
    unsubscribe()
    queueMicrotask(() => {
      const taken = snapshot(name)
      if (taken) client.remove(names.snapshots, taken)
    })
  })
}

test('a snapshot that is deleted before it is ready releases its PVC', async () => {
  aBoundClaim()
  deleteWhileTaken('first')
  takeSnapshot('first')
  await waitFor(() => snapshot('first') === undefined)
  expect(claimFinalizers()).not.toContain(held)
})

test('a PVC is released when one of its snapshots was deleted and the other is ready', async () => {
  aBoundClaim()
  deleteWhileTaken('first')
  takeSnapshot('first')
  takeSnapshot('second')
  await waitFor(() => snapshot('first') === undefined)
  await waitFor(() => read.at(snapshot('second'), 'status', 'readyToUse') === true)
  expect(claimFinalizers()).not.toContain(held)
})
