import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Capabilities } from './capabilities.ts'
import { problemsIn } from './problems.ts'
import { type PolledValue, pollValue } from '../../engine/kube/poll-value.ts'
import { type CapabilityReader } from '../reader.ts'
import { type Message } from '../../engine/model/message.ts'

export type FollowedCapabilities = PolledValue<Capabilities>

interface FollowParts {
  reader: CapabilityReader
  clock: Clock
  log: Log
  periodMs?: number
  /** The period while a component or a right is missing. */
  incompleteMs?: number
}

/**
 * Reads the capabilities periodically. Logs them when they are first known and when they change.
 */
export const followCapabilities = ({
  reader,
  clock,
  log,
  periodMs = 60_000,
  incompleteMs = Math.min(periodMs, 15_000),
}: FollowParts): FollowedCapabilities =>
  pollValue({
    read: () => reader.readCapabilities(),
    clock,
    periodMs: (found) => (found && problemsIn(found).length > 0 ? incompleteMs : periodMs),
    onChange(capabilities, before) {
      const { versions } = capabilities
      const fields = { versions, missingFeatures: missingIn(capabilities) }
      log.info(before ? 'cluster.capabilities_changed' : 'cluster.capabilities_read', fields)
      log.debug('cluster.capabilities_listed', { capabilities })
    },
    onFailure: (error) =>
      log.warn('cluster.capabilities_read_failed', {
        error,
        effect:
          'Berth offers what the cluster supported at the last reading, and before the first one refuses what needs it; it reads again in seconds',
        remedy: 'none, unless it repeats: check the API server and the RBAC rules of Berth',
      }),
  })

/** Returns the reason of each missing feature by its name. */
function missingIn({ features }: Capabilities): Record<string, Message | null> {
  return Object.fromEntries(
    Object.entries(features).flatMap(([name, { available, reason }]) =>
      available ? [] : [[name, reason]],
    ),
  )
}
