import { createInterface } from 'node:readline'
import { type Readable } from 'node:stream'

type Source = 'berth' | 'server' | 'sandbox' | 'console' | 'database'

/** Writes one line per event: the time, the part that it concerns, and the text. */
export function say(source: Source, text: string): void {
  const time = new Date().toTimeString().slice(0, 8)
  process.stdout.write(`${time}  ${source.padEnd(8)}  ${text}\n`)
}

export const seconds = (sinceMs: number): string =>
  `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`

/**
 * Returns an error in the server's log with its stack trace. Null for every other line. Warnings
 * stay in the log file, because one restart of the sandbox causes dozens.
 */
export function errorIn(line: string): string | null {
  const entry = parsed(line)
  if (entry?.level !== 'error') return null
  return entry.error?.stack ? `${entry.msg}\n${entry.error.stack}` : entry.msg
}

interface LogEntry {
  level: string
  msg: string
  error?: { stack?: string }
}

function parsed(line: string): LogEntry | null {
  try {
    // The log of Berth writes one JSON object per line.
    return JSON.parse(line) as LogEntry
  } catch {
    return null
  }
}

/** Calls back for each non-empty line of a child process. */
export function eachLine(stream: Readable | null, onLine: (line: string) => void): void {
  if (!stream) return
  createInterface({ input: stream }).on('line', (line) => {
    if (line.trim()) onLine(line)
  })
}
