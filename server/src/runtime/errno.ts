/** Returns the system's code of a failed call (`ENOENT`). Null when it is not a system error. */
export function errnoOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null
}
