import { createInterface } from 'node:readline'
import { type Readable } from 'node:stream'

type Source = 'berth' | 'server' | 'sandbox' | 'console' | 'database'

/** One line per event: when it happened, which part it concerns, and what happened. */
export function say(source: Source, text: string): void {
  const time = new Date().toTimeString().slice(0, 8)
  process.stdout.write(`${time}  ${source.padEnd(8)}  ${text}\n`)
}

export const seconds = (sinceMs: number): string =>
  `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`

/**
 * An error in the server's log with its stack trace; null for every other line. Warnings stay in
 * the log file, because a restart of the sandbox alone causes dozens.
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
    // Written by our own log, one object per line.
    return JSON.parse(line) as LogEntry
  } catch {
    return null
  }
}

/** Calls back for each line of a child process that is not empty. */
export function eachLine(stream: Readable | null, hear: (line: string) => void): void {
  if (!stream) return
  createInterface({ input: stream }).on('line', (line) => {
    if (line.trim()) hear(line)
  })
}
