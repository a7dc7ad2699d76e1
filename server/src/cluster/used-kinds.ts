import { type ApiCall, type ApiKind } from '../engine/kube/api-call.ts'
import { reviewKinds } from '../engine/kube/review-rights.ts'
import { resourceName, rightFor, rightsTo } from '../engine/kube/rights.ts'
import { manifests } from './manifests.ts'
import { nodeKind } from './node/node.ts'
import { nodeStateKind } from './node/nodes.ts'
import { namespaceKind } from './tenant/namespace.ts'
import { instanceKind, instanceSubresourceKind, podKind } from './vm/instances.ts'
import { vmSubresourceKind } from './vm/power-vm.ts'
import { vmSnapshotContentKind } from './vm-snapshot/vm-snapshots.ts'

/** The kinds that Berth lists only to learn what the cluster can do. */
export const capabilityKinds = {
  kubevirt: {
    group: 'kubevirt.io',
    version: 'v1',
    kind: 'KubeVirt',
    plural: 'kubevirts',
    verbs: ['list'],
  },
  cdi: {
    group: 'cdi.kubevirt.io',
    version: 'v1beta1',
    kind: 'CDI',
    plural: 'cdis',
    verbs: ['list'],
  },
  node: nodeKind,
  storageClass: {
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'StorageClass',
    plural: 'storageclasses',
    verbs: ['list'],
  },
  storageProfile: {
    group: 'cdi.kubevirt.io',
    version: 'v1beta1',
    kind: 'StorageProfile',
    plural: 'storageprofiles',
    verbs: ['list'],
  },
  admissionPolicy: manifests.admissionPolicy.of,
  admissionBinding: manifests.admissionBinding.of,
  snapshotClass: {
    group: 'snapshot.storage.k8s.io',
    version: 'v1',
    kind: 'VolumeSnapshotClass',
    plural: 'volumesnapshotclasses',
    verbs: ['list'],
  },
} satisfies Record<string, ApiKind>

/** Every kind that Berth calls. A kind declares its verbs where it is described. */
export const usedKinds: readonly ApiKind[] = [
  namespaceKind,
  nodeKind,
  nodeStateKind,
  podKind,
  instanceKind,
  instanceSubresourceKind,
  vmSubresourceKind,
  vmSnapshotContentKind,
  ...Object.values(manifests).map(({ of }) => of),
  ...Object.values(capabilityKinds),
]

const declared = new Set(
  [...usedKinds, ...Object.values(reviewKinds)]
    .flatMap(rightsTo)
    .map((right) => `${right.verb} ${resourceName(right)}`),
)

/**
 * Throws for a call that its kind does not declare. The check of rights would not know the call,
 * and no operator would be told to grant it.
 */
export function requireDeclared(call: ApiCall): void {
  const right = rightFor(call)
  if (right === null || declared.has(`${right.verb} ${resourceName(right)}`)) return
  throw new TypeError(`no kind in usedKinds declares the call ${right.verb} ${resourceName(right)}`)
}
