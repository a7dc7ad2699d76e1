import { randomToken } from '../../runtime/ids.ts'
import { type LoginDevice } from '../../engine/auth/login-throttle.ts'
import { cookieNamed, cookieText } from '../../engine/http/cookie.ts'
import { sealFromSecret } from '../../runtime/seal.ts'
import { type Secret } from '../../runtime/config/secret.ts'

/**
 * Says which users have logged in with a browser, so that guesses from elsewhere do not slow down
 * their next login here. It is sealed, and it gives no access.
 */
export interface DeviceCookie {
  read(cookies: string | undefined): LoginDevice | null
  /** Returns the cookie after a login of the user. */
  write(device: LoginDevice | null, userId: string): string
}

const seconds = 365 * 86_400
const mostUsers = 5
const idBytes = 16

export function deviceCookieFrom(secret: Secret, secure: boolean): DeviceCookie {
  const seal = sealFromSecret(secret, 'login-device')
  const name = secure ? '__Host-berth-device' : 'berth-device'
  return {
    read(cookies) {
      const sealed = cookieNamed(cookies, name)
      if (!sealed) return null
      try {
        // `write` wrote everything that opens under this key.
        return JSON.parse(seal.open(Buffer.from(sealed, 'base64url'))) as LoginDevice
      } catch {
        // The cookie is cut off, or sealed with an earlier secret: the browser is an unknown one.
        return null
      }
    },
    write(device, userId) {
      const earlier = device?.userIds.filter((id) => id !== userId) ?? []
      const userIds = [userId, ...earlier].slice(0, mostUsers)
      const next: LoginDevice = { id: device?.id ?? randomToken(idBytes), userIds }
      const value = seal.close(JSON.stringify(next)).toString('base64url')
      return cookieText({ name, value, seconds, secure, sameSite: 'Strict' })
    },
  }
}
