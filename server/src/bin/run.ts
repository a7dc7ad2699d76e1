import { type Clock, systemClock } from '../runtime/clock.ts'
import { unknownVariables } from '../runtime/config/environment.ts'
import { configWarnings } from '../runtime/config/print.ts'
import { type Config, ConfigError, loadConfig } from '../runtime/config/config.ts'
import { keepRowsYoung } from '../runtime/heap.ts'
import { lockInstance } from '../runtime/instance-lock.ts'
import { createLog, type Log } from '../runtime/log.ts'
import { logDestination } from '../runtime/log-destination.ts'
import { createProgress, type Progress } from '../runtime/progress.ts'
import { createStop, type Stop, stopOnSignals } from '../runtime/stop.ts'
import { sentenceFor } from './start-failure.ts'

export interface ProgramContext {
  config: Config
  clock: Clock
  log: Log
  stop: Stop
  progress: Progress
  /** Writes text for people: to the terminal, or to stderr when stdout carries the log. */
  say(text: string): void
}

interface Program {
  /**
   * True when this program needs the data folder for itself: a second one on the same folder is
   * refused.
   */
  ownsDataDir(config: Config): boolean
  /** True when the program needs an external database, which several programs share. */
  needsDatabaseUrl?: boolean
  start(context: ProgramContext): Promise<void>
}

const startTimeoutMs = 10_000

/**
 * Runs a program with everything that programs share: configuration, log, lock and signals. A
 * failed start is reported in one sentence.
 */
export async function runProgram(program: Program): Promise<void> {
  keepRowsYoung()
  let config: Config | null = null
  let log: Log | null = null
  const isTerminal = process.stdout.isTTY
  const screen = isTerminal ? process.stdout : process.stderr
  const say = (text: string): void => void screen.write(text)
  try {
    config = loadConfig({ cwd: process.cwd(), env: process.env })
    if (program.needsDatabaseUrl && !config.database.url)
      throw new ConfigError(
        'This program shares a database with other programs and needs its address: set database.url or BERTH_DATABASE_URL.',
      )
    const lock = program.ownsDataDir(config) ? lockInstance(config.data.dir) : null
    log = createLog(
      config.log.level,
      logDestination({
        toFile: isTerminal && config.log.format === 'auto',
        dataDir: config.data.dir,
      }),
    )
    const stop = createStop({ log, clock: systemClock })
    if (lock) stop.onStop('lock', () => lock.release())
    const context = {
      config,
      clock: systemClock,
      log,
      stop,
      say,
      progress: createProgress({ write: say, isTerminal }, systemClock),
    }
    warn(context)
    await startUnlessStopped(program, context)
  } catch (error) {
    log?.error('program.start_failed', {
      error,
      effect: 'the process ends with exit code 1',
      remedy: 'fix the reported error, and start again',
    })
    say(`${sentenceFor(error, config) ?? unexpectedFailure(error, config)}\n`)
    process.exit(1)
  }
}

async function startUnlessStopped(program: Program, context: ProgramContext): Promise<void> {
  const starting = program.start(context)
  // An interrupted start may still open something, so it ends before everything is closed.
  const leave = async (code: number): Promise<void> => {
    await Promise.race([starting.catch(() => undefined), systemClock.sleep(startTimeoutMs)])
    await context.stop.now('interrupted')
    process.exit(code)
  }
  let isServing = false
  stopOnSignals(context.stop, {
    delayMs: () => (isServing ? context.config.server.drainSeconds * 1_000 : 0),
    afterwards: () => void leave(0),
  })
  stopOnBugs(context, () => void leave(1))
  try {
    await starting
    isServing = true
  } catch (error) {
    if (context.stop.signal.aborted) return
    await context.stop.now('program.start_failed')
    throw error
  }
}

/**
 * Stops the process on an uncaught error: its state may be wrong now. PostgreSQL and leases keep
 * everything that was acknowledged.
 */
function stopOnBugs({ log, stop, say }: ProgramContext, afterwards: () => void): void {
  process.on('uncaughtException', (error) => {
    if (stop.signal.aborted) {
      log.error('program.error_during_stop', {
        error,
        effect: 'the stop goes on; everything that was acknowledged is stored',
        remedy: 'report the error to the developers of Berth',
      })
      return
    }
    log.error('program.uncaught_error', {
      error,
      effect: 'the process stops with exit code 1; everything that was acknowledged is stored',
      remedy:
        'start it again if it does not start by itself, and report the error to the developers of Berth',
    })
    say(`Berth hit a bug and stops: ${error.message}\n`)
    void stop.now('uncaught error').then(afterwards)
  })
}

function warn({ config, log, say }: ProgramContext): void {
  const used = {
    effect: 'Berth starts with this setting',
    remedy: 'change the setting, unless it is intended',
  }
  const ignored = { effect: 'Berth ignores the variable', remedy: 'correct its name, or remove it' }
  const warnings = [
    ...configWarnings(config).map((warning) => ({ warning, ...used })),
    ...unknownVariables(process.env).map((name) => ({
      warning: `${name} is not a variable that Berth knows`,
      ...ignored,
    })),
  ]
  for (const fields of warnings) {
    say(`Warning: ${fields.warning}.\n`)
    log.warn('config.warning', fields)
  }
}

function unexpectedFailure(error: unknown, config: Config | null): string {
  const message = error instanceof Error ? error.message : String(error)
  const where = config
    ? ` The log${process.stdout.isTTY ? ` (${config.data.dir}/berth.log)` : ''} has the details.`
    : ''
  return `Berth could not start: ${message.replace(/\s*\n\s*/g, ' ').replace(/\.$/, '')}.${where}`
}
