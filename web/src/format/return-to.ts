/** Returns the path when it is one of this console. `//host`, `/\host` and URLs lead elsewhere. */
export function safeReturnTo(returnTo: unknown): string {
  return typeof returnTo === 'string' &&
    /^\/(?![/\\])/.test(returnTo) &&
    !/^\/login\b/.test(returnTo)
    ? returnTo
    : '/'
}
