import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../../objects/status.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, type Key, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { claimNameOf } from '../hotplug/volume-source.ts'
import { withoutDetachedNics } from '../live/nics.ts'
import { templateOf } from '../live/template.ts'
import { read } from '../../objects/read.ts'
import { indexed } from '../store-index.ts'
import { type SyncOutcome, settled, startSpecOf, syncLive } from '../live/sync.ts'
import { type SyncError } from '../live/verdict.ts'
import { matchedBy } from '../../instancetypes/apply.ts'
import { storeRevisions } from '../instancetypes/revisions.ts'
import { vmiFromVm } from './vmi-from-vm.ts'
import { controllerOf, ownedBy } from '../owners.ts'
import { revisionName, revisionOf } from './revision.ts'
import { controllerFinalizer, vmKind, vmiKind } from '../../objects/vms/kinds.ts'
import { isFinal, phaseOf } from '../../objects/vms/phase.ts'
import { powerStep, strategyOf } from '../../objects/vms/power.ts'
import { requestsOf, isStartRequested } from '../../objects/vms/requests.ts'
import { backOffMs } from './status/start-failure.ts'
import { statusOf } from './status/vm-status.ts'

const observed = {
  'kubevirt.io/latest-observed-api-version': 'v1',
  'kubevirt.io/storage-observed-api-version': 'v1',
}
const generationMark = 'kubevirt.io/vm-generation'
const retryMs = 1_000

/**
 * Creates and deletes the VMI of a VM and reports the VM's status. One write per reconcile: each
 * write triggers the next.
 */
export const vmController: Controller = {
  name: 'virtualmachine-controller',
  sources: [
    { kind: vmKind, keysOf: ownKey },
    // The VMI has the name of its VM, so it is found even after its owner reference is gone.
    { kind: vmiKind, keysOf: ownKey },
    { kind: 'datavolumes.cdi.kubevirt.io', keysOf: usersOf },
    { kind: 'persistentvolumeclaims', keysOf: usersOf },
  ],
  reconcile(client, { namespace, name }) {
    const vm = client.get(vmKind, namespace, name)
    if (!vm) return undefined
    const found = client.get(vmiKind, namespace, name)
    const vmi = found?.metadata.ownerReferences?.some(({ uid }) => uid === vm.metadata.uid)
      ? found
      : undefined
    if (vm.metadata.deletionTimestamp !== undefined) return end(client, vm, vmi)
    if (initialized(client, vm) || addedMetadata(client, vm)) return undefined
    const missing = matchError(client, vm)
    if (missing) return reportMissing(client, vm, missing)
    return wroteRequirements(client, vm) ? undefined : syncPower(client, vm, vmi)
  },
}

const vmsByClaim = indexed(vmKind, (vm) =>
  templateOf(vm).volumes.map((volume) => `${vm.metadata.namespace}/${claimNameOf(volume)}`),
)

/** The VMs that use a PVC or DataVolume, or own it through a template. */
function usersOf(
  { metadata: { namespace, name, ownerReferences = [] } }: KubeObject,
  client: Client,
): Key[] {
  const owners = ownerReferences
    .filter(({ kind }) => kind === 'VirtualMachine')
    .map((owner) => ({ namespace, name: owner.name }))
  return [...owners, ...vmsByClaim(client, `${namespace}/${name}`).flatMap(ownKey)]
}

/** Initializes the printable status of a new VM; true when it wrote. */
function initialized(client: Client, vm: KubeObject): boolean {
  if (read.status(vm).printableStatus !== undefined) return false
  client.setStatus(vmKind, vm, { ...read.status(vm), printableStatus: 'Stopped' })
  return true
}

/** Adds the annotations and the finalizer of virt-controller to a new VM; true when it wrote. */
function addedMetadata(client: Client, vm: KubeObject): boolean {
  const { annotations = {}, finalizers = [] } = vm.metadata
  if (annotations['kubevirt.io/latest-observed-api-version'] === undefined) {
    client.change(vmKind, vm, {
      ...vm,
      metadata: { ...vm.metadata, annotations: { ...annotations, ...observed } },
    })
    return true
  }
  if (finalizers.includes(controllerFinalizer)) return false
  client.change(vmKind, vm, {
    ...vm,
    metadata: { ...vm.metadata, finalizers: [...finalizers, controllerFinalizer] },
  })
  return true
}

