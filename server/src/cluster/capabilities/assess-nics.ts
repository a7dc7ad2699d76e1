import { type Feature, available, unavailable } from './capabilities.ts'
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
  obstacles: NicHotplugObstacles
} {
  if (minor < 4)
    return { feature: unavailable(tooOld), obstacles: { attach: 'platform', detach: 'platform' } }
  const methods = textsAt(kubevirt, 'spec', 'workloadUpdateStrategy', 'workloadUpdateMethods')
  if (!methods.includes('LiveMigrate'))
    return { feature: unavailable(notMoved), obstacles: { attach: 'platform', detach: null } }
  if (nodes.length === 1)
    return { feature: unavailable(oneNode), obstacles: { attach: 'one_host', detach: null } }
  return { feature: available, obstacles: { attach: null, detach: null } }
}

const tooOld = messageOf('capability.nics_version')
const notMoved = messageOf('capability.nics_no_migration')
const oneNode = messageOf('capability.nics_one_node')
