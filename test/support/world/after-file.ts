type Close = () => Promise<void>

const opened: Close[] = []

/**
 * Registers a resource that closes after the tests of a file. Test files share a process and its
 * modules, so a hook of a module would run only for the first file. The setup file `each-file.ts`
 * runs for every file.
 */
export const closeAfterFile = (close: Close): void => void opened.push(close)

/** Closes the resources, the newest first. A failure does not keep the rest open. */
export async function closeOpened(): Promise<void> {
  const errors: unknown[] = []
  for (const close of opened.splice(0).toReversed())
    await close().catch((error: unknown) => errors.push(error))
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, 'several resources failed to close')
}
