import { type Fault } from '../../engine/model/fault.ts'
import { cookieNamed, cookieText } from '../../engine/http/cookie.ts'
import { extensionsFrom } from '../../engine/http/problem.ts'
import { sealFromSecret } from '../../runtime/seal.ts'
import { type Secret } from '../../runtime/config/secret.ts'

/**
 * Carries the fault of a failed login through the redirect to the login page, which shows it once.
 * It is sealed, so no other site can make the page show a text of its own.
 */
export interface FailureCookie {
  write(fault: Fault, requestId: string): string
  clear(): string
  /** Returns the problem for the page; null when no login has just failed. */
  read(cookies: string | undefined): unknown
}

const seconds = 60

export function failureCookieFrom(secret: Secret, secure: boolean): FailureCookie {
  const seal = sealFromSecret(secret, 'login-failure')
  const name = secure ? '__Host-berth-login-failure' : 'berth-login-failure'
  const setting = { name, secure, sameSite: 'Strict' } as const
  return {
    write(fault, requestId) {
      const problem = { detail: fault.message, ...extensionsFrom(fault, requestId) }
      const value = seal.close(JSON.stringify(problem)).toString('base64url')
      return cookieText({ ...setting, value, seconds })
    },
    clear: () => cookieText({ ...setting, value: '', seconds: 0 }),
    read(cookies) {
      const sealed = cookieNamed(cookies, name)
      if (!sealed) return null
      try {
        const problem: unknown = JSON.parse(seal.open(Buffer.from(sealed, 'base64url')))
        return problem
      } catch {
        // The cookie is cut off, or sealed with an earlier secret: the page shows a general text.
        return null
      }
    },
  }
}
