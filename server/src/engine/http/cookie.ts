export interface Cookie {
  name: string
  value: string
  /** Zero removes it. */
  seconds: number
  secure: boolean
  sameSite: 'Strict' | 'Lax'
}

/** A Set-Cookie value; none of ours is ever readable by a script. */
export function cookieText({ name, value, seconds, secure, sameSite }: Cookie): string {
  return `${name}=${value}; Path=/; Max-Age=${Math.max(0, Math.floor(seconds))}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`
}

/**
 * The value of a cookie in a request; of two with one name the first, which browsers send for the
 * longer path.
 */
export function cookieNamed(cookies: string | undefined, name: string): string | null {
  const pair = cookies?.split(';').find((part) => part.trimStart().startsWith(`${name}=`))
  return pair === undefined ? null : pair.trim().slice(name.length + 1)
}
