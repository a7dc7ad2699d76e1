import { type Feature, available, missing } from './capabilities.ts'
import { type NicHindrances } from '../../domain/nic/cold.ts'
import { textsAt } from '../../engine/kube/field-at.ts'
import { messageOf } from '../../engine/model/message.ts'

interface NicFacts {
  kubevirt: unknown
  /** Of its version 1.x. */
  minor: number
  /** Two at most of those that VMs can be put on; none where they are not for us to see. */
  nodes: readonly unknown[]
}

/**
 * Whether NICs come to guests that run: KubeVirt moves them for it where it is told to. They leave
 * guests without a move.
 */
export function assessNics({ kubevirt, minor, nodes }: NicFacts): {
  feature: Feature
  hindrances: NicHindrances
} {
  if (minor < 4)
    return { feature: missing(tooOld), hindrances: { attach: 'platform', detach: 'platform' } }
  const methods = textsAt(kubevirt, 'spec', 'workloadUpdateStrategy', 'workloadUpdateMethods')
  if (!methods.includes('LiveMigrate'))
    return { feature: missing(notMoved), hindrances: { attach: 'platform', detach: null } }
  if (nodes.length === 1)
    return { feature: missing(oneNode), hindrances: { attach: 'one_host', detach: null } }
  return { feature: available, hindrances: { attach: null, detach: null } }
}

const tooOld = messageOf('capability.nics_version')
const notMoved = messageOf('capability.nics_no_migration')
const oneNode = messageOf('capability.nics_one_node')
