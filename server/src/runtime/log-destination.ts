import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from './errno.ts'
import { destination } from 'pino'
import { ensureDataDir } from './data-dir.ts'

export interface LogDestination {
  write(line: string): void
  /** The log file. Null when entries go to the standard output. */
  file: string | null
}

const rotateAtBytes = 20 * 1024 * 1024

/**
 * Writes the log to a file when a terminal shows progress, and otherwise to the standard output.
 */
export function logDestination({
  toFile,
  dataDir,
}: {
  toFile: boolean
  dataDir: string
}): LogDestination {
  const file = toFile ? join(dataDir, 'berth.log') : null
  if (file) {
    ensureDataDir(dataDir)
    rotate(file)
  }
  const sink = destination(file ? { dest: file, mode: 0o600, sync: true } : { dest: 1, sync: true })
  // A full disk or a closed pipe loses log lines and must not stop the service.
  sink.on('error', () => undefined)
  return { write: (line) => void sink.write(line), file }
}

function rotate(file: string): void {
  try {
    if (statSync(file).size > rotateAtBytes) renameSync(file, `${file}.1`)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}
