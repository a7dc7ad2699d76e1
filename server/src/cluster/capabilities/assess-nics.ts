import { type Feature, available, missing } from './capabilities.ts'
import { type NicHotplugObstacles } from '../../domain/nic/wait-reasons.ts'
import { textsAt } from '../../engine/kube/field-at.ts'
import { messageOf } from '../../engine/model/message.ts'

interface NicFacts {
  kubevirt: unknown
  /** The minor version of KubeVirt 1.x. */
  minor: number
  /** At most two schedulable nodes; empty when Berth may not list nodes. */
  nodes: readonly unknown[]
}

/**
 * Decides whether NICs can be attached to running VMs, which KubeVirt does by live migration.
 * Detaching needs no migration.
 */
export function assessNics({ kubevirt, minor, nodes }: NicFacts): {
  feature: Feature
  hindrances: NicHotplugObstacles
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
