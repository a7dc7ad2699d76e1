import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
import { filled, read } from '../../objects/read.ts'
import { vmKind, vmiKind } from '../../objects/vms/kinds.ts'
import { phaseOf } from '../../objects/vms/phase.ts'
import { annotated } from '../../objects/storage/claim.ts'
import { named, statusesOf, volumesOf } from './volumes.ts'

/*
 * A memory dump is written to a PVC that is hotplugged for its duration. The request in the VM's
 * status passes Associating, InProgress, Unmounting and Completed.
 *
 * The volume stays in the VM's spec until a client removes the dump.
 */
export const memoryDumps: Controller = {
  name: 'virtualmachine-controller',
  sources: [
    {
      kind: vmKind,
      keysOf: (vm) => (read.status(vm).memoryDumpRequest === undefined ? [] : ownKey(vm)),
    },
    { kind: vmiKind, keysOf: ownKey },
  ],
  reconcile(client, { namespace, name }) {
    const vm = client.get(vmKind, namespace, name)
    const request = vm && read.status(vm).memoryDumpRequest
    if (!vm || request === undefined || isDeleted(vm)) return undefined
    const dump = { vm, vmi: client.get(vmiKind, namespace, name), request: read.map(request) }
    steps[read.text(dump.request.phase)]?.(client, dump)
    return undefined
  },
}

interface Dump {
  vm: KubeObject
  vmi: KubeObject | undefined
  request: JsonMap
}

const steps: Readonly<Record<string, (client: Client, dump: Dump) => void>> = {
  Associating(client, { vm, vmi, request }) {
    if (!vmi || isDeleted(vmi) || phaseOf(vmi) !== 'Running') return
    const claimName = read.text(request.claimName)
    const volume = { name: claimName, memoryDump: { claimName, hotpluggable: true } }
    if (!named(volumesOf(vmi), claimName)) setInstance(client, vmi, [...volumesOf(vmi), volume])
    const known = templateVolumes(vm)
    const changed = named(known, claimName) ? vm : setTemplate(client, vm, [...known, volume])
    setRequest(client, changed, { ...request, phase: 'InProgress' })
  },
  InProgress(client, { vm, vmi, request }) {
    const status = vmi && named(statusesOf(vmi), request.claimName)
    const { startTimestamp, endTimestamp, targetFileName } = read.map(status?.memoryDumpVolume)
    if (status?.phase !== 'MemoryDumpCompleted') return
    setRequest(
      client,
      vm,
      filled({
        ...request,
        phase: 'Unmounting',
        startTimestamp,
        endTimestamp,
        fileName: targetFileName,
      }),
    )
  },
  Unmounting(client, { vm, vmi, request }) {
    const claim = client.get(
      'persistentvolumeclaims',
      vm.metadata.namespace,
      read.text(request.claimName),
    )
    const annotation = { 'kubevirt.io/memory-dump': read.text(request.fileName) }
    if (claim) client.change('persistentvolumeclaims', claim, annotated(claim, annotation))
    if (isUnplugged(client, vmi, request))
      setRequest(client, vm, { ...request, phase: 'Completed' })
  },
  Dissociating(client, { vm, vmi, request }) {
    const remaining = templateVolumes(vm).filter(({ name }) => name !== request.claimName)
    const changed = setTemplate(client, vm, remaining)
    if (isUnplugged(client, vmi, request)) setRequest(client, changed, undefined)
  },
}

/** Removes the volume from the VMI; true when neither its spec nor its status lists the volume. */
function isUnplugged(client: Client, vmi: KubeObject | undefined, { claimName }: JsonMap): boolean {
  if (!vmi) return true
  const left = volumesOf(vmi).filter(({ name }) => name !== claimName)
  if (left.length < volumesOf(vmi).length) setInstance(client, vmi, left)
  return left.length === volumesOf(vmi).length && !named(statusesOf(vmi), claimName)
}

const templateVolumes = (vm: KubeObject): JsonMap[] =>
  read.maps(read.at(vm.spec, 'template', 'spec', 'volumes'))

const setInstance = (client: Client, vmi: KubeObject, volumes: JsonMap[]): void =>
  void client.change(vmiKind, vmi, { ...vmi, spec: { ...read.spec(vmi), volumes } })

function setTemplate(client: Client, vm: KubeObject, volumes: JsonMap[]): KubeObject {
  const template = read.map(read.spec(vm).template)
  const spec = {
    ...read.spec(vm),
    template: { ...template, spec: { ...read.map(template.spec), volumes } },
  }
  return client.change(vmKind, vm, { ...vm, spec })
}

const setRequest = (client: Client, vm: KubeObject, memoryDumpRequest: JsonMap | undefined): void =>
  void client.setStatus(vmKind, vm, filled({ ...read.status(vm), memoryDumpRequest }))
