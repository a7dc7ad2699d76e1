import { ApiError } from '../../apiserver/status.ts'
import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { read } from '../read.ts'
import { conditionsOf, withCondition } from './conditions.ts'
import { instanceOf } from './instance.ts'
import { controllerOf, ownedBy } from '../owners.ts'
import { revisionName, revisionOf } from './revision.ts'
import { controllerFinalizer, vmKind, vmiKind } from './kinds.ts'
import { phaseOf } from './phase.ts'
import { powerStep, strategyOf } from './power.ts'
import { requestsOf, wantsStart } from './requests.ts'
import { statusOf } from './vm-status.ts'

const observed = { 'kubevirt.io/latest-observed-api-version': 'v1', 'kubevirt.io/storage-observed-api-version': 'v1' }
const retryMs = 1_000

/** Gives a VM its instance and takes it away again, and says how the VM is. One write at a time: each brings the next look. */
export const vmController: Controller = {
  name: 'virtualmachine-controller',
  sources: [
    { kind: vmKind, keysOf: ownKey },
    // By its name also after the reference is gone: the instance of a VM is called as the VM.
    { kind: vmiKind, keysOf: ownKey },
    { kind: 'datavolumes.cdi.kubevirt.io', keysOf: usersOf },
    { kind: 'persistentvolumeclaims', keysOf: usersOf },
  ],
  reconcile(desk, { namespace, name }) {
    const vm = desk.get(vmKind, namespace, name)
    if (!vm) return undefined
    const found = desk.get(vmiKind, namespace, name)
    const vmi = found?.metadata.ownerReferences?.some(({ uid }) => uid === vm.metadata.uid) ? found : undefined
    if (vm.metadata.deletionTimestamp !== undefined) return end(desk, vm, vmi)
    if (marked(desk, vm) || filledVolumes(desk, vm)) return undefined
    return settle(desk, vm, vmi)
  },
}

function usersOf({ metadata: { namespace, ownerReferences = [] } }: KubeObject): { namespace: string | undefined; name: string }[] {
  return ownerReferences.filter(({ kind }) => kind === 'VirtualMachine').map(({ name }) => ({ namespace, name }))
}

/** The controller's marks on a VM that it has not seen before; true when it wrote one. */
function marked(desk: Desk, vm: KubeObject): boolean {
  const { annotations = {}, finalizers = [] } = vm.metadata
  if (annotations['kubevirt.io/latest-observed-api-version'] === undefined) {
    desk.change(vmKind, vm, { ...vm, metadata: { ...vm.metadata, annotations: { ...annotations, ...observed } } })
    return true
  }
  if (finalizers.includes(controllerFinalizer)) return false
  desk.change(vmKind, vm, { ...vm, metadata: { ...vm.metadata, finalizers: [...finalizers, controllerFinalizer] } })
  return true
}

