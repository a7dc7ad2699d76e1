import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type Secret } from '../../runtime/config/secret.ts'
import { type RefreshClaim } from '../../usecases/session/renew-session.ts'
import { cookieNamed, cookieText } from '../../engine/http/cookie.ts'

/**
 * The refresh token contains a session and a generation under a MAC, so it cannot be forged and an
 * old one is recognized. It is stored in a cookie that scripts cannot read. Over https the cookie
 * has the `__Host-` prefix, so a sibling domain cannot set it. The prefix requires `Path=/`; that
 * is acceptable, because a path protects nothing.
 */
export interface RefreshCookie {
  write(claim: RefreshClaim, seconds: number): string
  clear(): string
  read(cookies: string | undefined): RefreshClaim | null
  /** True when the browser sent the cookie, valid or not. */
  isIn(cookies: string | undefined): boolean
}

const shape = /^([0-9a-f-]{36})\.(\d{1,9})\.([\w-]{43})$/

export function refreshCookieFrom(secret: Secret, secure: boolean): RefreshCookie {
  const key = Buffer.from(hkdfSync('sha256', secret.reveal(), 'berth', 'refresh-token', 32))
  const name = secure ? '__Host-berth-refresh' : 'berth-refresh'
  const macOf = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')
  const setting = { name, secure, sameSite: 'Strict' } as const
  return {
    write({ sessionId, generation }, seconds) {
      const text = `${sessionId}.${generation}`
      return cookieText({ ...setting, value: `${text}.${macOf(text)}`, seconds })
    },
    isIn: (cookies) => Boolean(cookieNamed(cookies, name)),
    clear: () => cookieText({ ...setting, value: '', seconds: 0 }),
    read(cookies) {
      const [, sessionId, generation, mac] = shape.exec(cookieNamed(cookies, name) ?? '') ?? []
      if (sessionId === undefined || mac === undefined) return null
      const good = timingSafeEqual(
        Buffer.from(mac),
        Buffer.from(macOf(`${sessionId}.${generation}`)),
      )
      return good ? { sessionId, generation: Number(generation) } : null
    },
  }
}
