import { type Json, type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { type Desk } from '../desk.ts'
import { at, filled, hasFinalizer, mapOf, mapsOf, specOf, statusOf, textOf, withFinalizer } from './fields.ts'
import { claimsOf, podsUsing, unready } from './volumes.ts'

const vms = 'virtualmachines.kubevirt.io'
const vmis = 'virtualmachineinstances.kubevirt.io'
const sourceFinalizer = 'snapshot.kubevirt.io/snapshot-source-protection'

/** The VM that a snapshot is taken of, as it is now. */
export interface Source {
  vm: KubeObject
  vmi: KubeObject | undefined
  paused: boolean
  agent: boolean
  /** Held for this snapshot: nobody changes its disks or its power meanwhile. */
  locked: boolean
  lockText: string
}

const lockedText = 'Source locked and operation in progress'

export function sourceOf(desk: Desk, snapshot: KubeObject): Source | null {
  const { namespace, name } = snapshot.metadata
  const vm = desk.get(vms, namespace, textOf(at(snapshot, 'spec', 'source', 'name')))
  if (!vm) return null
  const vmi = desk.get(vmis, namespace, vm.metadata.name)
  const conditions = vmi ? mapsOf(statusOf(vmi).conditions) : []
  const locked = statusOf(vm).snapshotInProgress === name && hasFinalizer(vm, sourceFinalizer)
  return {
    vm,
    vmi,
    paused: conditions.some(({ type, status }) => type === 'Paused' && status === 'True'),
    agent: conditions.some(({ type }) => type === 'AgentConnected'),
    locked,
    lockText: locked ? lockedText : 'Source not locked',
  }
}

/** Holds the VM for the snapshot, when its volumes are ready and nobody else holds it. */
export function lock(desk: Desk, snapshot: KubeObject, source: Source): Source {
  const why = reasonNotToLock(desk, snapshot, source)
  if (why !== null) return { ...source, lockText: `${source.lockText} ${why}` }
  const marked = desk.setStatus(vms, source.vm, { ...statusOf(source.vm), snapshotInProgress: snapshot.metadata.name })
  const vm = desk.change(vms, marked, withFinalizer(marked, sourceFinalizer))
  return { ...source, vm, locked: true, lockText: lockedText }
}

function reasonNotToLock(desk: Desk, snapshot: KubeObject, { vm, vmi }: Source): string | null {
  const { namespace, name } = vm.metadata
  const claims = [...new Set(claimsOf(vm).map(({ claim }) => claim))]
  for (const claim of claims) {
    const why = unready(desk, namespace, claim)
    if (why !== null) return `source ${namespace}/${name} ${why}`
  }
  const pods = vmi ? 0 : podsUsing(desk, namespace, claims).length
  if (pods > 0) return `source is offline but ${pods} pods using PVCs [${claims.join(' ')}]`
  const other = textOf(statusOf(vm).snapshotInProgress)
  return other === '' || other === snapshot.metadata.name ? null : `snapshot "${other}" in progress`
}

export function unlock(desk: Desk, snapshot: KubeObject, { vm }: Source): void {
  if (statusOf(vm).snapshotInProgress !== snapshot.metadata.name) return
  const released = desk.release(vms, vm, sourceFinalizer)
  // The hold of the snapshot may have been the last one of a deleted VM.
  if (!desk.get(vms, released.metadata.namespace, released.metadata.name)) return
  const { snapshotInProgress: _done, ...status } = statusOf(released)
  desk.setStatus(vms, released, status)
}

/** Only an agent can hold the file systems still, and only while the guest runs; else the copy is as after a loss of power. */
const canFreeze = ({ vmi, agent, paused, locked }: Source): boolean => vmi !== undefined && agent && !paused && locked

export function freeze(desk: Desk, source: Source): void {
  if (source.vmi && canFreeze(source)) desk.setStatus(vmis, source.vmi, { ...statusOf(source.vmi), fsFreezeStatus: 'frozen' })
}

export function unfreeze(desk: Desk, source: Source | null): void {
  if (!source?.vmi || !canFreeze(source)) return
  const { fsFreezeStatus: _frozen, ...status } = statusOf(source.vmi)
  desk.setStatus(vmis, source.vmi, status)
}

/** The VM as the content keeps it: of a running one what it was started with, and the disks that it has now. */
export function copyOf(desk: Desk, { vm, vmi }: Source): JsonMap {
  const { managedFields: _fields, ...metadata } = vm.metadata
  return { metadata, spec: vmi ? startedSpec(desk, vm, vmi) : specOf(vm), status: { printableStatus: 'Stopped' } }
}

function startedSpec(desk: Desk, vm: KubeObject, vmi: KubeObject): JsonMap {
  const revision = desk.get('controllerrevisions.apps', vm.metadata.namespace, textOf(statusOf(vmi).virtualMachineRevisionName))
  const started = mapOf(at(revision, 'data', 'spec'))
  if (started.template === undefined) return specOf(vm)
  const now = (...path: string[]): Json | undefined => at(vm, 'spec', 'template', 'spec', ...path)
  const template = mapOf(started.template)
  const spec = mapOf(template.spec)
  const domain = mapOf(spec.domain)
  const devices = filled({ ...mapOf(domain.devices), disks: now('domain', 'devices', 'disks') })
  return filled({
    ...started,
    dataVolumeTemplates: specOf(vm).dataVolumeTemplates,
    template: { ...template, spec: filled({ ...spec, domain: { ...domain, devices }, volumes: now('volumes') }) },
  })
}
