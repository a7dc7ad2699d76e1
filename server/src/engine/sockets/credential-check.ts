import { type Log } from '../../runtime/log.ts'
import { type Fault } from '../model/fault.ts'
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
    log.warn('connection.credential_check_failed', {
      userId: caller.userId,
      error,
      effect: 'the connection stays open until the next check, even if the credential was revoked',
      remedy: 'none, unless it repeats: check PostgreSQL',
    })
    return 'good'
  }
}

/** Returns how to close a connection whose caller may not connect. It does not reveal the cause. */
export function admissionRefusal(
  error: unknown,
  log: Log,
): { close: (typeof socketCloseReasons)['unauthorized' | 'forbidden' | 'tryLater'] } {
  const status = statusOf[loggedFault(error, log).code]
  if (status >= 500 || status === 429) return { close: socketCloseReasons.tryLater }
  const isUnauthenticated = status === 401 || status === 400
  return { close: socketCloseReasons[isUnauthenticated ? 'unauthorized' : 'forbidden'] }
}

/**
 * Returns how to refuse a caller before the handshake: the status and the sentence of the fault, as
 * any other request gets them.
 */
export function upgradeRefusal(error: unknown, log: Log): { status: number; text?: string } {
  const { code, message: text } = loggedFault(error, log)
  const status = statusOf[code]
  return status >= 500 ? { status: 503 } : { status, text }
}

/** Returns the fault, and logs it when the server and not the client is to blame. */
function loggedFault(error: unknown, log: Log): Fault {
  const fault = faultFrom(error)
  if (statusOf[fault.code] >= 500)
    log.error('socket.opening_failed', {
      code: fault.code,
      error: fault.cause ?? fault,
      effect: 'the socket was not opened, and its client was told to connect again later',
      remedy:
        'check PostgreSQL; with the code internal, report the error to the developers of Berth',
    })
  return fault
}