/** Returns an error when the instance type or preference does not exist. */
function matchError(client: Client, vm: KubeObject): SyncError | null {
  const { missing } = matchedBy(client, vm)
  return (
    missing && {
      reason:
        missing.matcher === 'instancetype' ? 'FailedFindInstancetype' : 'FailedFindPreference',
      message: missing.why,
    }
  )
}

function reportMissing(client: Client, vm: KubeObject, error: SyncError): number {
  report(client, vm, { error, restart: null })
  return retryMs
}

/** Creates the objects that the VM needs before its VMI; true when it wrote. */
const wroteRequirements = (client: Client, vm: KubeObject): boolean =>
  storedRevisions(client, vm) || createdDataVolume(client, vm)

/** Stores the revisions of instance type and preference; true when it wrote. */
function storedRevisions(client: Client, vm: KubeObject): boolean {
  const status = storeRevisions(client, vm)
  if (status === null) return false
  client.setStatus(vmKind, vm, status)
  return true
}

/** Creates the next missing DataVolume of the VM's templates; true when it wrote. */
function createdDataVolume(client: Client, vm: KubeObject): boolean {
  const { namespace = '' } = vm.metadata
  for (const template of read.maps(read.spec(vm).dataVolumeTemplates)) {
    const metadata = read.map(template.metadata)
    const name = read.text(metadata.name)
    const known = client.get('datavolumes.cdi.kubevirt.io', namespace, name)
    if (known && adopted(client, vm, known)) return true
    if (known) continue
    // A DataVolume template has the shape of a DataVolume.
    const made = {
      ...template,
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
    } as unknown as KubeObject
    client.create('datavolumes.cdi.kubevirt.io', {
      ...made,
      metadata: {
        ...metadata,
        name,
        namespace,
        labels: labelsOf(vm, metadata),
        annotations: annotationsOf(metadata),
        ownerReferences: [ownedBy(vm)],
      },
    })
    client.record(vm, {
      type: 'Normal',
      reason: 'SuccessfulDataVolumeCreate',
      message: `Created DataVolume ${name}`,
    })
    return true
  }
  return false
}

/** Adopts an existing DataVolume without a controller. */
function adopted(client: Client, vm: KubeObject, volume: KubeObject): boolean {
  if (controllerOf(volume) || volume.metadata.deletionTimestamp !== undefined) return false
  const ownerReferences = [...(volume.metadata.ownerReferences ?? []), ownedBy(vm)]
  client.change('datavolumes.cdi.kubevirt.io', volume, {
    ...volume,
    metadata: { ...volume.metadata, ownerReferences },
  })
  return true
}

// The schema allows only strings as annotations of a template.
const annotationsOf = ({ annotations }: JsonMap): Record<string, string> => ({
  ...(read.map(annotations) as Record<string, string>),
  'cdi.kubevirt.io/allowClaimAdoption': 'true',
})

// The schema allows only strings as labels of a template.
const labelsOf = (vm: KubeObject, { labels }: JsonMap): Record<string, string> => ({
  ...(read.map(labels) as Record<string, string>),
  'kubevirt.io/created-by': vm.metadata.uid ?? '',
})

function syncPower(
  client: Client,
  vm: KubeObject,
  vmi: KubeObject | undefined,
): number | undefined {
  if (vmi && updatedGeneration(client, vm, vmi)) return undefined
  const step = powerStep(vm, vmi)
  if (step === 'stop' && vmi) stop(client, vm, vmi)
  if (step === 'start' && volumesAllow(client, vm)) return start(client, vm)
  const outcome = vmi ? syncLive(client, vm, vmi) : settled
  forgetNics(client, vm)
  report(client, vm, outcome)
  return outcome.error === null ? undefined : retryMs
}

/** Removes absent NICs from the VM after they are detached. */
function forgetNics(client: Client, { metadata: { namespace, name } }: KubeObject): void {
  const vm = client.get(vmKind, namespace, name)
  if (vm) client.change(vmKind, vm, withoutDetachedNics(vm, client.get(vmiKind, namespace, name)))
}

function start(client: Client, vm: KubeObject): number | undefined {
  const waitMs = backOffMs(vm)
  const error = waitMs > 0 ? null : started(client, vm)
  // The new VMI is part of the next reconcile; the status of this one has none.
  if (waitMs === 0 && error === null) return reportStarted(client, vm, undefined)
  report(client, vm, { error, restart: null })
  return error === null ? waitMs : retryMs
}

