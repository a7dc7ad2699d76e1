export type EmbeddedPostgresFailure =
  | 'unsupported'
  | 'no_space'
  | 'not_writable'
  | 'no_privileges'
  | 'locked'
  | 'not_a_cluster'
  | 'failed'

/**
 * The embedded PostgreSQL could not start. `reason` selects the start-up message; the error message
 * is for people.
 */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
  readonly reason: EmbeddedPostgresFailure

  constructor(reason: EmbeddedPostgresFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/**
 * Converts the output of the binaries to an error. The output is always English, because the
 * cluster uses locale C.
 */
export function failureFromOutput(failure: string, output: string): EmbeddedPostgresError {
  const lines = output.trim().split('\n')
  const line =
    lines.find((text) => /FATAL|PANIC|error:|could not/i.test(text)) ?? lines.at(-1) ?? ''
  return new EmbeddedPostgresError(
    reasonFrom(output),
    `${failure}: ${line.replace(/^.*?(FATAL|PANIC|error):\s*/i, '') || 'no output'}`,
  )
}

function reasonFrom(output: string): EmbeddedPostgresFailure {
  if (
    /No space left on device|Check free disk space|wrote only \d+ of \d+ bytes|Disk quota exceeded/i.test(
      output,
    )
  )
    return 'no_space'
  if (isStillLocked(output)) return 'locked'
  if (/Permission denied|Read-only file system/i.test(output)) return 'not_writable'
  return 'failed'
}

/**
 * True when the folder is still locked. After a kill -9 the old postmaster may stay a zombie, and
 * its children may hold the shared memory, for a second or two.
 */
export const isStillLocked = (output: string): boolean =>
  /lock file ".*" already exists|pre-existing shared memory block|is another postmaster/i.test(
    output,
  )
