import { backoffMs } from '../runtime/backoff.ts'
import { type Clock } from '../runtime/clock.ts'
import { type Log } from '../runtime/log.ts'
import { type Capabilities } from './capabilities.ts'
import { type CapabilityReader } from './reader.ts'

export interface FollowedCapabilities {
  /** What was found last; null until the cluster answered for the first time. */
  current(): Capabilities | null
  stop(): Promise<void>
}

interface FollowParts {
  reader: CapabilityReader
  clock: Clock
  log: Log
  periodMs?: number
}

const failureLimits = { firstMs: 500, capMs: 15_000 }

/**
 * Looks at the start, every minute, and soon after the cluster came back. What was known stays known while the cluster is away. It is logged
 * when it is first known and whenever it changed.
 */
export function followCapabilities({ reader, clock, log, periodMs = 60_000 }: FollowParts): FollowedCapabilities {
  const stopping = new AbortController()
  let current: Capabilities | null = null

  const tell = (found: Capabilities): void => {
    log.info('the cluster answers', { versions: found.versions, missing: missingIn(found) })
    log.debug('what the cluster can do', { capabilities: found })
  }

  const look = async (): Promise<boolean> => {
    try {
      const found = await reader.readCapabilities()
      if (JSON.stringify(found) !== JSON.stringify(current)) tell(found)
      current = found
      return true
    } catch (error) {
      log.warn('the cluster did not say what it can do; asking again', { error })
      return false
    }
  }

  const follow = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted;) {
      failures = (await look()) ? 0 : failures + 1
      await clock.sleep(failures === 0 ? periodMs : backoffMs(failures, failureLimits), stopping.signal)
    }
  }

  const following = follow()
  return {
    current: () => current,
    async stop() {
      stopping.abort()
      await following
    },
  }
}

/** Why something is not there, by its name. */
function missingIn({ features }: Capabilities): Record<string, string | null> {
  return Object.fromEntries(Object.entries(features).flatMap(([name, { available, reason }]) => (available ? [] : [[name, reason]])))
}
