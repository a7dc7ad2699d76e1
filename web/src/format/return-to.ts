/** Only a path of this console: `//host`, `/\host` and full addresses would lead elsewhere. */
export function safeReturnTo(given: unknown): string {
  return typeof given === 'string' && /^\/(?![/\\])/.test(given) && !/^\/login\b/.test(given)
    ? given
    : '/'
}
