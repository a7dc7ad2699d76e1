/** Yields all pages of work keys in order. */
export async function* keyPages<Key>(
  page: (after: string | null) => Promise<{ keys: readonly Key[]; after: string | null }>,
): AsyncIterable<readonly Key[]> {
  for (let after: string | null = null, first = true; first || after !== null; first = false) {
    const found: Awaited<ReturnType<typeof page>> = await page(after)
    yield found.keys
    after = found.after
  }
}
