import { ApiError } from '../../objects/status.ts'

/**
 * Adds the warnings to the error when the attempt fails, so that the client receives them with the
 * refusal.
 */
export function keepingWarnings<T>(warnings: readonly string[], attempt: () => T): T {
  try {
    return attempt()
  } catch (error) {
    if (error instanceof ApiError) error.warnings = warnings
    throw error
  }
}
