import { type EntityManager } from '@mikro-orm/postgresql'
import type pg from 'pg'
import { Fault } from '../model/fault.ts'
import { type Scope } from '../model/scope.ts'
import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Seal } from '../../runtime/seal.ts'
import { type AuditedCall, type Books, booksQuery, hasEntries } from './bookkeeping.ts'
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
import { forgetsStalePlans, kyselyOn } from './unit-dialect.ts'

/**
 * One unit is one transaction: what was asked, its operation, the changes, the audit row, the
 * doorbell and the stored answer of an idempotency key are committed together or not at all. The
 * entity manager is forked per attempt, so a repeated attempt never sees what a failed one left in
 * memory.
 */
export interface UnitRequest<Read = undefined> {
  scope: Scope
  /** Who asked, for the audit row; null for the platform's own work. */
  call: AuditedCall | null
  idempotency: IdempotencyKey | null
  /** Runs first inside the transaction, e.g. the fence of a lease; throws to refuse. */
  guard?: (client: pg.ClientBase) => Promise<void>
  /**
   * What the act begins with: asked for in the same round trip, and for nothing where the unit is
   * refused.
   */
  read?: (tools: UnitTools) => Promise<Read>
}

type Act<Read, T> = (tools: UnitTools, read: Read) => Promise<T>

export interface UnitTools {
  readonly em: EntityManager
  readonly client: pg.ClientBase
  readonly books: Books
  /** For what must not be readable at rest. */
  readonly seal: Seal
  /** The database's clock when the unit began. */
  readonly now: string
  flush(): Promise<void>
}

/**
 * The entity manager is forked when it is first asked for: an act that only inserts never needs
 * one.
 */
class Tools implements UnitTools {
  readonly client: pg.ClientBase
  readonly seal: Seal
  now = ''
  readonly books: Books = { changes: [], statements: [], work: [], audit: null }
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
    this.#em.setTransactionContext(kyselyOn(this.client))
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

const mostTries = 5
const tryAgain = { firstMs: 10, capMs: 250 }

export async function runUnit<T, Read = undefined>(
  deps: UnitDeps,
  request: UnitRequest<Read>,
  act: Act<Read, T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryUnit(deps, request, act)
    } catch (error) {
      const canRepeat = forgetsStalePlans(error) || isRepeatable(error)
      if (attempt === mostTries || !canRepeat)
        throw faultFromDatabase(error, deps.database.constraints)
      await deps.clock.sleep(backoffMs(attempt, tryAgain))
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
  const [beginning, reading] = [begin(client, request), request.read?.(tools)]
  await answersTo([beginning, reading])
  const { fresh, now } = await beginning
  if (!fresh && request.idempotency) {
    const { idempotency } = request
    const answer = await replay(client, ownerOf(request), { key: idempotency, seal: deps.seal })
    // The stored answer is what this very act returned when the key was new.
    return answer as T
  }
  tools.now = now
  // Without a question there is no answer, and the act expects none.
  const result = await act(tools, (await reading) as Read)
  await tools.flush()
  const books = hasEntries(tools.books, request.call) ? [booksQuery(tools.books, request.call)] : []
  await commit(client, [
    ...books,
    ...tools.books.statements,
    ...answerQueries(deps.seal, request, result),
  ])
  return result
}

const scoping = {
  name: 'berth_unit',
  text: `select set_config('berth.tenant', $1, true), set_config('berth.scope', $2, true), clock_timestamp() as now`,
  types: rowTypes,
}

/** Begin, scope, guard and key in one round trip; not fresh when the key is known already. */
async function begin(
  client: pg.PoolClient,
  request: Omit<UnitRequest<unknown>, 'read'>,
): Promise<{ fresh: boolean; now: string }> {
  const begun = client.query('begin')
  const scoped = client.query<{ now: string }>({ ...scoping, values: scopeValues(request.scope) })
  const guarded = request.guard?.(client)
  const claimed = request.idempotency
    ? client.query(claimKeyQuery(ownerOf(request), request.idempotency))
    : null
  await answersTo([begun, scoped, guarded, claimed])
  return {
    fresh: claimed === null || (await claimed).rowCount === 1,
    now: (await scoped).rows[0]?.now ?? '',
  }
}

async function commit(client: pg.PoolClient, queries: pg.QueryConfig[]): Promise<void> {
  const sent = [...queries.map((query) => client.query(query)), client.query('commit')]
  await answersTo(sent).catch((error: unknown) => {
    // They travel together: when the connection is lost, nobody here knows how far the server came.
    throw isConnectionLoss(error) ? commitUnknown(error) : error
  })
  const command = (await sent.at(-1))?.command
  if (command !== 'COMMIT') throw new TypeError(`the database answered ${command} to a commit`)
}

/** All must succeed; every promise is awaited, so a failure of one leaves none unhandled. */
async function answersTo(queries: readonly (Promise<unknown> | null | undefined)[]): Promise<void> {
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
  return { scope, actorId: call.viewer.userId, operation: call.operation }
}
