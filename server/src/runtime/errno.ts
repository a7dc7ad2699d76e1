/**
 * The system's code of a failed call (`ENOENT`), or null when the error is none of the system's.
 */
export function errnoOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null
}
