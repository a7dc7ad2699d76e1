import { sweepChangeLog } from '../engine/database/change-log.ts'
import { sweepGoneRows } from '../engine/database/gone-rows.ts'
import { sweepIdempotencyKeys } from '../engine/database/idempotency.ts'
import { type SqlClient } from '../engine/database/sql/sql-client.ts'
import { type LeaderContext, startLeaderTask } from '../engine/reconcile/leader.ts'
import { sweepUntilStopped } from '../engine/reconcile/retention.ts'
import { type Stoppable } from '../runtime/clock.ts'
import { type Config } from '../runtime/config/config.ts'
import { sweepEventsTickets } from '../store/event/events-ticket.ts'
import { sweepAuditEvents } from '../store/identity/audit-event-sweep.ts'
import { sweepLoginAttempts, sweepSessions } from '../store/identity/session-sweep.ts'
import { sweepNics } from '../store/nic/nic.ts'
import { sweepOperations } from '../store/operation/operation-sweep.ts'
import { sweepConsoleTickets } from '../store/vm/vm-console.ts'
import { sweepVmEvents } from '../store/vm/vm-event.ts'

const day = 24 * 60 * 60_000

type Sweep = (client: SqlClient, batch: number) => Promise<number>

/** Returns a sweep that deletes rows after some days. 0 days mean never. */
const afterDays =
  (
    days: number,
    sweep: (client: SqlClient, age: { olderThanMs: number; batch: number }) => Promise<number>,
  ): Sweep =>
  (client, batch) =>
    days === 0 ? Promise.resolve(0) : sweep(client, { olderThanMs: days * day, batch })

/** Lists the sweeps of rows that expire, with the ages that the operator sets for history. */
const sweepsOf = ({ retention }: Config): readonly Sweep[] => [
  afterDays(1, sweepChangeLog),
  afterDays(1, sweepIdempotencyKeys),
  afterDays(30, sweepSessions),
  afterDays(1, sweepLoginAttempts),
  (client, batch) => sweepConsoleTickets(client, { batch }),
  (client, batch) => sweepEventsTickets(client, { batch }),
  (client, batch) => sweepNics(client, { batch }),
  afterDays(retention.vmEventDays, sweepVmEvents),
  afterDays(retention.operationDays, sweepOperations),
  afterDays(retention.auditDays, sweepAuditEvents),
  afterDays(retention.deletedDays, (client, age) =>
    sweepGoneRows(client, { ...age, alsoRetained: ['operation'] }),
  ),
]

/** Returns the sweep that deletes one batch of each kind of expired rows. */
export function expirySweep(config: Config): Sweep {
  const sweeps = sweepsOf(config)
  return async (client, batch) => {
    let most = 0
    for (const sweep of sweeps) most = Math.max(most, await sweep(client, batch))
    return most
  }
}

/** Starts the task that deletes expired rows. */
export function retentionTask(leader: LeaderContext, config: Config): Stoppable {
  const sweepAll = expirySweep(config)
  const { leadership, clock } = leader
  return startLeaderTask({
    ...leader,
    name: 'retention',
    run: (term, signal) => {
      const sweep = (batch: number): Promise<number> =>
        leadership.asLeader(term, (client) => sweepAll(client, batch))
      return sweepUntilStopped({ sweep, clock }, signal)
    },
  })
}
