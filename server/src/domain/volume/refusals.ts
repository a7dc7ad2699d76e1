import { Fault, type FaultCode, transient } from '../../engine/model/fault.ts'
import {
  type Ability,
  type StorageClassView,
  type StorageClasses,
  storageClassesUnknown,
} from '../storage-class/storage-class.ts'
import { type VolumeState } from './state.ts'
import { type VolumeView } from './volume.ts'
import { type VmView } from '../vm/vm.ts'
import { messageOf } from '../../engine/model/message.ts'

export const volumeActions = ['attach', 'detach', 'resize', 'rename', 'snapshot', 'delete'] as const
export type VolumeAction = (typeof volumeActions)[number]

type VolumeSubject = Pick<
  VolumeView,
  'name' | 'state' | 'deleting' | 'vmId' | 'heldBy' | 'bound' | 'storageClass'
>

/** Returns why the action is refused now, or null when it is allowed. */
export function volumeRefusal(
  action: VolumeAction,
  volume: VolumeSubject,
  classes: StorageClasses,
): Fault | null {
  if (volume.deleting && action !== 'delete') return wrongState(volume, 'volume.deleting')
  return rules[action](volume, classes)
}

export function mustAllow(
  action: VolumeAction,
  volume: VolumeSubject,
  classes: StorageClasses,
): void {
  const refusal = volumeRefusal(action, volume, classes)
  if (refusal) throw refusal
}

type Rule = (volume: VolumeSubject, classes: StorageClasses) => Fault | null

const rules: Readonly<Record<VolumeAction, Rule>> = {
  attach: (volume) => whenUsed(volume) ?? unlessThere(volume),
  detach: (volume) => (volume.vmId === null ? wrongState(volume, 'volume.not_attached') : null),
  resize: (volume, classes) =>
    unlessThere(volume) ?? unlessBound(volume) ?? unlessAble(volume, classes, expansion),
  rename: () => null,
  snapshot: (volume, classes) =>
    unlessThere(volume) ?? unlessAble(volume, classes, snapshots) ?? unlessBound(volume),
  delete: whenUsed,
}

type Reason = `volume.${'creating' | 'deleting' | 'failed' | 'lost' | 'not_attached' | 'unbound'}`

const wrongState = ({ name }: VolumeSubject, reason: Reason): Fault =>
  new Fault('wrong_state', messageOf(reason, { name }), { transient: reason === 'volume.creating' })

function whenUsed({ name, vmId, heldBy }: VolumeSubject): Fault | null {
  if (vmId !== null) return new Fault('in_use', messageOf('volume.attached', { name }))
  return heldBy === null ? null : new Fault('in_use', messageOf('volume.held', { name }), transient)
}

/** The refusal in states without a usable volume; null in all other states. */
const refusalByState: Readonly<Record<VolumeState, Reason | null>> = {
  creating: 'volume.creating',
  ready: null,
  attaching: null,
  attached: null,
  detaching: null,
  resizing: null,
  lost: 'volume.lost',
  failed: 'volume.failed',
  deleting: 'volume.deleting',
}

function unlessThere(volume: VolumeSubject): Fault | null {
  const reason = refusalByState[volume.state]
  return reason === null ? null : wrongState(volume, reason)
}

const unlessBound = (volume: VolumeSubject): Fault | null =>
  volume.bound ? null : wrongState(volume, 'volume.unbound')

type VmSubject = Pick<VmView, 'name' | 'state'>

/**
 * Returns why a volume prevents a snapshot of its VM, or null when it does not. The cluster would
 * wait for a volume that is not bound.
 */
export function vmSnapshotRefusal(volume: VolumeSubject, vm: VmSubject): Fault | null {
  const key = vmSnapshotReason(volume, vm)
  if (key === null) return null
  const message = messageOf(key, { name: volume.name, vm: vm.name })
  const isTransient = key === 'volume.creating' || key === 'volume.unbound_in_vm'
  return new Fault('wrong_state', message, { transient: isTransient })
}

function vmSnapshotReason({ state, bound }: VolumeSubject, vm: VmSubject) {
  if (state === 'lost' || state === 'failed') return `volume.${state}_of_vm` as const
  if (bound) return null
  if (state === 'creating') return 'volume.creating'
  // A running VM binds the volume when it gets it.
  return vm.state === 'Running' || vm.state === 'Paused'
    ? 'volume.unbound_in_vm'
    : 'volume.unbound_of_vm'
}

/** A feature that only some storage classes have. */
interface Feature {
  of: (storageClass: StorageClassView) => Ability
  code: FaultCode
  lacking: ClassRefusal
  /** The refusal when the cluster no longer has the storage class. */
  withoutClass: ClassRefusal
}

type ClassRefusal =
  | 'volume.cannot_grow'
  | 'volume.cannot_grow_without_class'
  | 'volume.no_snapshots'
  | 'volume.no_snapshots_without_class'

function unlessAble(
  volume: VolumeSubject,
  classes: StorageClasses,
  { of, code, lacking, withoutClass }: Feature,
): Fault | null {
  if (classes === null) return storageClassesUnknown()
  const storageClass = classes.find(({ name }) => name === volume.storageClass)
  if (storageClass && of(storageClass).available) return null
  const key = storageClass ? lacking : withoutClass
  return new Fault(code, messageOf(key, { name: volume.name, class: volume.storageClass }))
}

const expansion: Feature = {
  of: ({ expand }) => expand,
  code: 'expansion_not_supported',
  lacking: 'volume.cannot_grow',
  withoutClass: 'volume.cannot_grow_without_class',
}

const snapshots: Feature = {
  of: ({ snapshot }) => snapshot,
  code: 'snapshots_not_supported',
  lacking: 'volume.no_snapshots',
  withoutClass: 'volume.no_snapshots_without_class',
}
