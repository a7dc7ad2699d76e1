import { type Identity } from '../../objects/identity.ts'
import { randomUUID } from 'node:crypto'
import { type Cause } from '../../objects/cause.ts'
import { type Admittance } from '../../objects/resource.ts'
import { type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { applyMatched, conflictPaths, matchedBy } from '../../instancetypes/apply.ts'
import { shortfallOf } from '../../instancetypes/requirements.ts'
import { spreadConflict } from '../../instancetypes/topology.ts'
import { cause, mustHaveNone } from '../refusals.ts'
import {
  type ClusterConfig,
  clusterConfig,
  machineTypeFor,
} from '../../objects/vms/cluster-config.ts'
import { mustDecode } from './decoded.ts'
import { setUnset, within } from '../../objects/vms/draft.ts'
import { lockCauses } from './locks.ts'
import { machineCauses, namespaceCauses } from './machine-rules.ts'
import { architectureOf, matchMachine } from './matching.ts'
import { hasPcieHotplug, markTopology } from './pci-topology.ts'
import { discontinuedBindings } from './network-rules/networks.ts'
import { setSpecDefaults } from '../../objects/vms/spec-defaults.ts'
import { volumeRequestCauses } from './volume-requests.ts'
import { writtenAgain } from './written-again.ts'

const mutator = 'virtualmachines-mutator.kubevirt.io'
const validator = 'virtualmachine-validator.kubevirt.io'
const statusValidator = 'kubevirt-crd-status-validator.kubevirt.io'

/** What KubeVirt writes into every VM: little, because most defaults are the instance's. */
export function admitMachine(asked: Admittance): KubeObject {
  const { object, resource } = asked
  if (asked.subresource !== undefined) return object
  mustDecode(
    { webhook: mutator, schema: resource.schema, struct: 'VirtualMachineInstanceTemplateSpec' },
    object,
  )
  if (object.metadata.deletionTimestamp !== undefined) return object
  const draft = structuredClone(object)
  matchMachine(asked, draft, mutator)
  setMachineDefaults(asked, draft)
  return {
    ...draft,
    spec: writtenAgain(draft.spec ?? null, resource.schema.properties?.spec ?? {}),
  }
}

function setMachineDefaults(asked: Admittance, draft: KubeObject): void {
  const isNew = asked.old === null
  const template = within(draft, 'spec', 'template')
  const spec = within(template, 'spec')
  if (isNew)
    setUnset(within(spec, 'domain', 'firmware'), { uuid: randomUUID(), serial: randomUUID() })
  setUnset(spec, {
    architecture: architectureOf(asked, draft) ?? clusterConfig(asked).architecture,
  })
  setUnset(within(spec, 'domain', 'machine'), {
    type: machineTypeFor(read.text(spec.architecture)),
  })
  // Go writes these structs even where nothing is in them.
  within(spec, 'domain', 'resources')
  if (read.at(spec, 'domain', 'features') !== undefined) within(spec, 'domain', 'features', 'acpi')
  if (isNew && hasPcieHotplug(spec)) markTopology(within(template, 'metadata'))
}

/** KubeVirt's judgement of a VM: that of the instance it would have, and then its own. */
export function reviewMachine(asked: Admittance): void {
  const { object, old, user, warn } = asked
  if (asked.subresource === 'status') return reviewStatus(asked)
  if (object.metadata.deletionTimestamp !== undefined) return
  const config = clusterConfig(asked)
  const copy = structuredClone(object)
  mustHaveNone(validator, matchCauses(asked, copy, config))
  const spec = within(copy, 'spec', 'template', 'spec')
  if (!old) mustHaveNone(validator, discontinuedBindings({ spec, at: 'spec', config }))
  mustHaveNone(validator, machineCauses({ vm: copy, config, isKubeVirts: isKubeVirts(user) }))
  mustHaveNone(validator, namespaceCauses(object, old))
  if (old) mustHaveNone(validator, lockCauses(old, object))
  mustHaveNone(validator, volumeRequestCauses(object))
  if (read.spec(object).running !== undefined)
    warn('spec.running is deprecated, please use spec.runStrategy instead.')
}

const isKubeVirts = ({ name }: Identity): boolean =>
  name.startsWith('system:serviceaccount:kubevirt:')

function reviewStatus({ object, old }: Admittance): void {
  mustHaveNone(statusValidator, volumeRequestCauses(object))
  if (old) mustHaveNone(statusValidator, lockCauses(old, object))
}

/**
 * Gives the copy its size and habits, as far as they are there, and its defaults; what of that does
 * not fit together.
 */
function matchCauses(asked: Admittance, copy: KubeObject, config: ClusterConfig): Cause[] {
  const { matched } = matchedBy(asked, copy)
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
