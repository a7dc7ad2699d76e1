import { clock } from '../../clock.ts'
import { type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { read } from '../../objects/read.ts'
import { annotated, claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'

/** Expands the volume of a PVC that requests more than its capacity. */
export const resizer: Controller = {
  name: 'external-resizer csi.example.com',
  fieldManager: 'csi-resizer',
  sources: [{ kind: names.claims, keysOf: ownKey }],
  reconcile(client, { namespace, name }) {
    const object = client.get(names.claims, namespace, name)
    if (!object || !claim.isBound(object) || claim.bytes(object) <= claim.capacity(object))
      return undefined
    const volume = client.get(names.volumes, undefined, claim.volumeName(object))
    if (!volume) return undefined
    markResizing(client, object, volume)
    const waitMs = client.remainingMs('resize', object)
    if (waitMs > 0) return waitMs
    const current = client.get(names.claims, namespace, name)
    if (current) finish(client, current, volume)
    return undefined
  },
}

function markResizing(client: Client, object: KubeObject, volume: KubeObject): void {
  const status = read.status(object)
  const conditions = read.maps(status.conditions)
  if (conditions.some(({ type }) => type === 'Resizing')) return
  const condition = {
    type: 'Resizing',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: clock.timestamp(),
  }
  client.setStatus(names.claims, object, { ...status, conditions: [...conditions, condition] })
  client.record(object, {
    type: 'Normal',
    reason: 'Resizing',
    message: `External resizer is resizing volume ${volume.metadata.name}`,
  })
  const message = 'waiting for an external controller to expand this PVC'
  client.record(object, { type: 'Normal', reason: 'ExternalExpanding', message })
}

function finish(client: Client, object: KubeObject, volume: KubeObject): void {
  const capacity = { storage: claim.size(object) }
  client.change(names.volumes, volume, { ...volume, spec: { ...read.spec(volume), capacity } })
  const { conditions, ...status } = read.status(object)
  const otherConditions = read.maps(conditions).filter(({ type }) => type !== 'Resizing')
  const marked = annotated(object, { 'volume.kubernetes.io/node-expansion-not-required': 'true' })
  client.change(names.claims, object, {
    ...marked,
    status: {
      ...status,
      capacity,
      ...(otherConditions.length > 0 ? { conditions: otherConditions } : {}),
    },
  })
  client.record(object, {
    type: 'Normal',
    reason: 'VolumeResizeSuccessful',
    message: 'Resize volume succeeded',
  })
}
