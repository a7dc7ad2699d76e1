import { type EntityManager } from '@mikro-orm/postgresql'
import type pg from 'pg'
import { Fault } from '../model/fault.ts'
import { type Scope } from '../model/scope.ts'
import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Seal } from '../../runtime/seal.ts'
import { type AuditedCall, type Outbox, outboxQuery, hasEntries } from './bookkeeping.ts'
import {
  commitUnknown,
  faultFromDatabase,
  isConnectionLoss,
  isRepeatable,
} from './database-fault.ts'
import {
  type IdempotencyKey,
  type KeyOwner,
  claimKeyQuery,
  replay,
  storeAnswerQuery,
} from './idempotency.ts'
import { type Database } from './database.ts'
import { rowTypes } from './sql/row-types.ts'
import { scopeValues } from './sql/known-query.ts'
import { discardStalePlans, createUnitKysely } from './unit-dialect.ts'

/**
 * One unit is one transaction. The desired state, its operation, changes, audit row, doorbell and
 * stored response of an idempotency key are committed together or not at all. The entity manager is
 * forked per attempt, so a repeated attempt never sees the memory of a failed one.
 */
export interface UnitRequest<Read = undefined> {
  scope: Scope
  /** The caller for the audit row; null for the platform's own work. */
  call: AuditedCall | null
  idempotency: IdempotencyKey | null
  /**
   * Runs first inside the transaction, for example the fence of a lease. Throws to refuse the unit.
   */
  fence?: (client: pg.ClientBase) => Promise<void>
  /**
   * The initial read, pipelined with BEGIN. Its result is passed to `act`, and is not used when the
   * unit is refused.
   */
  read?: (tools: UnitTools) => Promise<Read>
}

type Act<Read, T> = (tools: UnitTools, read: Read) => Promise<T>

export interface UnitTools {
  readonly em: EntityManager
  readonly client: pg.ClientBase
  readonly outbox: Outbox
  /** Encrypts values that must not be readable at rest. */
  readonly seal: Seal
  /** The database time when the unit began. */
  readonly now: string
  flush(): Promise<void>
}

/**
 * The tools of one attempt. The entity manager is forked on first use, because an act that only
 * inserts never needs one.
 */
class Tools implements UnitTools {
  readonly client: pg.ClientBase
  readonly seal: Seal
  now = ''
  readonly outbox: Outbox = { changes: [], statements: [], work: [], audit: null }
  readonly #database: Database
  #em: EntityManager | null = null

  constructor({ database, seal }: UnitDeps, client: pg.ClientBase) {
    this.#database = database
    this.seal = seal
    this.client = client
  }

  get em(): EntityManager {
    if (this.#em) return this.#em
    this.#em = this.#database.orm.em.fork({ useContext: false })
    this.#em.setTransactionContext(createUnitKysely(this.client))
    return this.#em
  }

  async flush(): Promise<void> {
    await this.#em?.flush()
  }
}

export interface UnitDeps {
  database: Database
  clock: Clock
  seal: Seal
}

const maxAttempts = 5
const retryBackoff = { firstMs: 10, capMs: 250 }

/**
 * Runs `act` in one transaction. It starts again after a deadlock or another temporary conflict.
 */
export async function runUnit<T, Read = undefined>(
  deps: UnitDeps,
  request: UnitRequest<Read>,
  act: Act<Read, T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await deps.database.writeSlots.run(request.scope, () => tryUnit(deps, request, act))
    } catch (error) {
      deps.database.diskSpace.record(error)
      const canRepeat = discardStalePlans(error) || isRepeatable(error)
      if (attempt === maxAttempts || !canRepeat)
        throw faultFromDatabase(error, deps.database.constraints)
      await deps.clock.sleep(backoffMs(attempt, retryBackoff))
    }
  }
}

async function tryUnit<T, Read>(
  deps: UnitDeps,
  request: UnitRequest<Read>,
  act: Act<Read, T>,
): Promise<T> {
  const client = await deps.database.pool.connect()
  let broken: Error | undefined
  try {
    return await inTransaction(deps, { client, request, act })
  } catch (error) {
    if (isConnectionLoss(error) || (error instanceof Fault && isConnectionLoss(error.cause)))
      broken = new TypeError('connection lost')
    else await client.query('rollback')
    throw error
  } finally {
    client.release(broken)
  }
}

