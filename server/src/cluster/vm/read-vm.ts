import { type ObservedVm } from '../../domain/vm/observed.ts'
import { type Clock } from '../../runtime/clock.ts'
import { checkedName, type ClusterName, labels } from '../../engine/kube/refs.ts'
import { type ListedInstance, type ListedVm, type VmReader } from '../reader.ts'
import { type Page, type PageRequest } from '../../engine/kube/observed.ts'
import { type ApiKind } from '../../engine/kube/api-call.ts'
import { readObject } from '../../engine/kube/apply.ts'
import { reasonWhen } from './conditions.ts'
import { fieldAt, textAt } from '../../engine/kube/field-at.ts'
import { instanceKind, launcherPodsOf } from './instances.ts'
import { manifests } from '../manifests.ts'
import { type ApiObject, listIn } from '../../engine/kube/objects.ts'
import { claimedDisks } from './observed-disks.ts'
import { observedObject } from '../../engine/kube/observed-object.ts'
import { phaseEnteredAt, observedVm } from './observed-vm.ts'
import { type WatchCache } from '../../engine/kube/watch/watch-cache.ts'
import { type Transport } from '../../engine/kube/transport.ts'

interface ReadContext {
  transport: Transport
  clock: Clock
  namespace: ClusterName
}

/** Reads VMs and their VMIs from the API server, with as few calls as possible. */
export function vmReader(transport: Transport, clock: Clock): VmReader {
  return {
    async getVm({ namespace, name }) {
      const reference = { namespace: checkedName(namespace), name: checkedName(name) }
      const vm = await readObject(transport, { of: manifests.vm.of, ...reference })
      if (!vm) return null
      // A new VMI that the VM does not report yet is skipped. The report follows soon and triggers
      // another read.
      const isCreated = fieldAt(vm, 'status', 'created') === true
      const instance = isCreated
        ? await readObject(transport, { of: instanceKind, ...reference })
        : null
      return observedVm({
        vm,
        instance,
        ...(await reasonsFor({ transport, clock, namespace: reference.namespace }, vm, instance)),
      })
    },
    listVms: async (page) => listManaged(transport, { of: manifests.vm.of, page, as: listedVm }),
    listInstances: async (page) =>
      listManaged(transport, { of: instanceKind, page, as: listedInstance }),
  }
}

/** Reads the VM from the watch cache; null when a call would be needed. */
export function getCachedVm(
  watchCache: WatchCache,
  clock: Clock,
  ref: { namespace: string; name: string },
): ObservedVm | null {
  const vm = watchCache.get(manifests.vm.of, ref)
  if (!vm) return null
  const isCreated = fieldAt(vm, 'status', 'created') === true
  const instance = isCreated ? watchCache.get(instanceKind, ref) : null
  if ((isCreated && !instance) || isUnclear(clock, instance)) return null
  if (!isWaitingForDisks(vm)) return observedVm({ vm, instance, volumes: [], launchers: null })
  const volumes = claimedDisks(vm).map(({ volume: name }) =>
    watchCache.get(manifests.dataVolume.of, { ...ref, name }),
  )
  const known = volumes.filter((volume) => volume !== null)
  return known.length < volumes.length
    ? null
    : observedVm({ vm, instance, volumes: known, launchers: null })
}

const diskStatuses = [
  'Provisioning',
  'WaitingForVolumeBinding',
  'DataVolumeError',
  'ErrorPvcNotFound',
]

const isWaitingForDisks = (vm: ApiObject): boolean =>
  diskStatuses.includes(textAt(vm, 'status', 'printableStatus') ?? '')

const isUnclear = (clock: Clock, instance: ApiObject | null): boolean =>
  instance !== null && (isLateWithoutReason(clock, instance) || isSilent(instance))

interface Reasons {
  volumes: readonly ApiObject[]
  launchers: readonly ApiObject[] | null
}

/** Makes the one extra call that explains the state of the VM, when one is needed. */
async function reasonsFor(
  context: ReadContext,
  vm: ApiObject,
  instance: ApiObject | null,
): Promise<Reasons> {
  if (isWaitingForDisks(vm)) return { volumes: await dataVolumesOf(context, vm), launchers: null }
  if (!instance || !isUnclear(context.clock, instance)) return { volumes: [], launchers: null }
  return {
    volumes: [],
    launchers: await launcherPodsOf(context.transport, context.namespace, instance.metadata.uid),
  }
}

/**
 * Most VMs have one volume, and then only that one is read. DataVolumes do not name the VM that
 * uses them.
 */
async function dataVolumesOf(
  { transport, namespace }: ReadContext,
  vm: ApiObject,
): Promise<readonly ApiObject[]> {
  const disks = claimedDisks(vm)
  const [only] = disks
  if (!only) return []
  const { of } = manifests.dataVolume
  if (disks.length > 1)
    return listIn(
      (await transport.call({ method: 'GET', of, namespace, query: managedByBerth })).body,
    ).items
  const found = await readObject(transport, { of, namespace, name: checkedName(only.volume) })
  return found ? [found] : []
}

/** The usual duration of a start on a node that has no image of it yet. */
const usualStartMs = 15_000

function isLateWithoutReason(clock: Clock, instance: ApiObject): boolean {
  const phase = textAt(instance, 'status', 'phase') ?? ''
  if (
    phase !== 'Scheduling' ||
    reasonWhen(instance, 'PodScheduled', 'False') ||
    reasonWhen(instance, 'Synchronized', 'False')
  )
    return false
  const since = Date.parse(phaseEnteredAt(instance, phase) ?? '')
  return clock.now().getTime() - since > usualStartMs
}

/** The VMI runs but is not ready, mostly because its node does not respond. */
const isSilent = (instance: ApiObject): boolean =>
  textAt(instance, 'status', 'phase') === 'Running' &&
  reasonWhen(instance, 'Ready', 'False')?.reason === 'PodNotReady'

const managedByBerth = { labelSelector: `${labels.managedBy}=berth` }

interface Listing<Item> {
  of: ApiKind
  page: PageRequest
  as: (object: ApiObject) => Item
}

async function listManaged<Item>(
  transport: Transport,
  { of, page: { limit, after }, as }: Listing<Item>,
): Promise<Page<Item>> {
  const query = {
    ...managedByBerth,
    limit: String(limit),
    ...(after === null ? {} : { continue: after }),
  }
  const list = listIn((await transport.call({ method: 'GET', of, query })).body)
  return { items: list.items.map(as), after: list.after }
}

const listedVm = (vm: ApiObject): ListedVm => ({
  ...observedObject(vm),
  printableStatus: textAt(vm, 'status', 'printableStatus'),
  runStrategy: textAt(vm, 'spec', 'runStrategy'),
  ready: fieldAt(vm, 'status', 'ready') === true,
})

const listedInstance = (instance: ApiObject): ListedInstance => ({
  ...observedObject(instance),
  phase: textAt(instance, 'status', 'phase'),
  node: textAt(instance, 'status', 'nodeName'),
})
