import { type SeenVm } from '../../domain/vm/seen.ts'
import { type Clock } from '../../runtime/clock.ts'
import { checkedName, type ClusterName, labels } from '../../engine/kube/refs.ts'
import { type ListedInstance, type ListedVm, type VmReader } from '../reader.ts'
import { type Page, type PageRequest } from '../../engine/kube/seen.ts'
import { type ApiKind } from '../../engine/kube/api-call.ts'
import { readObject } from '../../engine/kube/apply.ts'
import { reasonWhen } from './conditions.ts'
import { fieldAt, textAt } from '../../engine/kube/field-at.ts'
import { instanceKind, launchersOf } from './instances.ts'
import { manifests } from '../manifests.ts'
import { type ApiObject, listIn } from '../../engine/kube/objects.ts'
import { claimedDisks } from './seen-disks.ts'
import { seenObject } from '../../engine/kube/seen-object.ts'
import { enteredAt, seenVm } from './seen-vm.ts'
import { type Sightings } from '../../engine/kube/watch/watch-cache.ts'
import { type Transport } from '../../engine/kube/transport.ts'

interface Look {
  transport: Transport
  clock: Clock
  namespace: ClusterName
}

export function vmReader(transport: Transport, clock: Clock): VmReader {
  return {
    async getVm({ namespace, name }) {
      const place = { namespace: checkedName(namespace), name: checkedName(name) }
      const vm = await readObject(transport, { of: manifests.vm.of, ...place })
      if (!vm) return null
      // Made a moment ago and not yet said of the VM is soon said, and then somebody looks again.
      const isCreated = fieldAt(vm, 'status', 'created') === true
      const instance = isCreated
        ? await readObject(transport, { of: instanceKind, ...place })
        : null
      return seenVm({
        vm,
        instance,
        ...(await reasonsFor({ transport, clock, namespace: place.namespace }, vm, instance)),
      })
    },
    listVms: async (page) => ofOurs(transport, { of: manifests.vm.of, page, as: listedVm }),
    listInstances: async (page) =>
      ofOurs(transport, { of: instanceKind, page, as: listedInstance }),
  }
}

/** The same from what was heard; null where a call would be needed. */
export function recallVm(
  sightings: Sightings,
  clock: Clock,
  ref: { namespace: string; name: string },
): SeenVm | null {
  const vm = sightings.find(manifests.vm.of, ref)
  if (!vm) return null
  const isCreated = fieldAt(vm, 'status', 'created') === true
  const instance = isCreated ? sightings.find(instanceKind, ref) : null
  if ((isCreated && !instance) || isUnclear(clock, instance)) return null
  if (!isOnItsDisks(vm)) return seenVm({ vm, instance, volumes: [], launchers: null })
  const volumes = claimedDisks(vm).map(({ volume: name }) =>
    sightings.find(manifests.dataVolume.of, { ...ref, name }),
  )
  const known = volumes.filter((volume) => volume !== null)
  return known.length < volumes.length
    ? null
    : seenVm({ vm, instance, volumes: known, launchers: null })
}

const onItsDisks = [
  'Provisioning',
  'WaitingForVolumeBinding',
  'DataVolumeError',
  'ErrorPvcNotFound',
]

const isOnItsDisks = (vm: ApiObject): boolean =>
  onItsDisks.includes(textAt(vm, 'status', 'printableStatus') ?? '')

const isUnclear = (clock: Clock, instance: ApiObject | null): boolean =>
  instance !== null && (isLateWithoutReason(clock, instance) || isSilent(instance))

interface Reasons {
  volumes: readonly ApiObject[]
  launchers: readonly ApiObject[] | null
}

/** The one further call, where there is something to find out. */
async function reasonsFor(look: Look, vm: ApiObject, instance: ApiObject | null): Promise<Reasons> {
  if (isOnItsDisks(vm)) return { volumes: await dataVolumesOf(look, vm), launchers: null }
  if (!instance || !isUnclear(look.clock, instance)) return { volumes: [], launchers: null }
  return {
    volumes: [],
    launchers: await launchersOf(look.transport, look.namespace, instance.metadata.uid),
  }
}

/**
 * A VM has one volume mostly, which is then all that is read; data volumes carry no name of the VM
 * that uses them.
 */
async function dataVolumesOf(
  { transport, namespace }: Look,
  vm: ApiObject,
): Promise<readonly ApiObject[]> {
  const disks = claimedDisks(vm)
  const [only] = disks
  if (!only) return []
  const { of } = manifests.dataVolume
  if (disks.length > 1)
    return listIn((await transport.call({ method: 'GET', of, namespace, query: ours })).body).items
  const found = await readObject(transport, { of, namespace, name: checkedName(only.volume) })
  return found ? [found] : []
}

/** So long does a start on a host that has nothing of it yet take, without anything being wrong. */
const patienceMs = 15_000

function isLateWithoutReason(clock: Clock, instance: ApiObject): boolean {
  const phase = textAt(instance, 'status', 'phase') ?? ''
  if (
    phase !== 'Scheduling' ||
    reasonWhen(instance, 'PodScheduled', 'False') ||
    reasonWhen(instance, 'Synchronized', 'False')
  )
    return false
  const since = Date.parse(enteredAt(instance, phase) ?? '')
  return clock.now().getTime() - since > patienceMs
}

/** It runs, and yet it is called not ready: mostly because nobody hears of its host. */
const isSilent = (instance: ApiObject): boolean =>
  textAt(instance, 'status', 'phase') === 'Running' &&
  reasonWhen(instance, 'Ready', 'False')?.reason === 'PodNotReady'

const ours = { labelSelector: `${labels.managedBy}=berth` }

interface Listing<Item> {
  of: ApiKind
  page: PageRequest
  as: (object: ApiObject) => Item
}

async function ofOurs<Item>(
  transport: Transport,
  { of, page: { limit, after }, as }: Listing<Item>,
): Promise<Page<Item>> {
  const query = { ...ours, limit: String(limit), ...(after === null ? {} : { continue: after }) }
  const list = listIn((await transport.call({ method: 'GET', of, query })).body)
  return { items: list.items.map(as), after: list.after }
}

const listedVm = (vm: ApiObject): ListedVm => ({
  ...seenObject(vm),
  printableStatus: textAt(vm, 'status', 'printableStatus'),
  runStrategy: textAt(vm, 'spec', 'runStrategy'),
  ready: fieldAt(vm, 'status', 'ready') === true,
})

const listedInstance = (instance: ApiObject): ListedInstance => ({
  ...seenObject(instance),
  phase: textAt(instance, 'status', 'phase'),
  node: textAt(instance, 'status', 'nodeName'),
})
