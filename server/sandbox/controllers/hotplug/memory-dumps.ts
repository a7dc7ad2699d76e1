import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { isDeleted } from '../holds.ts'
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
  reconcile(desk, { namespace, name }) {
    const vm = desk.get(vmKind, namespace, name)
    const request = vm && read.status(vm).memoryDumpRequest
    if (!vm || request === undefined || isDeleted(vm)) return undefined
    const dump = { vm, vmi: desk.get(vmiKind, namespace, name), request: read.map(request) }
    steps[read.text(dump.request.phase)]?.(desk, dump)
    return undefined
  },
}

interface Dump {
  vm: KubeObject
  vmi: KubeObject | undefined
  request: JsonMap
}

const steps: Readonly<Record<string, (desk: Desk, dump: Dump) => void>> = {
  Associating(desk, { vm, vmi, request }) {
    if (!vmi || isDeleted(vmi) || phaseOf(vmi) !== 'Running') return
    const claimName = read.text(request.claimName)
    const volume = { name: claimName, memoryDump: { claimName, hotpluggable: true } }
    if (!named(volumesOf(vmi), claimName)) setInstance(desk, vmi, [...volumesOf(vmi), volume])
    const known = templateVolumes(vm)
    const changed = named(known, claimName) ? vm : setTemplate(desk, vm, [...known, volume])
    setRequest(desk, changed, { ...request, phase: 'InProgress' })
  },
  InProgress(desk, { vm, vmi, request }) {
    const status = vmi && named(statusesOf(vmi), request.claimName)
    const { startTimestamp, endTimestamp, targetFileName } = read.map(status?.memoryDumpVolume)
    if (status?.phase !== 'MemoryDumpCompleted') return
    setRequest(
      desk,
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
  Unmounting(desk, { vm, vmi, request }) {
    const claim = desk.get(
      'persistentvolumeclaims',
      vm.metadata.namespace,
      read.text(request.claimName),
    )
    const mark = { 'kubevirt.io/memory-dump': read.text(request.fileName) }
    if (claim) desk.change('persistentvolumeclaims', claim, annotated(claim, mark))
    if (isUnplugged(desk, vmi, request)) setRequest(desk, vm, { ...request, phase: 'Completed' })
  },
  Dissociating(desk, { vm, vmi, request }) {
    const kept = templateVolumes(vm).filter(({ name }) => name !== request.claimName)
    const changed = setTemplate(desk, vm, kept)
    if (isUnplugged(desk, vmi, request)) setRequest(desk, changed, undefined)
  },
}

/** Removes the volume from the VMI; true when neither its spec nor its status lists the volume. */
function isUnplugged(desk: Desk, vmi: KubeObject | undefined, { claimName }: JsonMap): boolean {
  if (!vmi) return true
  const left = volumesOf(vmi).filter(({ name }) => name !== claimName)
  if (left.length < volumesOf(vmi).length) setInstance(desk, vmi, left)
  return left.length === volumesOf(vmi).length && !named(statusesOf(vmi), claimName)
}

const templateVolumes = (vm: KubeObject): JsonMap[] =>
  read.maps(read.at(vm.spec, 'template', 'spec', 'volumes'))

const setInstance = (desk: Desk, vmi: KubeObject, volumes: JsonMap[]): void =>
  void desk.change(vmiKind, vmi, { ...vmi, spec: { ...read.spec(vmi), volumes } })

function setTemplate(desk: Desk, vm: KubeObject, volumes: JsonMap[]): KubeObject {
  const template = read.map(read.spec(vm).template)
  const spec = {
    ...read.spec(vm),
    template: { ...template, spec: { ...read.map(template.spec), volumes } },
  }
  return desk.change(vmKind, vm, { ...vm, spec })
}

const setRequest = (desk: Desk, vm: KubeObject, memoryDumpRequest: JsonMap | undefined): void =>
  void desk.setStatus(vmKind, vm, filled({ ...read.status(vm), memoryDumpRequest }))
