import { type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { podsUsing, unreadyReason } from './claims.ts'
import { hasFinalizer, withFinalizer } from '../finalizers.ts'
import { read } from '../../objects/read.ts'
import { claimsOf } from '../../objects/vms/vm-volumes.ts'

const vms = 'virtualmachines.kubevirt.io'

const vmis = 'virtualmachineinstances.kubevirt.io'

const sourceFinalizer = 'snapshot.kubevirt.io/snapshot-source-protection'

/** The current state of the VM that a snapshot is taken of. */
export interface Source {
  vm: KubeObject
  vmi: KubeObject | undefined
  paused: boolean
  agent: boolean
  /** True when the VM is locked for this snapshot, which blocks changes of its disks and power. */
  locked: boolean
  lockText: string
}

const lockedText = 'Source locked and operation in progress'

/** Returns the state of the VM that the snapshot names; null when there is no such VM. */
export function sourceOf(client: Client, snapshot: KubeObject): Source | null {
  const { namespace, name } = snapshot.metadata
  const vm = client.get(vms, namespace, read.text(read.at(snapshot, 'spec', 'source', 'name')))
  if (!vm) return null
  const vmi = client.get(vmis, namespace, vm.metadata.name)
  const conditions = vmi ? read.maps(read.status(vmi).conditions) : []
  const locked = read.status(vm).snapshotInProgress === name && hasFinalizer(vm, sourceFinalizer)
  return {
    vm,
    vmi,
    paused: conditions.some(({ type, status }) => type === 'Paused' && status === 'True'),
    agent: conditions.some(({ type }) => type === 'AgentConnected'),
    locked,
    lockText: locked ? lockedText : 'Source not locked',
  }
}

/** Locks the VM for the snapshot when its volumes are ready and no other snapshot has the lock. */
export function lock(client: Client, snapshot: KubeObject, source: Source): Source {
  const why = reasonNotToLock(client, snapshot, source)
  if (why !== null) return { ...source, lockText: `${source.lockText} ${why}` }
  const marked = client.setStatus(vms, source.vm, {
    ...read.status(source.vm),
    snapshotInProgress: snapshot.metadata.name,
  })
  const vm = client.change(vms, marked, withFinalizer(marked, sourceFinalizer))
  return { ...source, vm, locked: true, lockText: lockedText }
}

function reasonNotToLock(client: Client, snapshot: KubeObject, { vm, vmi }: Source): string | null {
  const { namespace, name } = vm.metadata
  const claims = [...new Set(claimsOf(vm).map(({ claim }) => claim))]
  for (const claim of claims) {
    const why = unreadyReason(client, namespace, claim)
    if (why !== null) return `source ${namespace}/${name} ${why}`
  }
  const pods = vmi ? 0 : podsUsing(client, namespace, claims).length
  if (pods > 0) return `source is offline but ${pods} pods using PVCs [${claims.join(' ')}]`
  const other = read.text(read.status(vm).snapshotInProgress)
  return other === '' || other === snapshot.metadata.name ? null : `snapshot "${other}" in progress`
}

/** Removes the snapshot's lock from the VM, so that the VM can change again. */
export function unlock(client: Client, snapshot: KubeObject, { vm }: Source): void {
  if (read.status(vm).snapshotInProgress !== snapshot.metadata.name) return
  const released = client.release(vms, vm, sourceFinalizer)
  // The finalizer of the snapshot may have been the last one of a deleted VM.
  if (!client.get(vms, released.metadata.namespace, released.metadata.name)) return
  const { snapshotInProgress: _done, ...status } = read.status(released)
  client.setStatus(vms, released, status)
}
