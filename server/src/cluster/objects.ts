import { checkedName, labels, ownershipLabels } from '../engine/kube/refs.ts'
import {
  type DataVolumeReader,
  type ObjectNoun,
  type ObjectReader,
  type ObservedService,
  type ServiceReader,
} from './reader.ts'
import { type ObjectRef } from '../engine/kube/observed.ts'
import { type Adopter, type ObjectWriter } from './writer.ts'
import { type DesiredObject } from './desired/desired.ts'
import {
  type ApplyObject,
  deleteObject,
  type Manifest,
  readObject,
  requireObject,
} from '../engine/kube/apply.ts'
import { manifests } from './manifests.ts'
import { withoutEmptyLists } from '../engine/kube/content/manifest.ts'
import { numberAt } from './vm/conditions.ts'
import { listAt } from '../engine/kube/field-at.ts'
import { type ApiObject, listIn } from '../engine/kube/objects.ts'
import { observedDataVolume } from './volume/observed-data-volume.ts'
import { observedObject } from '../engine/kube/observed-object.ts'
import { type WatchCache } from '../engine/kube/watch/watch-cache.ts'
import { type Transport } from '../engine/kube/transport.ts'

const targetOf = (noun: ObjectNoun, { namespace, name }: ObjectRef) => ({
  of: manifests[noun].of,
  ...(namespace === null ? {} : { namespace: checkedName(namespace) }),
  name: checkedName(name),
})

/**
 * Reads objects that every noun has in common: uid, version and owner. DataVolumes and services
 * have more fields.
 */
export function objectReader(
  transport: Transport,
): ObjectReader & DataVolumeReader & ServiceReader {
  return {
    async getDataVolume(ref) {
      const object = await readObject(transport, targetOf('dataVolume', ref))
      return object && observedDataVolume(object)
    },

    async getService(ref) {
      const object = await readObject(transport, targetOf('service', ref))
      return object && observedService(object)
    },

    async getObject(noun, ref) {
      const object = await readObject(transport, targetOf(noun, ref))
      return object && observedObject(object)
    },

    async listObjects(noun, { limit, after }) {
      const query = {
        limit: String(limit),
        labelSelector: `${labels.managedBy}=berth`,
        ...(after === null ? {} : { continue: after }),
      }
      const list = listIn(
        (await transport.call({ method: 'GET', of: manifests[noun].of, query })).body,
      )
      return { items: list.items.map(observedObject), after: list.after }
    },
  }
}

const observedService = ({
  metadata: { uid, resourceVersion: version },
  spec,
}: ApiObject): ObservedService => {
  const [port] = listAt(spec, 'ports')
  return { uid, version, nodePort: numberAt(port, 'nodePort') }
}

/**
 * Applies and deletes objects of every noun. The watch cache learns each applied object at once.
 */
export function objectWriter(
  transport: Transport,
  apply: ApplyObject,
  watchCache: WatchCache,
): ObjectWriter & Adopter {
  return {
    async applyObject(desired) {
      const object = await apply(manifestOf(desired))
      watchCache.put(manifests[desired.noun].of, object)
      return observedObject(object)
    },
    async labelObject(noun, ref, { uid, ...owner }) {
      // An apply of the labels alone would remove the fields that Berth has applied before.
      const target = targetOf(noun, ref)
      const { body } = await transport.call({
        method: 'PATCH',
        ...target,
        contentType: 'application/merge-patch+json',
        body: { metadata: { uid, labels: ownershipLabels(owner) } },
      })
      requireObject(body, target)
    },
    deleteObject: async (noun, ref, uid) => deleteObject(transport, targetOf(noun, ref), uid),
  }
}

/** Builds the whole manifest of a desired object. Pure. */
export function manifestOf<N extends ObjectNoun>({
  noun,
  tenantId,
  rowId,
  uid,
  spec,
  ...ref
}: DesiredObject<N>): Manifest {
  const target = { ...targetOf(noun, ref), owner: { tenantId, rowId } }
  const { content, annotations, labels: extraLabels, owners } = manifests[noun]
  const cleared = content(spec, target)
  return {
    ...target,
    uid,
    content: withoutEmptyLists(cleared),
    cleared,
    annotations: annotations?.(spec),
    labels: extraLabels?.(spec),
    owners: owners?.(spec),
  }
}
