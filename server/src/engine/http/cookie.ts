export interface Cookie {
  name: string
  value: string
  /** Zero removes the cookie. */
  seconds: number
  secure: boolean
  sameSite: 'Strict' | 'Lax'
}

/** Returns a Set-Cookie value. Scripts can read none of Berth's cookies. */
export function cookieText({ name, value, seconds, secure, sameSite }: Cookie): string {
  return `${name}=${value}; Path=/; Max-Age=${Math.max(0, Math.floor(seconds))}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`
}

/**
 * Returns the value of a cookie in a request. Of two cookies with one name it returns the first,
 * which browsers send for the longer path.
 */
export function cookieNamed(cookies: string | undefined, name: string): string | null {
  const pair = cookies?.split(';').find((part) => part.trimStart().startsWith(`${name}=`))
  return pair === undefined ? null : pair.trim().slice(name.length + 1)
}
