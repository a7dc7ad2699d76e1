type Close = () => Promise<void>

const opened: Close[] = []

/**
 * Closes what a test file has started when its tests are over. Test files share a process and its
 * modules, so a hook that a module registers would run for the first file alone; the setup file
 * `each-file.ts` runs for every file.
 */
export const closeAfterFile = (close: Close): void => void opened.push(close)

/** The newest first; all are closed even when one of them fails. */
export async function closeOpened(): Promise<void> {
  const errors: unknown[] = []
  for (const close of opened.splice(0).toReversed())
    await close().catch((error: unknown) => errors.push(error))
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, 'what a file left open')
}