interface Attempt<T, Read> {
  client: pg.PoolClient
  request: UnitRequest<Read>
  act: Act<Read, T>
}

async function inTransaction<T, Read>(
  deps: UnitDeps,
  { client, request, act }: Attempt<T, Read>,
): Promise<T> {
  const tools = new Tools(deps, client)
  const [begun, initialRead] = [begin(client, request), request.read?.(tools)]
  await allSucceed([begun, initialRead])
  const { fresh, now } = await begun
  if (!fresh && request.idempotency) {
    const { idempotency } = request
    const answer = await replay(client, ownerOf(request), { key: idempotency, seal: deps.seal })
    idempotency.onReplay()
    // The stored response is the result of this same act when the key was new.
    return answer as T
  }
  tools.now = now
  // Without `read` there is no result, and the act expects none.
  const result = await act(tools, (await initialRead) as Read)
  await tools.flush()
  const outboxQueries = hasEntries(tools.outbox, request.call)
    ? [outboxQuery(tools.outbox, request.call)]
    : []
  await commit(client, [
    ...outboxQueries,
    ...tools.outbox.statements,
    ...answerQueries(deps.seal, request, result),
  ])
  return result
}

const scopeQuery = {
  name: 'berth_unit',
  text: `select set_config('berth.tenant', $1, true), set_config('berth.scope', $2, true), clock_timestamp() as now`,
  types: rowTypes,
}

/**
 * Sends begin, scope, fence and idempotency key in one round trip. `fresh` is false when the key
 * already exists.
 */
async function begin(
  client: pg.PoolClient,
  request: Omit<UnitRequest<unknown>, 'read'>,
): Promise<{ fresh: boolean; now: string }> {
  const begun = client.query('begin')
  const scoped = client.query<{ now: string }>({
    ...scopeQuery,
    values: scopeValues(request.scope),
  })
  const fenced = request.fence?.(client)
  const claimed = request.idempotency
    ? client.query(claimKeyQuery(ownerOf(request), request.idempotency))
    : null
  await allSucceed([begun, scoped, fenced, claimed])
  return {
    fresh: claimed === null || (await claimed).rowCount === 1,
    now: (await scoped).rows[0]?.now ?? '',
  }
}

async function commit(client: pg.PoolClient, queries: pg.QueryConfig[]): Promise<void> {
  const sent = [...queries.map((query) => client.query(query)), client.query('commit')]
  await allSucceed(sent).catch((error: unknown) => {
    // The queries are sent together. When the connection is lost, the server may or may not have
    // committed.
    throw isConnectionLoss(error) ? commitUnknown(error) : error
  })
  const command = (await sent.at(-1))?.command
  if (command !== 'COMMIT') throw new TypeError(`the database answered ${command} to a commit`)
}

/**
 * Waits for all queries and throws the first failure. Every promise is awaited, so no rejection
 * stays unhandled.
 */
async function allSucceed(
  queries: readonly (Promise<unknown> | null | undefined)[],
): Promise<void> {
  const sent = queries.filter((query) => query !== null && query !== undefined)
  for (const result of await Promise.allSettled(sent))
    if (result.status === 'rejected') throw result.reason
}

function answerQueries(
  seal: Seal,
  request: Omit<UnitRequest, 'read'>,
  result: unknown,
): pg.QueryConfig[] {
  if (!request.idempotency) return []
  return [
    storeAnswerQuery(
      ownerOf(request),
      request.idempotency,
      seal.close(JSON.stringify(result ?? null)),
    ),
  ]
}

function ownerOf({ scope, call }: Pick<UnitRequest, 'scope' | 'call'>): KeyOwner {
  if (!call) throw new TypeError('an idempotency key needs a caller')
  const { userId: actorId, credentialId } = call.viewer
  return { scope, actorId, credentialId, operation: call.operation }
}
