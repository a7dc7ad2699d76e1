import { type Log } from '../../runtime/log.ts'
import { faultFrom, statusOf } from '../http/faults.ts'
import { type Caller } from './session.ts'
import { type Wire, socketCloseReasons } from './wire.ts'

interface CheckedSession {
  wire: Pick<Wire, 'open' | 'close'>
  caller: Pick<Caller, 'checkCredential' | 'userId'> | null
}

/**
 * Checks again whether the caller of each open connection may stay connected. A caller whose
 * credential has ended is disconnected. A caller with other permissions than at the start is
 * disconnected too, because running subscriptions do not notice the change.
 */
export async function recheckAll(sessions: Iterable<CheckedSession>, log: Log): Promise<void> {
  for (const { wire, caller } of [...sessions]) {
    const credential = caller && wire.open ? await credentialOf(caller, log) : 'good'
    if (credential === 'ended') wire.close(socketCloseReasons.unauthorized)
    if (credential === 'changed') wire.close(socketCloseReasons.forbidden)
  }
}

async function credentialOf(
  caller: Pick<Caller, 'checkCredential' | 'userId'>,
  log: Log,
): ReturnType<Caller['checkCredential']> {
  try {
    return await caller.checkCredential()
  } catch (error) {
    // A failed check proves nothing against the caller; the next round repeats it.
    log.warn('socket.credential_check_failed', {
      userId: caller.userId,
      error,
      effect: 'the connection stays open until the next check, even if the credential was revoked',
      remedy: 'none, unless it repeats: check PostgreSQL',
    })
    return 'good'
  }
}

/**
 * Returns how to refuse a caller that may not connect: a close reason and an HTTP status, which do
 * not reveal the cause.
 */
export function admissionRefusal(
  error: unknown,
  log: Log,
): {
  close: (typeof socketCloseReasons)['unauthorized' | 'forbidden' | 'tryLater']
  status: number
} {
  const fault = faultFrom(error)
  const status = statusOf[fault.code]
  if (status >= 500)
    log.error('socket.opening_failed', {
      code: fault.code,
      error: fault.cause ?? fault,
      effect: 'the client was told to connect again later',
      remedy:
        'check PostgreSQL; with the code internal, report the error to the developers of Berth',
    })
  if (status >= 500 || status === 429)
    return { close: socketCloseReasons.tryLater, status: status === 429 ? 429 : 503 }
  const isUnauthenticated = status === 401 || status === 400
  return {
    close: isUnauthenticated ? socketCloseReasons.unauthorized : socketCloseReasons.forbidden,
    status: isUnauthenticated ? 401 : 403,
  }
}
