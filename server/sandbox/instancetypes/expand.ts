import { type ClusterConfig } from '../objects/vms/cluster-config.ts'
import { within } from '../objects/vms/draft.ts'
import { setDefaultNetwork, setSpecDefaults, setVolumeDisks } from '../objects/vms/spec-defaults.ts'
import { type KubeObject, isMap } from '../objects/types.ts'
import { read } from '../objects/read.ts'
import { applyMatched, conflictPaths, matchedBy } from './apply.ts'
import { type Reader } from './find.ts'

/**
 * Expands the instance type and preference of a VM into its spec, or returns why that fails. A VM
 * without them is returned unchanged.
 */
export function expanded(
  reader: Reader,
  vm: KubeObject,
  config: ClusterConfig,
): KubeObject | string {
  const { instancetype, preference } = read.spec(vm)
  if (instancetype === undefined && preference === undefined) return vm
  const { matched, missing } = matchedBy(reader, vm)
  if (missing) return missing.why
  const draft = structuredClone(vm)
  const spec = within(draft, 'spec')
  const template = {
    spec: within(spec, 'template', 'spec'),
    metadata: within(spec, 'template', 'metadata'),
  }
  setVolumeDisks(template.spec)
  setDefaultNetwork(template.spec, config)
  const conflicts = applyMatched(template, matched)
  if (conflicts.length > 0) {
    const paths = conflictPaths('spec.template.spec', conflicts)
    return `VM field(s) ${paths.join(', ')} conflicts with selected instance type`
  }
  setSpecDefaults(template.spec, config)
  delete spec.instancetype
  delete spec.preference
  if (isMap(draft.status)) {
    delete draft.status.instancetypeRef
    delete draft.status.preferenceRef
  }
  return draft
}
