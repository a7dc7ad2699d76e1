import { followedKinds } from '../../../server/src/reconcile/followed-kinds.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createHub } from '../../../server/src/engine/changes/hub.ts'
import { startTail } from '../../../server/src/engine/changes/follow.ts'
import { openChangeLog } from '../../../server/src/engine/changes/tail.ts'
import {
  cursorFromPosition,
  isAfter,
  parseCursor,
} from '../../../server/src/engine/model/cursor.ts'
import {
  beginStep,
  currentStep,
  advanceStep,
  finishOperation,
  finishStep,
} from '../../../server/src/domain/operation/advance.ts'
import { mustBeCancelled, isOverdue } from '../../../server/src/domain/operation/deadline.ts'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { operationKinds, allChangeKinds } from '../../../server/src/domain/nouns.ts'
import {
  operationTransitions,
  operationStates,
} from '../../../server/src/domain/operation/lifecycle.ts'
import { initialProgress } from '../../../server/src/domain/operation/progress.ts'
import { startLeaderTask } from '../../../server/src/engine/reconcile/leader.ts'
import { sweepUntilStopped } from '../../../server/src/engine/reconcile/retention.ts'
import { enqueueFromSources } from '../../../server/src/engine/reconcile/sources.ts'
import { atFailpoint, failpoint, planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { sweepChangeLog } from '../../../server/src/engine/database/change-log.ts'
import { LeadershipLost, openLeadership } from '../../../server/src/engine/reconcile/leadership.ts'
import { enqueueWork } from '../../../server/src/engine/reconcile/enqueue-work.ts'
import { shareTurns } from '../../../server/src/engine/reconcile/work-turns.ts'
import { writeChange } from '../../support/engine/change-log.ts'
import { anEngineWorld, quiet } from '../../support/engine/world.ts'
import { fc } from '../../support/property-testing.ts'

const within = { timeout: 30_000, interval: 20 }
const at = '2030-01-01T00:00:00.000Z'

describe('leadership', () => {
  test('a former leader that was paused writes nothing after another leader took over', async () => {
    await using world = await anEngineWorld()
    const fenced = vi.fn()
    const paused = openLeadership({ pool: world.pool, termMs: 50, onRefused: fenced })
    const eager = openLeadership({ pool: world.pool, termMs: 60_000 })
    const old = await paused.acquire('sweep', 'a')
    const current = await vi.waitFor(async () => {
      const term = await eager.acquire('sweep', 'b')
      expect(term).not.toBeNull()
      return term
    }, within)
    if (!old || !current) throw new TypeError('both replicas must have led')
    expect(BigInt(current.epoch)).toBeGreaterThan(BigInt(old.epoch))
    expect(await paused.acquire('sweep', 'a')).toBeNull()
    expect(await paused.extend(old)).toBe(false)
    await paused.resign(old)
    const write = (by: typeof paused, term: typeof old) =>
      by.asLeader(term, (client) =>
        client.query(
          `insert into change_log (kind, object_id, version) values ($1, gen_random_uuid(), 1)`,
          [term.holder],
        ),
      )
    await write(eager, current)
    await expect(write(paused, old)).rejects.toBeInstanceOf(LeadershipLost)
    expect(fenced).toHaveBeenCalledTimes(1)
    expect(await world.database.sql('select kind from change_log')).toEqual([{ kind: 'b' }])

    await eager.resign(current)
    const again = openLeadership({ pool: world.pool, termMs: 60_000 })
    expect(await again.acquire('sweep', 'a')).not.toBeNull()
    await expect(write(paused, old), 'a term from before another leader').rejects.toBeInstanceOf(
      LeadershipLost,
    )
  })

  test('a leader task runs on one replica, moves after a stop, and is aborted when the lease is lost', async () => {
    await using world = await anEngineWorld()
    const leadership = openLeadership({ pool: world.pool, termMs: 600 })
    const leading = new Set<string>()
    let together = 0
    const replica = (holder: string) =>
      startLeaderTask({
        ...quiet,
        leadership,
        holder,
        name: 'sweep',
        termMs: 600,
        async run(_term, signal) {
          leading.add(holder)
          together = Math.max(together, leading.size)
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
          leading.delete(holder)
        },
      })
    const replicas = { a: replica('a'), b: replica('b') }
    await vi.waitFor(() => expect(leading.size).toBe(1), within)
    const [first] = leading
    const [leaving, staying] = first === 'a' ? [replicas.a, replicas.b] : [replicas.b, replicas.a]
    await leaving.stop()
    await vi.waitFor(() => expect(leading.size).toBe(1), within)
    expect([...leading]).not.toEqual([first])
    expect(together).toBe(1)

    await world.database.sql(
      `update leadership set holder = 'thief', epoch = epoch + 1, expires_at = now() + interval '1 h'`,
    )
    await vi.waitFor(() => expect(leading.size).toBe(0), within)
    await staying.stop()
  })

  test('retention sweeps in batches while it leads, and keeps young rows', async () => {
    await using world = await anEngineWorld()
    await world.database.sql(`insert into change_log (kind, object_id, version, at)
      select 'user', gen_random_uuid(), 1, now() - n * interval '1 h' from generate_series(1, 48) n`)
    const stop = new AbortController()
    const sweeping = sweepUntilStopped(
      {
        clock: quiet.clock,
        batch: 10,
        sweep: (batch) => sweepChangeLog(world.pool, { olderThanMs: 24 * 3_600_000, batch }),
      },
      stop.signal,
    )
    await vi.waitFor(
      async () =>
        expect(await world.database.sql('select count(*)::int n from change_log')).toEqual([
          { n: 23 },
        ]),
      within,
    )
    stop.abort()
    await sweeping
  })
})

test('sources enqueue keys for changes, and all keys at the start and after a gap', async () => {
  await using world = await anEngineWorld()
  const tenantId = await world.aTenant()
  const changeLog = openChangeLog(world.pool, allChangeKinds)
  const hub = createHub({ changeLog, clock: quiet.clock })
  const tail = await startTail({
    changeLog,
    ...quiet,
    pollMs: 20,
    onPage: (page) => hub.publish(page),
  })
  const stop = new AbortController()
  let passes = 0
  const source = {
    changes: {
      tenant: ({ objectId }: { objectId: string }) => [{ kind: 'tenant', objectId, tenantId }],
    },
    objects: {},
    async *allKeys() {
      passes += 1
      yield [{ kind: 'tenant', objectId: tenantId, tenantId }]
      await Promise.resolve()
    },
  }
  const silent = {
    at: () => null,
    all: () => [],
    foreign: () => [],
    isSynced: () => true,
    isStale: () => false,
    lastEventAt: () => null,
    stop: () => Promise.resolve(),
  }
  const cluster = { watch: () => silent, getCachedVm: () => null }
  const enqueueing = enqueueFromSources(
    {
      hub,
      sources: { tenant: source },
      cluster,
      followed: followedKinds,
      enqueue: (keys) => enqueueWork(world.pool, keys),
      ...quiet,
    },
    stop.signal,
  )
  await vi.waitFor(() => expect(passes).toBe(1), within)
  const objectId = await writeChange(world.pool, { tenantId })
  await writeChange(world.pool, { tenantId, kind: 'user' })
  await vi.waitFor(async () => {
    const rows = await world.database.sql('select object_id from work')
    expect(rows.map((row) => row['object_id']).sort()).toEqual([objectId, tenantId].sort())
  }, within)
  hub.publish({
    changes: [],
    position: { xid: 2n ** 40n, id: 0n },
    more: false,
    gap: true,
    heldMs: 0,
  })
  await vi.waitFor(() => expect(passes).toBe(2), within)
  stop.abort()
  await enqueueing
  expect(hub.subscriptions()).toBe(0)
  await tail.stop()
})

describe('turns', () => {
  test.each([
    {
      because: 'an idle tenant goes first',
      tenants: [
        ['a', 3, 9],
        ['b', 0, 9],
      ],
      slots: 3,
      dealt: { b: 3 },
    },
    {
      because: 'both tenants share the rest',
      tenants: [
        ['a', 3, 9],
        ['b', 0, 9],
      ],
      slots: 7,
      dealt: { a: 2, b: 5 },
    },
    {
      because: 'no tenant gets more slots than it has keys',
      tenants: [
        ['a', 0, 1],
        ['b', 0, 1],
      ],
      slots: 9,
      dealt: { a: 1, b: 1 },
    },
    { because: 'no key is waiting', tenants: [], slots: 9, dealt: {} },
  ] as const)('tenants share the free slots: $because', ({ tenants, slots, dealt }) => {
    const waiting = tenants.map(([tenantId, running, count]) => ({
      tenantId,
      running,
      waiting: count,
    }))
    expect(
      Object.fromEntries(shareTurns(waiting, slots).map(({ tenantId, take }) => [tenantId, take])),
    ).toEqual(dealt)
  })
})

test('a cursor survives its text form and orders by transaction first', () => {
  const position = fc.record({
    xid: fc.bigInt(0n, 2n ** 64n - 1n),
    id: fc.bigInt(0n, 2n ** 63n - 1n),
  })
  fc.assert(
    fc.property(
      position,
      (original) => void expect(parseCursor(cursorFromPosition(original))).toEqual(original),
    ),
  )
  fc.assert(
    fc.property(
      position,
      position,
      (a, b) => void expect(isAfter(a, b) && isAfter(b, a)).toBe(false),
    ),
  )
  expect(isAfter({ xid: 2n, id: 1n }, { xid: 1n, id: 9n })).toBe(true)
})

describe('operations', () => {
  test('final states are final, and every open state can reach each of them', () => {
    const final = operationStates.filter((state) => operationTransitions[state].length === 0)
    expect(final).toEqual(['succeeded', 'failed', 'cancelled', 'superseded'])
    for (const state of ['pending', 'running'] as const)
      expect(operationTransitions[state]).toEqual(expect.arrayContaining(final))
  })

  test('steps run one after the other, and a repeated step changes nothing', () => {
    let operation = initialProgress('create_tenant')
    for (let step = currentStep(operation); step; step = currentStep(operation)) {
      operation = beginStep(operation, step.name, at)
      expect(beginStep(operation, step.name, '2031-01-01T00:00:00.000Z')).toEqual(operation)
      operation = finishStep(operation, step.name, { at })
      expect(finishStep(operation, step.name, { at: '2031-01-01T00:00:00.000Z' })).toEqual(
        operation,
      )
    }
    expect(operation).toMatchObject({ state: 'running', progress: 100 })
    const done = finishOperation(operation, 'succeeded', at)
    expect(done?.state).toBe('succeeded')
    expect(done && finishOperation(done, 'failed', at)).toBeNull()
  })

  test('a success needs no step that was never begun', () => {
    const operation = finishOperation(
      beginStep(initialProgress('delete_vm_template'), 'volume', at),
      'succeeded',
      at,
    )
    expect(operation?.steps.map(({ state }) => state)).toEqual(['done', 'skipped'])
  })

  test('a failure marks the step in which it happened', () => {
    const operation = finishOperation(
      beginStep(initialProgress('delete_tenant'), 'namespace', at),
      'failed',
      at,
    )
    expect(operation?.steps.map(({ state }) => state)).toEqual(['failed', 'pending', 'pending'])
  })

  test.each([
    { because: 'there is time left', now: '2029-12-31', state: 'running', ends: [false, false] },
    {
      because: 'the deadline has passed',
      now: '2030-01-01',
      state: 'running',
      ends: [true, false],
    },
    { because: 'it has ended before', now: '2031-01-01', state: 'succeeded', ends: [false, false] },
    {
      because: 'it was cancelled',
      now: '2029-12-31',
      state: 'pending',
      cancel: true,
      ends: [false, true],
    },
  ] as const)(
    'an operation expires only by its deadline or a cancellation: $because',
    ({ now, state, ends, ...rest }) => {
      const operation = {
        state,
        deadline: at,
        cancellable: true,
        cancelRequestedAt: 'cancel' in rest ? at : null,
      }
      expect([isOverdue(operation, now), mustBeCancelled(operation)]).toEqual(ends)
    },
  )

  test('a part of a running step counts as progress only when it is the largest so far', () => {
    const begun = beginStep(initialProgress('import_iso'), 'import', at)
    const half = advanceStep(begun, 'import', 50)
    expect(half.progress).toBe(16)
    expect(advanceStep(half, 'import', 40)).toEqual(half)
    expect(advanceStep(half, 'import', 51)).not.toEqual(half)
    expect(advanceStep(half, 'ready', 99)).toEqual(half)
  })

  test('every kind has steps, a deadline of at most an hour and unique step names', () => {
    for (const { deadlineMs, steps } of Object.values(operationKinds)) {
      expect(steps.length).toBeGreaterThan(0)
      expect(deadlineMs).toBeLessThanOrEqual(3_600_000)
    }
    expect(new Set(allStepFailpoints()).size).toBe(allStepFailpoints().length)
  })
})

describe('failpoints', () => {
  afterEach(() => planFailpoints(null))

  test('a failpoint without a plan does nothing', async () => {
    expect(await failpoint('a.b', 'before')).toBe('go on')
  })

  test('a failpoint rule applies only to the named point, side and arrival', async () => {
    const observer = vi.fn()
    planFailpoints({
      onArrival: observer,
      rules: [{ at: 'a.*', where: 'after', do: 'error', nth: 2 }],
    })
    await atFailpoint('a.b', () => Promise.resolve())
    await atFailpoint('c.d', () => Promise.resolve())
    await expect(atFailpoint('a.e', () => Promise.resolve())).rejects.toThrow('failpoint after a.e')
    await atFailpoint('a.b', () => Promise.resolve())
    expect(
      observer.mock.calls.filter(([, where]) => where === 'before').map(([name]) => name),
    ).toEqual(['a.b', 'c.d', 'a.e', 'a.b'])
  })

  test('a step can run twice, and the same seed fails at the same points', async () => {
    const step = vi.fn(() => Promise.resolve())
    planFailpoints(JSON.stringify({ rules: [{ at: 'a.b', do: 'repeat' }] }))
    await atFailpoint('a.b', step)
    expect(step).toHaveBeenCalledTimes(2)
    const run = async (): Promise<string> => {
      planFailpoints({ seed: 7, rules: [{ at: '*', do: 'error', chance: 0.5 }] })
      const outcomes = []
      for (let count = 0; count < 50; count += 1)
        outcomes.push(
          await failpoint('x', 'before').then(
            () => '.',
            () => '!',
          ),
        )
      return outcomes.join('')
    }
    const first = await run()
    expect(await run()).toBe(first)
    expect(first).toMatch(/!/)
    expect(first).toMatch(/\./)
  })
})
