import { checkedName, labels } from '../../engine/kube/refs.ts'
import { type NamespaceReader, type SeenNamespace } from '../reader.ts'
import { type NamespaceWriter, type WantedNamespace } from '../writer.ts'
import { type ApiKind } from '../../engine/kube/api-call.ts'
import { applyObject, deleteObject, readObject } from '../../engine/kube/apply.ts'
import { type ApiObject, listIn } from '../../engine/kube/objects.ts'
import { ownerIn } from '../../engine/kube/seen-object.ts'
import { type Transport } from '../../engine/kube/transport.ts'

export const namespaceKind: ApiKind = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
}

export function namespaceReader(transport: Transport): NamespaceReader {
  return {
    async getNamespace({ name }) {
      const object = await readObject(transport, { of: namespaceKind, name: checkedName(name) })
      return object && seenNamespace(object)
    },

    async listNamespaces({ limit, after }) {
      const query = {
        limit: String(limit),
        labelSelector: `${labels.managedBy}=berth`,
        ...(after === null ? {} : { continue: after }),
      }
      const list = listIn((await transport.call({ method: 'GET', of: namespaceKind, query })).body)
      return { items: list.items.map(seenNamespace), after: list.after }
    },
  }
}

export function namespaceWriter(transport: Transport): NamespaceWriter {
  return {
    applyNamespace: async (wanted) =>
      seenNamespace(await applyObject(transport, namespaceManifest(wanted))),
    deleteNamespace: async ({ name }, uid) =>
      deleteObject(transport, { of: namespaceKind, name: checkedName(name) }, uid),
  }
}

const namespaceManifest = (wanted: WantedNamespace) => ({
  of: namespaceKind,
  name: checkedName(wanted.name),
  owner: { tenantId: wanted.tenantId, rowId: wanted.rowId },
  uid: wanted.uid,
  labels: wanted.labels,
  annotations: wanted.annotations,
})

/** Total: an answer of a newer cluster becomes `unknown`, never an error and never `active`. */
function seenNamespace({ metadata, status }: ApiObject): SeenNamespace {
  // both are compared below, not believed
  const { phase, conditions } = (status ?? {}) as { phase?: unknown; conditions?: unknown }
  return {
    name: metadata.name,
    uid: metadata.uid,
    version: metadata.resourceVersion,
    ...ownerIn(metadata.labels),
    phase: phaseOf(phase, metadata.deletionTimestamp !== undefined),
    blockedBy: blockerIn(conditions),
  }
}

function phaseOf(phase: unknown, isDeleted: boolean): SeenNamespace['phase'] {
  if (phase === 'Terminating' || isDeleted) return 'terminating'
  return phase === 'Active' ? 'active' : 'unknown'
}

function blockerIn(conditions: unknown): string | null {
  if (!Array.isArray(conditions)) return null
  // Each field is compared before it is used.
  const known = conditions as { type?: unknown; status?: unknown; message?: unknown }[]
  const holding = [
    'NamespaceFinalizersRemaining',
    'NamespaceContentRemaining',
    'NamespaceDeletionContentFailure',
  ]
  const found = holding
    .map((type) => known.find((each) => each.type === type && each.status === 'True'))
    .find((each) => each !== undefined)
  return typeof found?.message === 'string' ? found.message : null
}
