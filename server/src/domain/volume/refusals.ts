import { Fault } from '../../engine/model/fault.ts'
import {
  type Ability,
  type StorageClassView,
  type StorageClasses,
  notTold,
} from '../storage-class/storage-class.ts'
import { type VolumeState } from './state.ts'
import { type VolumeView } from './volume.ts'

export const volumeActions = ['attach', 'detach', 'resize', 'rename', 'snapshot', 'delete'] as const
export type VolumeAction = (typeof volumeActions)[number]

type Ruled = Pick<
  VolumeView,
  'name' | 'state' | 'deleting' | 'vmId' | 'heldBy' | 'bound' | 'storageClass'
>

/** Why the action is refused now, in words for a user; null when it is allowed. */
export function volumeRefusal(
  action: VolumeAction,
  volume: Ruled,
  classes: StorageClasses,
): Fault | null {
  if (volume.deleting && action !== 'delete')
    return wrongState(volume, 'is being deleted; nothing can be done with it any more')
  return rules[action](volume, classes)
}

export function mustAllow(action: VolumeAction, volume: Ruled, classes: StorageClasses): void {
  const refusal = volumeRefusal(action, volume, classes)
  if (refusal) throw refusal
}

type Rule = (volume: Ruled, classes: StorageClasses) => Fault | null

const rules: Readonly<Record<VolumeAction, Rule>> = {
  attach: (volume) => whenUsed(volume) ?? unlessThere(volume),
  detach: (volume) =>
    volume.vmId === null
      ? wrongState(volume, 'is attached to no VM; there is nothing to detach')
      : null,
  resize: (volume, classes) =>
    unlessThere(volume) ?? unlessBound(volume) ?? unlessAble(volume, classes, growth),
  rename: () => null,
  snapshot: (volume, classes) =>
    unlessThere(volume) ?? unlessAble(volume, classes, copies) ?? unlessBound(volume),
  delete: whenUsed,
}

const wrongState = ({ name }: Ruled, why: string): Fault =>
  new Fault('wrong_state', `Volume ${name} ${why}.`)

function whenUsed({ name, vmId, heldBy }: Ruled): Fault | null {
  if (vmId !== null)
    return new Fault('in_use', `Volume ${name} is in use: attached to a VM; detach it first.`)
  return heldBy === null
    ? null
    : new Fault('in_use', `Volume ${name} is in use: a VM still has it; wait until it is detached.`)
}

/** Why nothing can be done with what a state leaves; null where the volume is there. */
const absences: Readonly<Record<VolumeState, string | null>> = {
  creating: 'is still being made; wait until it is ready',
  ready: null,
  attaching: null,
  attached: null,
  detaching: null,
  resizing: null,
  lost: 'was removed outside of this platform; delete it and create another one',
  failed: 'could not be made; delete it and create another one',
  deleting: 'is being deleted; nothing can be done with it any more',
}

function unlessThere(volume: Ruled): Fault | null {
  const why = absences[volume.state]
  return why === null ? null : wrongState(volume, why)
}

const unlessBound = (volume: Ruled): Fault | null =>
  volume.bound
    ? null
    : wrongState(volume, 'takes no room before its first use; attach it to a VM first')

/** Something that only some kinds of storage can do. */
interface Need {
  of: (storageClass: StorageClassView) => Ability
  refusal: (volume: Ruled) => Fault
}

function unlessAble(volume: Ruled, classes: StorageClasses, { of, refusal }: Need): Fault | null {
  if (classes === null) return notTold()
  const storageClass = classes.find(({ name }) => name === volume.storageClass)
  return storageClass && of(storageClass).available ? null : refusal(volume)
}

const growth: Need = {
  of: ({ expand }) => expand,
  refusal: ({ name, storageClass }) =>
    new Fault(
      'expansion_not_supported',
      `Volume ${name} is on storage class ${storageClass}, whose volumes cannot grow; create a larger one and copy what is on it.`,
    ),
}

const copies: Need = {
  of: ({ snapshot }) => snapshot,
  refusal: ({ name, storageClass }) =>
    new Fault(
      'snapshots_not_supported',
      `Volume ${name} is on storage class ${storageClass}, which takes no snapshots of volumes; take a snapshot of its VM instead.`,
    ),
}
