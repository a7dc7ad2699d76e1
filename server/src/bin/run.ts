import { systemClock } from '../runtime/clock.ts'
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

export interface Surroundings {
  config: Config
  log: Log
  stop: Stop
  progress: Progress
  /** For people: the terminal, or the error output when the standard output carries the log. */
  say(text: string): void
}

interface Program {
  /** This program alone uses the data folder, so a second one on it is refused. */
  ownsDataDir(config: Config): boolean
  /** With an external database only: several such programs share it. */
  needsDatabaseUrl?: boolean
  start(around: Surroundings): Promise<void>
}

const startEndsWithinMs = 10_000

/**
 * What all programs have in common: configuration, log, lock, signals, and a failed start told in
 * one sentence.
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
        'This program shares a database with others and needs its address: set database.url or BERTH_DATABASE_URL.',
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
    const around = {
      config,
      log,
      stop,
      say,
      progress: createProgress({ write: say, isTerminal }, systemClock),
    }
    warn(around)
    await startUnlessStopped(program, around)
  } catch (error) {
    log?.error('the start failed', { error })
    say(`${sentenceFor(error, config) ?? unforeseen(error, config)}\n`)
    process.exit(1)
  }
}

async function startUnlessStopped(program: Program, around: Surroundings): Promise<void> {
  const starting = program.start(around)
  // A start that is interrupted may have opened something since: it ends first, then the rest is
  // closed.
  const leave = async (code: number): Promise<void> => {
    await Promise.race([starting.catch(() => undefined), systemClock.sleep(startEndsWithinMs)])
    await around.stop.now('interrupted')
    process.exit(code)
  }
  stopOnSignals(around.stop, () => void leave(0))
  stopOnBugs(around, () => void leave(1))
  try {
    await starting
  } catch (error) {
    if (around.stop.signal.aborted) return
    await around.stop.now('the start failed')
    throw error
  }
}

/**
 * A promise that nobody caught: what the process knows may be wrong now, so it ends; PostgreSQL and
 * leases keep what was acknowledged.
 */
function stopOnBugs({ log, stop, say }: Surroundings, afterwards: () => void): void {
  process.on('uncaughtException', (error) => {
    log.error('uncaught', { error })
    if (stop.signal.aborted) return
    say(`Berth hit a bug and stops: ${error.message}\n`)
    void stop.now('uncaught error').then(afterwards)
  })
}

function warn({ config, log, say }: Surroundings): void {
  const unknown = unknownVariables(process.env).map(
    (name) => `${name} is not a variable that Berth knows`,
  )
  for (const warning of [...configWarnings(config), ...unknown]) {
    say(`Warning: ${warning}.\n`)
    log.warn('configuration', { warning })
  }
}

function unforeseen(error: unknown, config: Config | null): string {
  const message = error instanceof Error ? error.message : String(error)
  const where = config
    ? ` The log${process.stdout.isTTY ? ` (${config.data.dir}/berth.log)` : ''} has the details.`
    : ''
  return `Berth could not start: ${message.replace(/\s*\n\s*/g, ' ').replace(/\.$/, '')}.${where}`
}
