import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from './errno.ts'
import { destination } from 'pino'
import { ensureDataDir } from './data-dir.ts'

export interface LogDestination {
  write(line: string): void
  /** Null when the entries go to the standard output. */
  file: string | null
}

const rotateAtBytes = 20 * 1024 * 1024

/**
 * To a file while a person watches the terminal, else to the standard output for whoever collects
 * it.
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
  // A full disk or a closed pipe costs log lines, never the service.
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
