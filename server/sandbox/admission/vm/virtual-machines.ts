import { type Identity } from '../../objects/identity.ts'
import { randomUUID } from 'node:crypto'
import { type Cause } from '../../objects/cause.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { applyMatched, conflictPaths, matchedBy } from '../../instancetypes/apply.ts'
import { shortfallOf } from '../../instancetypes/requirements.ts'
import { spreadConflict } from '../../instancetypes/topology.ts'
import { cause, denyIfAny } from '../refusals.ts'
import {
  type ClusterConfig,
  clusterConfig,
  machineTypeFor,
} from '../../objects/vms/cluster-config.ts'
import { mustDecode } from './decoded.ts'
import { setUnset, within } from '../../objects/vms/draft.ts'
import { lockCauses } from './locks.ts'
import { vmCauses, namespaceCauses } from './vm-rules.ts'
import { architectureOf, resolveMatchers } from './matching.ts'
import { hasPcieHotplug, markTopology } from './pci-topology.ts'
import { discontinuedBindings } from './network-rules/networks.ts'
import { setSpecDefaults } from '../../objects/vms/spec-defaults.ts'
import { volumeRequestCauses } from './volume-requests.ts'
import { reserialized } from './reserialized.ts'

const mutator = 'virtualmachines-mutator.kubevirt.io'
const validator = 'virtualmachine-validator.kubevirt.io'
const statusValidator = 'kubevirt-crd-status-validator.kubevirt.io'

/** Sets KubeVirt's defaults in a VM. They are few, because most are set in the VMI. */
export function admitVm(request: WebhookRequest): KubeObject {
  const { object, resource } = request
  if (request.subresource !== undefined) return object
  mustDecode(
    { webhook: mutator, schema: resource.schema, struct: 'VirtualMachineInstanceTemplateSpec' },
    object,
  )
  if (object.metadata.deletionTimestamp !== undefined) return object
  const draft = structuredClone(object)
  resolveMatchers(request, draft, mutator)
  setVmDefaults(request, draft)
  return {
    ...draft,
    spec: reserialized(draft.spec ?? null, resource.schema.properties?.spec ?? {}),
  }
}

function setVmDefaults(request: WebhookRequest, draft: KubeObject): void {
  const isNew = request.old === null
  const template = within(draft, 'spec', 'template')
  const spec = within(template, 'spec')
  if (isNew)
    setUnset(within(spec, 'domain', 'firmware'), { uuid: randomUUID(), serial: randomUUID() })
  setUnset(spec, {
    architecture: architectureOf(request, draft) ?? clusterConfig(request).architecture,
  })
  setUnset(within(spec, 'domain', 'machine'), {
    type: machineTypeFor(read.text(spec.architecture)),
  })
  // Go serializes these structs even when they are empty.
  within(spec, 'domain', 'resources')
  if (read.at(spec, 'domain', 'features') !== undefined) within(spec, 'domain', 'features', 'acpi')
  if (isNew && hasPcieHotplug(spec)) markTopology(within(template, 'metadata'))
}

/** Validates a VM: first the VMI that it would create, then the fields of the VM itself. */
export function reviewVm(request: WebhookRequest): void {
  const { object, old, user, warn } = request
  if (request.subresource === 'status') return reviewStatus(request)
  if (object.metadata.deletionTimestamp !== undefined) return
  const config = clusterConfig(request)
  const copy = structuredClone(object)
  denyIfAny(validator, matchCauses(request, copy, config))
  const spec = within(copy, 'spec', 'template', 'spec')
  if (!old) denyIfAny(validator, discontinuedBindings({ spec, at: 'spec', config }))
  denyIfAny(validator, vmCauses({ vm: copy, config, isKubeVirts: isKubeVirts(user) }))
  denyIfAny(validator, namespaceCauses(object, old))
  if (old) denyIfAny(validator, lockCauses(old, object))
  denyIfAny(validator, volumeRequestCauses(object))
  if (read.spec(object).running !== undefined)
    warn('spec.running is deprecated, please use spec.runStrategy instead.')
}

const isKubeVirts = ({ name }: Identity): boolean =>
  name.startsWith('system:serviceaccount:kubevirt:')

function reviewStatus({ object, old }: WebhookRequest): void {
  denyIfAny(statusValidator, volumeRequestCauses(object))
  if (old) denyIfAny(statusValidator, lockCauses(old, object))
}

/**
 * Applies the instance type and the preference to the copy, if they exist, and then the defaults.
 * Returns conflicts between them.
 */
function matchCauses(request: WebhookRequest, copy: KubeObject, config: ClusterConfig): Cause[] {
  const { matched } = matchedBy(request, copy)
  const template = within(copy, 'spec', 'template')
  const spec = within(template, 'spec')
  const spread =
    matched.instancetype === null ? null : spreadConflict(matched.instancetype, matched.preference)
  if (spread !== null) return [cause.wrong('instancetype.spec.cpu.guest', spread)]
  const conflicts = conflictPaths(
    'spec.template.spec',
    applyMatched({ spec, metadata: within(template, 'metadata') }, matched),
  )
  if (conflicts.length > 0)
    return conflicts.map((path) =>
      cause.wrong(path, `VM field(s) ${path} conflicts with selected instance type`),
    )
  setSpecDefaults(spec, config)
  const shortfall = shortfallOf(matched, spec)
  return shortfall
    ? [
        cause.absent(
          shortfall.field,
          `failure checking preference requirements: ${shortfall.message}`,
        ),
      ]
    : []
}
