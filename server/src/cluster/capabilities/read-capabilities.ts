import { type Capabilities } from './capabilities.ts'
import { ClusterError, type Trouble } from '../../engine/kube/cluster-error.ts'
import { type ApiKind, type FixedPath } from '../../engine/kube/api-call.ts'
import { assess } from './assess.ts'
import { manifests } from '../manifests.ts'
import { namespaceKind } from '../tenant/namespace.ts'
import { nodeKind } from '../node/node.ts'
import { listIn } from '../../engine/kube/objects.ts'
import { type Transport } from '../../engine/kube/transport.ts'

const kinds = {
  kubevirt: { group: 'kubevirt.io', version: 'v1', kind: 'KubeVirt', plural: 'kubevirts' },
  cdi: { group: 'cdi.kubevirt.io', version: 'v1beta1', kind: 'CDI', plural: 'cdis' },
  node: nodeKind,
  storageClass: {
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'StorageClass',
    plural: 'storageclasses',
  },
  storageProfile: {
    group: 'cdi.kubevirt.io',
    version: 'v1beta1',
    kind: 'StorageProfile',
    plural: 'storageprofiles',
  },
  admissionPolicy: manifests.admissionPolicy.of,
  admissionBinding: manifests.admissionBinding.of,
  snapshotClass: {
    group: 'snapshot.storage.k8s.io',
    version: 'v1',
    kind: 'VolumeSnapshotClass',
    plural: 'volumesnapshotclasses',
  },
} satisfies Record<string, ApiKind>

/**
 * Asks the API server which versions, API groups, storage classes and nodes it has, and derives the
 * capabilities. * Reads everything once. Throws when the cluster does not answer, because features
 * would then wrongly count as missing.
 */
export async function readCapabilities(transport: Transport): Promise<Capabilities> {
  const all = (of: ApiKind): Promise<readonly unknown[]> => listOf(transport, of, { limit: '500' })
  const [version, groups, kubevirtAnswers, kubevirts, cdis, ...lists] = await Promise.all([
    bodyOf(transport, '/version'),
    bodyOf(transport, '/apis'),
    answers(transport, '/apis/subresources.kubevirt.io/v1/version'),
    all(kinds.kubevirt),
    all(kinds.cdi),
    all(kinds.storageClass),
    all(kinds.storageProfile),
    all(kinds.snapshotClass),
    all(kinds.admissionPolicy),
    all(kinds.admissionBinding),
    listOf(transport, kinds.node, nodesForVms),
  ])
  const installed = { kubevirt: kubevirts[0] ?? null, cdi: cdis[0] ?? null }
  const [
    storageClasses,
    storageProfiles,
    snapshotClasses,
    admissionPolicies,
    admissionBindings,
    nodes = [],
  ] = lists
  return assess({
    version,
    served: servedIn(groups),
    kubevirtAnswers,
    ...installed,
    storageClasses,
    storageProfiles,
    snapshotClasses,
    admissionPolicies,
    admissionBindings,
    nodes,
  })
}

const absences: readonly Trouble[] = ['gone', 'not_served', 'not_permitted']

/** Two nodes are enough: live migration only needs a second one. */
const nodesForVms = {
  labelSelector: 'kubevirt.io/schedulable=true',
  fieldSelector: 'spec.unschedulable!=true',
  limit: '2',
}

async function listOf(
  transport: Transport,
  of: ApiKind,
  query: Record<string, string>,
): Promise<readonly unknown[]> {
  try {
    // No known cluster has more objects than the limit of the query, so no second page is read.
    return listIn((await transport.call({ method: 'GET', of, query })).body).items
  } catch (error) {
    if (error instanceof ClusterError && absences.includes(error.trouble)) return []
    throw error
  }
}

/** Discovery belongs to no kind, but error messages need one. */
const discoveryCall = (fixedPath: FixedPath) => ({
  method: 'GET' as const,
  of: namespaceKind,
  fixedPath,
})

/** Throws when the API server does not answer with its version. */
export async function checkAnswers(transport: Transport): Promise<void> {
  await transport.call(discoveryCall('/version'))
}

async function bodyOf(transport: Transport, path: FixedPath): Promise<unknown> {
  try {
    return (await transport.call(discoveryCall(path))).body
  } catch (error) {
    if (error instanceof ClusterError && absences.includes(error.trouble)) return null
    throw error
  }
}

async function answers(transport: Transport, path: FixedPath): Promise<boolean> {
  try {
    await transport.call(discoveryCall(path))
    return true
  } catch (error) {
    // A 503 means that KubeVirt is down, not that the cluster is.
    if (
      error instanceof ClusterError &&
      error.status !== null &&
      error.trouble !== 'unauthenticated'
    )
      return false
    throw error
  }
}

interface Group {
  versions?: { groupVersion?: unknown }[]
}

function servedIn(body: unknown): ReadonlySet<string> {
  const { groups } = (body ?? {}) as { groups?: unknown } // The next line checks the type.
  const versions = (Array.isArray(groups) ? (groups as (Group | null)[]) : []).flatMap(
    (group) => group?.versions ?? [],
  ) // every field of `Group` is optional
  return new Set(versions.map(({ groupVersion }) => String(groupVersion)))
}
