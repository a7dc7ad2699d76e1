import { ApiError } from '../../objects/status.ts'

/** What the client was warned of it hears also when it is refused in the end. */
export function warningAnyway<T>(warnings: readonly string[], attempt: () => T): T {
  try {
    return attempt()
  } catch (error) {
    if (error instanceof ApiError) error.warnings = warnings
    throw error
  }
}