/** Makes the data volumes that the VM brings along; true when it made one. */
function filledVolumes(desk: Desk, vm: KubeObject): boolean {
  const { namespace = '' } = vm.metadata
  for (const template of read.maps(read.spec(vm).dataVolumeTemplates)) {
    const metadata = read.map(template.metadata)
    const name = read.text(metadata.name)
    const known = desk.get('datavolumes.cdi.kubevirt.io', namespace, name)
    if (known && adopted(desk, vm, known)) return true
    if (known) continue
    // A template has the shape of what it is a template of.
    const made = { ...template, apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataVolume' } as unknown as KubeObject
    desk.create('datavolumes.cdi.kubevirt.io', { ...made, metadata: { ...metadata, name, namespace, ownerReferences: [ownedBy(vm)] } })
    desk.record(vm, { type: 'Normal', reason: 'SuccessfulDataVolumeCreate', message: `Created DataVolume ${name}` })
    return true
  }
  return false
}

/** One of that name which nobody controls becomes the VM's. */
function adopted(desk: Desk, vm: KubeObject, volume: KubeObject): boolean {
  if (controllerOf(volume) || volume.metadata.deletionTimestamp !== undefined) return false
  const ownerReferences = [...(volume.metadata.ownerReferences ?? []), ownedBy(vm)]
  desk.change('datavolumes.cdi.kubevirt.io', volume, { ...volume, metadata: { ...volume.metadata, ownerReferences } })
  return true
}

function settle(desk: Desk, vm: KubeObject, vmi: KubeObject | undefined): number | undefined {
  const step = powerStep(vm, vmi)
  if (step === 'start' && volumesAllow(desk, vm)) {
    const refusal = started(desk, vm)
    if (refusal !== null) return failed(desk, vm, refusal)
    return undefined
  }
  if (step === 'stop' && vmi) stop(desk, vm, vmi)
  const current = desk.get(vmKind, vm.metadata.namespace, vm.metadata.name) ?? vm
  desk.setStatus(vmKind, current, statusOf(desk, current, desk.get(vmiKind, vm.metadata.namespace, vm.metadata.name) && vmi))
  return undefined
}

/** An instance comes only when what the VM brings along is filled, or waits for its first user. */
function volumesAllow(desk: Desk, vm: KubeObject): boolean {
  return read.maps(read.spec(vm).dataVolumeTemplates).every((template) => {
    const volume = desk.get('datavolumes.cdi.kubevirt.io', vm.metadata.namespace, read.text(read.map(template.metadata).name))
    return volume !== undefined && ['Succeeded', 'WaitForFirstConsumer', 'PendingPopulation'].includes(phaseOf(volume))
  })
}

/** Null when the instance is there; why not otherwise. */
function started(desk: Desk, vm: KubeObject): string | null {
  const { namespace, name } = vm.metadata
  try {
    if (!desk.get('controllerrevisions.apps', namespace, revisionName(vm))) desk.create('controllerrevisions.apps', revisionOf(vm))
    desk.create(vmiKind, instanceOf(vm))
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
  const message = `Started the virtual machine by creating the new virtual machine instance ${name}`
  desk.record(vm, { type: 'Normal', reason: 'SuccessfulCreate', message })
  return null
}

function failed(desk: Desk, vm: KubeObject, message: string): number {
  desk.record(vm, { type: 'Warning', reason: 'FailedCreate', message: `Error creating virtual machine instance: ${message}` })
  const status = statusOf(desk, vm, undefined)
  const conditions = withCondition(read.maps(status.conditions), 'Failure', { status: 'True', reason: 'FailedCreate', message })
  desk.setStatus(vmKind, vm, { ...status, conditions })
  return retryMs
}

function stop(desk: Desk, vm: KubeObject, vmi: KubeObject): void {
  if (vmi.metadata.deletionTimestamp !== undefined) return
  const crashed = phaseOf(vmi) === 'Failed' && strategyOf(vm) === 'RerunOnFailure' && !wantsStart(vm)
  // Remembered in the VM itself, because the instance that failed is about to be gone.
  if (crashed) desk.setStatus(vmKind, vm, { ...read.status(vm), stateChangeRequests: [...requestsOf(vm), { action: 'Start' }] })
  desk.remove(vmiKind, vmi)
  const message = `Stopped the virtual machine by deleting the virtual machine instance ${vmi.metadata.uid}`
  desk.record(vm, { type: 'Normal', reason: 'SuccessfulDelete', message })
}

function end(desk: Desk, vm: KubeObject, vmi: KubeObject | undefined): undefined {
  const orphans = vm.metadata.finalizers?.includes('orphan') === true
  if (vmi && !orphans) {
    if (vmi.metadata.deletionTimestamp === undefined) desk.remove(vmiKind, vmi)
    const status: JsonMap = { ...statusOf(desk, vm, vmi), observedGeneration: read.status(vm).observedGeneration ?? 1 }
    desk.setStatus(vmKind, vm, { ...status, conditions: read.maps(status.conditions).length > 0 ? status.conditions : conditionsOf(vm) })
    return
  }
  desk.release(vmKind, vm, controllerFinalizer)
}
