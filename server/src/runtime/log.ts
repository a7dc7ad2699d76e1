import { pino, stdSerializers } from 'pino'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

type Fields = Readonly<Record<string, unknown>>

/** A warning or an error answers the first questions of an operator. */
interface ProblemFields extends Fields {
  /** The harm to users, and the next act of Berth. */
  effect: string
  /** The act of an operator that ends it; `none` with the exception, if there is one. */
  remedy: string
}

/** Writes one JSON line per entry. Secrets have their own type and print as `[redacted]`. */
export interface Log {
  debug(message: string, fields?: Fields): void
  info(message: string, fields?: Fields): void
  warn(message: string, fields: ProblemFields): void
  error(message: string, fields: ProblemFields): void
  with(fields: Fields): Log
}

type Sink = { write(line: string): void }

export function createLog(level: LogLevel | 'silent', sink?: Sink): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: stdSerializers.err },
    // A second safeguard: it redacts a header or a password that reached a log call as plain text.
    redact: {
      paths: [
        'authorization',
        'password',
        'token',
        'secret',
        'cookie',
        '*.authorization',
        '*.password',
        '*.token',
      ],
      censor: '[redacted]',
    },
  }
  return wrap(sink ? pino(options, sink) : pino(options))
}

function wrap(target: ReturnType<typeof pino>): Log {
  return {
    debug: (message, fields) => target.debug(fields ?? {}, message),
    info: (message, fields) => target.info(fields ?? {}, message),
    warn: (message, fields) => target.warn(fields, message),
    error: (message, fields) => target.error(fields, message),
    with: (fields) => wrap(target.child(fields)),
  }
}
