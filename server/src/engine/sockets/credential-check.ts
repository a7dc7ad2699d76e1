import { type Log } from '../../runtime/log.ts'
import { faultFrom, statusOf } from '../http/faults.ts'
import { type Caller } from './session.ts'
import { type Wire, closing } from './wire.ts'

interface Standing {
  wire: Wire
  caller: Pick<Caller, 'standing'> | null
}

/**
 * A credential that has ended closes what was opened with it; so does one whose rights have
 * changed, for they were shared.
 */
export async function recheckAll(sessions: Iterable<Standing>, log: Log): Promise<void> {
  for (const { wire, caller } of [...sessions]) {
    const standing = caller && wire.open ? await standingOf(caller, log) : 'good'
    if (standing === 'ended') wire.close(closing.unauthorized)
    if (standing === 'changed') wire.close(closing.forbidden)
  }
}

async function standingOf(
  caller: Pick<Caller, 'standing'>,
  log: Log,
): ReturnType<Caller['standing']> {
  try {
    return await caller.standing()
  } catch (error) {
    // Nothing is known against the caller; the next round asks again.
    log.warn('a credential could not be looked up again', { error })
    return 'good'
  }
}

/** Who is not welcome, and why as far as it is told. */
export function unwelcome(
  error: unknown,
  log: Log,
): { close: (typeof closing)['unauthorized' | 'forbidden' | 'tryLater']; status: number } {
  const fault = faultFrom(error)
  const status = statusOf[fault.code]
  if (status >= 500) log.error('a socket could not be identified', { error: fault.cause ?? fault })
  if (status >= 500 || status === 429)
    return { close: closing.tryLater, status: status === 429 ? 429 : 503 }
  const isStranger = status === 401 || status === 400
  return {
    close: isStranger ? closing.unauthorized : closing.forbidden,
    status: isStranger ? 401 : 403,
  }
}
