import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock, type Stoppable } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Leadership, type Term } from './leadership.ts'

interface LeaderTask {
  readonly leadership: Leadership
  readonly name: string
  readonly holder: string
  readonly clock: Clock
  readonly log: Log
  /** The length of the terms that `leadership` grants. */
  readonly termMs?: number
  /**
   * Runs while this replica leads. It must end soon after the signal, and its writes begin with
   * `leadership.assertLeads`.
   */
  readonly run: (term: Term, signal: AbortSignal) => Promise<void>
}

/** The parts that all leader tasks of a replica share. */
export type LeaderContext = Pick<LeaderTask, 'leadership' | 'holder' | 'clock' | 'log'>

/**
 * Runs a task on one replica at a time. Another replica takes over within a term and a half after a
 * crash, and at once after a stop.
 */
export function startLeaderTask({ termMs = 10_000, ...task }: LeaderTask): Stoppable {
  const stopped = new AbortController()
  const running = campaign({ ...task, termMs }, stopped.signal)
  return {
    async stop() {
      stopped.abort()
      await running
    },
  }
}

async function campaign(
  task: LeaderTask & { termMs: number },
  stopped: AbortSignal,
): Promise<void> {
  const { leadership, name, holder, clock, log, termMs } = task
  while (!stopped.aborted) {
    const term = await leadership.acquire(name, holder).catch((error: unknown) => {
      log.warn('leader.election_failed', {
        task: name,
        error,
        effect: 'this replica cannot lead the task; it tries again within seconds',
        remedy: 'none, unless it repeats: check PostgreSQL',
      })
      return null
    })
    if (term) await serve(task, term, stopped)
    await clock.sleep(
      termMs / 6 + backoffMs(1, { firstMs: termMs / 3, capMs: termMs / 3 }),
      stopped,
    )
  }
}

async function serve(
  task: LeaderTask & { termMs: number },
  term: Term,
  stopped: AbortSignal,
): Promise<void> {
  const { leadership, log, name } = task
  const ended = new AbortController()
  const heartbeat = keepLeading(task, term, ended)
  const fields = { task: name, holder: term.holder, epoch: term.epoch }
  log.info('leader.term_started', fields)
  let reason = 'task_ended'
  try {
    await task.run(term, AbortSignal.any([ended.signal, stopped]))
    if (ended.signal.aborted) reason = 'lease_lost'
    if (stopped.aborted) reason = 'replica_stops'
  } catch (error) {
    reason = 'task_failed'
    log.warn('leader.task_failed', {
      ...fields,
      error,
      effect: 'the task pauses until this or another replica leads it again, within seconds',
      remedy: 'none, unless it repeats: read the error',
    })
  } finally {
    ended.abort()
    await heartbeat.stop()
    // The next leader can start now instead of at the end of the term.
    await leadership.resign(term).catch(() => undefined)
    log.info('leader.term_ended', { ...fields, reason })
  }
}

function keepLeading(
  { leadership, clock, termMs }: LeaderTask & { termMs: number },
  term: Term,
  ended: AbortController,
): Stoppable {
  let renewedAt = clock.elapsedMs()
  return clock.every(termMs / 3, async () => {
    const sentAt = clock.elapsedMs()
    const isRenewed = await leadership.extend(term).catch(() => null)
    if (isRenewed) renewedAt = sentAt
    if (isRenewed === false || clock.elapsedMs() - renewedAt > termMs) ended.abort()
  })
}
