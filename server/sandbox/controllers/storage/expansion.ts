import { clock } from '../../clock.ts'
import { type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { read } from '../../objects/read.ts'
import { annotated, claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'

/** Expands the volume of a PVC that requests more than its capacity. */
export const resizer: Controller = {
  name: 'external-resizer csi.example.com',
  program: 'csi-resizer',
  sources: [{ kind: names.claims, keysOf: ownKey }],
  reconcile(desk, { namespace, name }) {
    const object = desk.get(names.claims, namespace, name)
    if (!object || !claim.isBound(object) || claim.bytes(object) <= claim.capacity(object))
      return undefined
    const volume = desk.get(names.volumes, undefined, claim.volumeName(object))
    if (!volume) return undefined
    begin(desk, object, volume)
    const waitMs = desk.remainingMs('resize', object)
    if (waitMs > 0) return waitMs
    const current = desk.get(names.claims, namespace, name)
    if (current) finish(desk, current, volume)
    return undefined
  },
}

function begin(desk: Desk, object: KubeObject, volume: KubeObject): void {
  const status = read.status(object)
  const conditions = read.maps(status.conditions)
  if (conditions.some(({ type }) => type === 'Resizing')) return
  const condition = {
    type: 'Resizing',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: clock.timestamp(),
  }
  desk.setStatus(names.claims, object, { ...status, conditions: [...conditions, condition] })
  desk.record(object, {
    type: 'Normal',
    reason: 'Resizing',
    message: `External resizer is resizing volume ${volume.metadata.name}`,
  })
  const message = 'waiting for an external controller to expand this PVC'
  desk.record(object, { type: 'Normal', reason: 'ExternalExpanding', message })
}

function finish(desk: Desk, object: KubeObject, volume: KubeObject): void {
  const capacity = { storage: claim.size(object) }
  desk.change(names.volumes, volume, { ...volume, spec: { ...read.spec(volume), capacity } })
  const { conditions, ...status } = read.status(object)
  const others = read.maps(conditions).filter(({ type }) => type !== 'Resizing')
  const marked = annotated(object, { 'volume.kubernetes.io/node-expansion-not-required': 'true' })
  desk.change(names.claims, object, {
    ...marked,
    status: { ...status, capacity, ...(others.length > 0 ? { conditions: others } : {}) },
  })
  desk.record(object, {
    type: 'Normal',
    reason: 'VolumeResizeSuccessful',
    message: 'Resize volume succeeded',
  })
}
