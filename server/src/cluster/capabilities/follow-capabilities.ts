import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Capabilities } from './capabilities.ts'
import { type Followed, follow } from '../../engine/kube/follow.ts'
import { type CapabilityReader } from '../reader.ts'
import { type Message } from '../../engine/model/message.ts'

export type FollowedCapabilities = Followed<Capabilities>

interface FollowParts {
  reader: CapabilityReader
  clock: Clock
  log: Log
  periodMs?: number
}

/** It is logged when it is first known and whenever it changed. */
export const followCapabilities = ({
  reader,
  clock,
  log,
  periodMs = 60_000,
}: FollowParts): FollowedCapabilities =>
  follow({
    look: () => reader.readCapabilities(),
    clock,
    periodMs,
    onChange(found) {
      log.info('the cluster answers', { versions: found.versions, missing: missingIn(found) })
      log.debug('what the cluster can do', { capabilities: found })
    },
    onFailure: (error) =>
      log.warn('the cluster did not say what it can do; asking again', { error }),
  })

/** Why something is not there, by its name. */
function missingIn({ features }: Capabilities): Record<string, Message | null> {
  return Object.fromEntries(
    Object.entries(features).flatMap(([name, { available, reason }]) =>
      available ? [] : [[name, reason]],
    ),
  )
}