/** Reads VM and VMI again, because earlier steps may have changed them. */
function report(
  client: Client,
  { metadata: { namespace, name, uid } }: KubeObject,
  outcome: SyncOutcome,
): void {
  const vm = client.get(vmKind, namespace, name)
  const found = client.get(vmiKind, namespace, name)
  const vmi = found?.metadata.ownerReferences?.some((owner) => owner.uid === uid)
    ? found
    : undefined
  if (vm) client.setStatus(vmKind, vm, statusOf(client, { vm, vmi }, outcome))
  // The VM's status now contains the result of the VMI.
  if (vmi && isFinal(vmi)) client.release(vmiKind, vmi, controllerFinalizer)
}

function reportStarted(
  client: Client,
  { metadata: { namespace, name } }: KubeObject,
  vmi: KubeObject | undefined,
): undefined {
  const vm = client.get(vmKind, namespace, name)
  if (vm) client.setStatus(vmKind, vm, statusOf(client, { vm, vmi }, settled))
}

/**
 * Updates the generation annotation of a VMI whose start template equals the VM's; true when it
 * wrote.
 */
function updatedGeneration(client: Client, vm: KubeObject, vmi: KubeObject): boolean {
  const generation = String(vm.metadata.generation ?? 1)
  if (vmi.metadata.annotations?.[generationMark] === generation) return false
  const start = startSpecOf(client, vmi)
  if (start === null || !isDeepStrictEqual(start.template, read.spec(vm).template)) return false
  const annotations = { ...vmi.metadata.annotations, [generationMark]: generation }
  client.change(vmiKind, vmi, { ...vmi, metadata: { ...vmi.metadata, annotations } })
  return true
}

/** True when the DataVolumes of the templates are filled or wait for their first consumer. */
function volumesAllow(client: Client, vm: KubeObject): boolean {
  return read.maps(read.spec(vm).dataVolumeTemplates).every((template) => {
    const volume = client.get(
      'datavolumes.cdi.kubevirt.io',
      vm.metadata.namespace,
      read.text(read.map(template.metadata).name),
    )
    return (
      volume !== undefined &&
      ['Succeeded', 'WaitForFirstConsumer', 'PendingPopulation'].includes(phaseOf(volume))
    )
  })
}

/** Creates the VMI; returns the error when that fails. */
function started(client: Client, vm: KubeObject): SyncError | null {
  const { namespace, name } = vm.metadata
  try {
    if (!client.get('controllerrevisions.apps', namespace, revisionName(vm)))
      client.create('controllerrevisions.apps', revisionOf(vm))
    const desired = vmiFromVm(client, vm)
    if (typeof desired === 'string') return { reason: 'FailedCreate', message: desired }
    client.create(vmiKind, desired)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { message } = error
    client.record(vm, {
      type: 'Warning',
      reason: 'FailedCreate',
      message: `Error creating virtual machine instance: ${message}`,
    })
    return { reason: 'FailedCreate', message: `Failure while starting VMI: ${message}` }
  }
  const message = `Started the virtual machine by creating the new virtual machine instance ${name}`
  client.record(vm, { type: 'Normal', reason: 'SuccessfulCreate', message })
  return null
}

function stop(client: Client, vm: KubeObject, vmi: KubeObject): void {
  if (vmi.metadata.deletionTimestamp !== undefined) return
  const crashed =
    phaseOf(vmi) === 'Failed' && strategyOf(vm) === 'RerunOnFailure' && !isStartRequested(vm)
  // Stored in the VM's status, because the failed VMI is about to be deleted.
  if (crashed)
    client.setStatus(vmKind, vm, {
      ...read.status(vm),
      stateChangeRequests: [...requestsOf(vm), { action: 'Start' }],
    })
  client.remove(vmiKind, vmi)
  const message = `Stopped the virtual machine by deleting the virtual machine instance ${vmi.metadata.uid}`
  client.record(vm, { type: 'Normal', reason: 'SuccessfulDelete', message })
}

function end(client: Client, vm: KubeObject, vmi: KubeObject | undefined): undefined {
  const orphans = vm.metadata.finalizers?.includes('orphan') === true
  if (vmi && !orphans) stop(client, vm, vmi)
  if (vmi) report(client, vm, settled)
  const current = client.get(vmKind, vm.metadata.namespace, vm.metadata.name)
  if (!current || (vmi && !orphans)) return
  const left = client.release(vmKind, current, controllerFinalizer)
  // Another finalizer may still hold the VM, and its status must show that the VMI is gone.
  if (!vmi && client.get(vmKind, left.metadata.namespace, left.metadata.name))
    report(client, left, settled)
}
