import { type Log } from '../../runtime/log.ts'
import { faultFrom, statusOf } from '../http/faults.ts'
import { type Caller } from './session.ts'
import { type Wire, closing } from './wire.ts'

interface CheckedSession {
  wire: Wire
  caller: Pick<Caller, 'standing'> | null
}

/**
 * Closes the sockets of expired credentials. It also closes those whose permissions changed,
 * because shared executions use the permissions of the start.
 */
export async function recheckAll(sessions: Iterable<CheckedSession>, log: Log): Promise<void> {
  for (const { wire, caller } of [...sessions]) {
    const credential = caller && wire.open ? await credentialOf(caller, log) : 'good'
    if (credential === 'ended') wire.close(closing.unauthorized)
    if (credential === 'changed') wire.close(closing.forbidden)
  }
}

async function credentialOf(
  caller: Pick<Caller, 'standing'>,
  log: Log,
): ReturnType<Caller['standing']> {
  try {
    return await caller.standing()
  } catch (error) {
    // A failed check proves nothing against the caller; the next round repeats it.
    log.warn('socket.credential_recheck_failed', { error })
    return 'good'
  }
}

/** Maps an admission error to a close reason and an HTTP status, which reveal nothing else. */
export function unwelcome(
  error: unknown,
  log: Log,
): { close: (typeof closing)['unauthorized' | 'forbidden' | 'tryLater']; status: number } {
  const fault = faultFrom(error)
  const status = statusOf[fault.code]
  if (status >= 500) log.error('socket.identification_failed', { error: fault.cause ?? fault })
  if (status >= 500 || status === 429)
    return { close: closing.tryLater, status: status === 429 ? 429 : 503 }
  const isUnauthenticated = status === 401 || status === 400
  return {
    close: isUnauthenticated ? closing.unauthorized : closing.forbidden,
    status: isUnauthenticated ? 401 : 403,
  }
}
