import { checkedName, labels } from '../../engine/kube/refs.ts'
import { type NamespaceReader, type ObservedNamespace } from '../reader.ts'
import { type NamespaceWriter, type DesiredNamespace } from '../writer.ts'
import { type ApiKind } from '../../engine/kube/api-call.ts'
import { type ApplyObject, deleteObject, readObject } from '../../engine/kube/apply.ts'
import { type ApiObject, listIn } from '../../engine/kube/objects.ts'
import { ownerIn } from '../../engine/kube/observed-object.ts'
import { type Transport } from '../../engine/kube/transport.ts'

export const namespaceKind: ApiKind = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
}

/** Reads the namespaces that Berth manages: one for each tenant, and one for each VPC. */
export function namespaceReader(transport: Transport): NamespaceReader {
  return {
    async getNamespace({ name }) {
      const object = await readObject(transport, { of: namespaceKind, name: checkedName(name) })
      return object && observedNamespace(object)
    },

    async listNamespaces({ limit, after }) {
      const query = {
        limit: String(limit),
        labelSelector: `${labels.managedBy}=berth`,
        ...(after === null ? {} : { continue: after }),
      }
      const list = listIn((await transport.call({ method: 'GET', of: namespaceKind, query })).body)
      return { items: list.items.map(observedNamespace), after: list.after }
    },
  }
}

/** Creates, corrects and deletes namespaces. */
export function namespaceWriter(transport: Transport, apply: ApplyObject): NamespaceWriter {
  return {
    applyNamespace: async (desired) => observedNamespace(await apply(namespaceManifest(desired))),
    deleteNamespace: async ({ name }, uid) =>
      deleteObject(transport, { of: namespaceKind, name: checkedName(name) }, uid),
  }
}

const namespaceManifest = (desired: DesiredNamespace) => ({
  of: namespaceKind,
  name: checkedName(desired.name),
  owner: { tenantId: desired.tenantId, rowId: desired.rowId },
  uid: desired.uid,
  labels: desired.labels,
  annotations: desired.annotations,
})

/** Never throws: an answer of a newer cluster becomes `unknown`, never `active`. */
function observedNamespace({ metadata, status }: ApiObject): ObservedNamespace {
  // Both fields are compared below before they are used.
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

function phaseOf(phase: unknown, isDeleted: boolean): ObservedNamespace['phase'] {
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
  const blocker = holding
    .map((type) => known.find((each) => each.type === type && each.status === 'True'))
    .find((each) => each !== undefined)
  return typeof blocker?.message === 'string' ? blocker.message : null
}
