/**
 * The progress of an import. Bytes are a share of the target disk, because the size of the image is
 * unknown.
 */
export interface ImportProgress {
  percent: number
  importedBytes: number
  totalBytes: number
  bytesPerSecond: number | null
  etaSeconds: number | null
}

interface ProgressReading {
  percent: number
  atMs: number
}

const gibibyte = 2 ** 30
const minIntervalMs = 2_000
const stalledMs = 30_000

/**
 * Returns the progress to report after two readings. Null when nothing changed, or when the last
 * report is too recent.
 */
export function progressBetween(
  before: (ProgressReading & { bytesPerSecond: number | null }) | null,
  now: ProgressReading,
  sizeGi: number,
): ImportProgress | null {
  const totalBytes = sizeGi * gibibyte
  const bytesAt = (percent: number): number => Math.round((totalBytes * percent) / 100)
  const progress = { percent: now.percent, importedBytes: bytesAt(now.percent), totalBytes }
  if (!before) return { ...progress, bytesPerSecond: null, etaSeconds: null }
  const passedMs = now.atMs - before.atMs
  if (passedMs < minIntervalMs) return null
  if (now.percent === before.percent) {
    return passedMs >= stalledMs && before.bytesPerSecond !== 0
      ? { ...progress, bytesPerSecond: 0, etaSeconds: null }
      : null
  }
  // A restarted importer has less progress than before.
  const gained = bytesAt(now.percent) - bytesAt(before.percent)
  if (gained < 0) return { ...progress, bytesPerSecond: null, etaSeconds: null }
  const bytesPerSecond = Math.round(gained / (passedMs / 1000))
  const left = totalBytes - progress.importedBytes
  return {
    ...progress,
    bytesPerSecond,
    etaSeconds: bytesPerSecond > 0 ? Math.ceil(left / bytesPerSecond) : null,
  }
}
