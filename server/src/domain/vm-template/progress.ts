/**
 * How far an import has come. Bytes are the share of the disk that it fills: nobody says how large
 * the image is.
 */
export interface ImportProgress {
  percent: number
  importedBytes: number
  totalBytes: number
  bytesPerSecond: number | null
  etaSeconds: number | null
}

interface Look {
  percent: number
  atMs: number
}

const gibibyte = 2 ** 30
const leastMs = 2_000
const stalledMs = 30_000

/**
 * What to tell after two looks; null when there is no news, or when it is too early to tell again.
 */
export function progressBetween(
  before: (Look & { bytesPerSecond: number | null }) | null,
  now: Look,
  sizeGi: number,
): ImportProgress | null {
  const totalBytes = sizeGi * gibibyte
  const bytesAt = (percent: number): number => Math.round((totalBytes * percent) / 100)
  const told = { percent: now.percent, importedBytes: bytesAt(now.percent), totalBytes }
  if (!before) return { ...told, bytesPerSecond: null, etaSeconds: null }
  const passedMs = now.atMs - before.atMs
  if (passedMs < leastMs) return null
  if (now.percent === before.percent) {
    return passedMs >= stalledMs && before.bytesPerSecond !== 0
      ? { ...told, bytesPerSecond: 0, etaSeconds: null }
      : null
  }
  // An importer that began again is further back than before.
  const gained = bytesAt(now.percent) - bytesAt(before.percent)
  if (gained < 0) return { ...told, bytesPerSecond: null, etaSeconds: null }
  const bytesPerSecond = Math.round(gained / (passedMs / 1000))
  const left = totalBytes - told.importedBytes
  return {
    ...told,
    bytesPerSecond,
    etaSeconds: bytesPerSecond > 0 ? Math.ceil(left / bytesPerSecond) : null,
  }
}
