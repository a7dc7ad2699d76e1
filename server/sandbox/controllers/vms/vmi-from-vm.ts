import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { within } from '../../objects/vms/draft.ts'
import { setDefaultNetwork, setVolumeDisks } from '../../objects/vms/spec-defaults.ts'
import { clusterConfig } from '../../objects/vms/cluster-config.ts'
import { applyMatched, conflictPaths, matchedBy } from '../../instancetypes/apply.ts'
import { type Client } from '../client.ts'
import { read } from '../../objects/read.ts'
import { ownedBy } from '../owners.ts'
import { revisionName } from './revision.ts'
import { controllerFinalizer } from '../../objects/vms/kinds.ts'

/**
 * The VMI of a VM before the webhooks add defaults. Returns a message when the VM conflicts with
 * its instance type.
 */
export function vmiFromVm(client: Client, vm: KubeObject): KubeObject | string {
  const template = read.map(read.spec(vm).template)
  const metadata = structuredClone(read.map(template.metadata))
  const spec = structuredClone(read.map(template.spec))
  Object.assign(within(metadata, 'annotations'), {
    ...annotationsFor(vm, 'instancetype'),
    ...annotationsFor(vm, 'preference'),
    'kubevirt.io/vm-generation': String(vm.metadata.generation ?? 1),
  })
  setVolumeDisks(spec)
  setDefaultNetwork(spec, clusterConfig(client))
  const conflicts = applyMatched({ spec, metadata }, matchedBy(client, vm).matched)
  if (conflicts.length > 0)
    return `VMI conflicts with instancetype spec in fields: [${conflictPaths('spec', conflicts).join(', ')}]`
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name: vm.metadata.name,
      namespace: vm.metadata.namespace ?? '',
      labels: textsIn(read.map(metadata.labels)),
      annotations: textsIn(read.map(metadata.annotations)),
      finalizers: [controllerFinalizer],
      ownerReferences: [ownedBy(vm)],
    },
    spec,
    status: { virtualMachineRevisionName: revisionName(vm) },
  }
}

/** Annotations that name the instance type or preference of the VMI. */
function annotationsFor(vm: KubeObject, matcher: 'instancetype' | 'preference'): JsonMap {
  const named = read.spec(vm)[matcher]
  if (named === undefined) return {}
  const isNamespaced = read
    .text(read.at(named, 'kind'))
    .toLowerCase()
    .startsWith(`virtualmachine${matcher}`)
  return {
    [`kubevirt.io/${isNamespaced ? '' : 'cluster-'}${matcher}-name`]: read.text(
      read.at(named, 'name'),
    ),
  }
}

// The schema allows only strings as labels and annotations of a template.
const textsIn = (map: JsonMap): Record<string, string> => map as Record<string, string>
