import { ApiError } from '../objects/status.ts'
import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { read } from '../objects/read.ts'
import { phaseOf } from '../objects/vms/phase.ts'
import { numberOf } from '../quantity.ts'
import {
  type SubresourceCall,
  type SubresourceHandler,
  instanceOf,
  store,
  subjectOf,
} from './call.ts'
import { optionsIn } from './options.ts'
import { deny, empty } from './refusals.ts'

/*
 * Handlers of the VM subresources that request and remove a memory dump. They only write the
 * request into the status of the VM; the controller for memory dumps carries it out.
 */

const requestOf = (vm: KubeObject): JsonMap | null => {
  const { memoryDumpRequest } = read.status(vm)
  return memoryDumpRequest === undefined ? null : read.map(memoryDumpRequest)
}

const setRequest = (call: SubresourceCall, vm: KubeObject, memoryDumpRequest: JsonMap): void =>
  store(call, vm, { ...vm, status: { ...read.status(vm), memoryDumpRequest } })

export const dumpMemory: SubresourceHandler = (call) => {
  const options = optionsIn(call.body, 'v1.VirtualMachineMemoryDumpRequest')
  const vm = subjectOf(call)
  const claimName = claimOf(call, requestOf(vm), read.text(options.claimName))
  mustFit(call, claimName)
  const busy = underWay(requestOf(vm), claimName)
  if (busy !== null) throw deny.conflict(call.subject, busy)
  setRequest(call, vm, { claimName, phase: 'Associating' })
  return empty(202)
}

/** The PVC of the dump. A VM keeps one PVC for its dumps until a client removes the association. */
function claimOf(call: SubresourceCall, known: JsonMap | null, requested: string): string {
  const before = read.text(known?.claimName)
  if (requested === '' && before === '')
    throw deny.badRequest('Memory dump requires claim name to be set')
  if (requested !== '' && before !== '' && requested !== before) {
    const why = `can't request memory dump for pvc [${requested}] while pvc [${before}] is still associated as the memory dump pvc`
    throw deny.conflict(call.subject, why)
  }
  return requested || before
}

function underWay(known: JsonMap | null, claimName: string): string | null {
  const phase = read.text(known?.phase)
  if (phase === 'Dissociating')
    return `can't dump memory for pvc [${claimName}] a remove memory dump request is in progress`
  return ['', 'Completed', 'Failed'].includes(phase)
    ? null
    : `memory dump request for pvc [${claimName}] already in progress`
}

export const removeDump: SubresourceHandler = (call) => {
  const vm = subjectOf(call)
  const known = requestOf(vm)
  if (!known)
    throw deny.conflict(
      call.subject,
      `can't remove memory dump association for vm ${vm.metadata.name}, no association found`,
    )
  const claimName = read.text(known.claimName)
  if (known.remove === true)
    throw deny.conflict(
      call.subject,
      `memory dump remove request for pvc [${claimName}] already exists`,
    )
  setRequest(call, vm, { claimName, phase: 'Dissociating', remove: true })
  return empty(202)
}

const spareBytes = 100 * 2 ** 20
/** The reserved share of a file system. */
const overhead = 0.06

/** Refuses unless the guest runs and the PVC can hold its memory. */
function mustFit(call: SubresourceCall, claimName: string): void {
  const { client, namespace, subject } = call
  const vmi = instanceOf(call)
  const instance = { kind: 'virtualmachineinstance', name: subject.name } as const
  if (!vmi) throw deny.notFound(instance)
  if (phaseOf(vmi) !== 'Running') throw deny.conflict(instance, 'VM is not running')
  const claim = client.get('persistentvolumeclaims', namespace, claimName)
  if (!claim)
    throw claimError(claimName, {
      status: 404,
      reason: 'NotFound',
      text: `persistentvolumeclaim "${claimName}" not found`,
    })
  const why = unfitness(vmi, claim)
  if (why === null) return
  const text = `Operation cannot be fulfilled on persistentvolumeclaim "${claimName}": ${why}`
  throw claimError(claimName, { status: 409, reason: 'Conflict', text })
}

function unfitness(vmi: KubeObject, claim: KubeObject): string | null {
  const { volumeMode, accessModes, resources } = read.spec(claim)
  if (volumeMode === 'Block') return 'pvc should be filesystem pvc'
  if (read.texts(accessModes).every((mode) => mode === 'ReadOnlyMany'))
    return "pvc access mode can't be read only"
  const guest = numberOf(read.at(vmi.spec, 'domain', 'memory', 'guest')) ?? 0
  const needed = Math.ceil((guest + spareBytes) * (1 + overhead))
  const size = numberOf(read.at(resources, 'requests', 'storage')) ?? 0
  return size < needed
    ? `pvc size [${Math.ceil(size / 1000)}k] should be bigger then [${needed}]`
    : null
}

const claimError = (
  name: string,
  { status, reason, text }: { status: number; reason: string; text: string },
): ApiError =>
  new ApiError({ status, reason, message: text, details: { name, kind: 'persistentvolumeclaim' } })
