import { type FaultMessage, faultFromProblem } from '../api/fault-message.ts'
import type { Grant, Renewal } from './token-keeper.ts'
import { takePrefetchedRenewal } from './prefetched.ts'
import { messagesHeader } from '../i18n/messages.ts'
import { t } from '../i18n/t.ts'

// This header protects against CSRF: a form of another site cannot set it.
const sessionHeader = { 'x-berth-session': '1' }

/** Renews the session by its cookie, and returns a new access token or `gone`. */
export async function fetchGrant(): Promise<Renewal> {
  const answer = await (takePrefetchedRenewal() ??
    fetch('/auth/session/refresh', {
      method: 'POST',
      headers: { ...sessionHeader, ...messagesHeader() },
    }))
  if (answer.status === 204) return 'gone'
  if (answer.ok) return (await answer.json()) as Grant // The server's own contract, same origin.
  if (answer.status === 401 || answer.status === 403) return 'gone'
  throw new TypeError(`The session could not be renewed (${answer.status}).`)
}

export interface Credentials {
  username: string
  password: string
  code?: string
}

/**
 * Logs in with a password and, for a user with a second factor, a code. Returns the access token,
 * or the fault to show.
 */
export async function postSession(credentials: Credentials): Promise<Grant | FaultMessage> {
  try {
    const headers = { ...sessionHeader, ...messagesHeader(), 'content-type': 'application/json' }
    const answer = await fetch('/auth/session', {
      method: 'POST',
      headers,
      body: JSON.stringify(credentials),
    })
    if (answer.ok) return (await answer.json()) as Grant // The server's own contract, same origin.
    return withRetryAfter(
      answer,
      faultFromProblem(answer.status, await answer.json().catch(() => null)),
    )
  } catch {
    return faultFromProblem(0, null)
  }
}

/** Logs out: the server ends the session. */
export async function deleteSession() {
  await fetch('/auth/session', { method: 'DELETE', headers: sessionHeader })
}

export interface LoginMethods {
  password: boolean
  oidc: { displayName: string; startUrl: string } | null
  /** Why the last login through the identity provider failed. The server answers it once. */
  failure: FaultMessage | null
}

export async function fetchLoginMethods(): Promise<LoginMethods> {
  const answer = await fetch('/auth/methods').catch(() => null)
  // Without an answer the password form is shown, and the login itself reports the problem.
  if (!answer?.ok) return { password: true, oidc: null, failure: null }
  // The server's own contract, same origin.
  const { failure, ...methods } = (await answer.json()) as LoginMethods & { failure: unknown }
  return { ...methods, failure: failure ? faultFromProblem(answer.status, failure) : null }
}

/** The fault of a failed login whose reason was shown before, or could not be stored. */
export const unexplainedLoginFailure = (): FaultMessage => ({
  code: 'login_failed',
  sentence: t('The login with your identity provider did not succeed.'),
  remedy: t('Start it again; if it fails again, ask the operator.'),
  fields: {},
  requestId: null,
  transient: false,
})

function withRetryAfter(answer: Response, fault: FaultMessage): FaultMessage {
  const seconds = Number(answer.headers.get('retry-after'))
  if (answer.status !== 429 || !(seconds > 0)) return fault
  return {
    ...fault,
    sentence: t('Too many attempts.'),
    remedy: t('Wait {seconds} s and try again.', { seconds }),
  }
}
