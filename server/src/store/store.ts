import type pg from 'pg'
import { type IntersectionOf } from '../engine/model/intersection.ts'
import { type Scope } from '../engine/model/scope.ts'
import {
  type AuditTarget,
  type AuditVerdict,
  type AuditedCall,
  refusalQuery,
} from '../engine/database/bookkeeping.ts'
import { checkWrites } from '../engine/database/database.ts'
import { type IdempotencyKey } from '../engine/database/idempotency.ts'
import { platform } from '../engine/model/viewer.ts'
import { type Op, type Reads, opOn, readsOn } from './op.ts'
import { type Reader, poolReader } from '../engine/database/sql/reader.ts'
import { scopedQuery } from '../engine/database/sql/scoped-query.ts'
import { type KeyPage, type KeyReads } from '../engine/database/sql/key-page.ts'
import { nouns } from './nouns.ts'
import { type BootLogs, bootLogsOn } from './vm/vm-boot-log.ts'
import { type UnitDeps, type UnitTools, runUnit } from '../engine/database/unit.ts'
import { type WorkKey } from '../engine/model/work-key.ts'

export interface Write {
  scope: Scope
  call: AuditedCall
  idempotency: IdempotencyKey | null
}

/** Work of the platform itself, without a client. The lease of the worker fences it. */
export interface PlatformWork {
  scope: Scope
  fence: (client: pg.ClientBase) => Promise<void>
}

/** The initial read is pipelined with BEGIN; its row is passed to `act`. */
export interface WorkOn<Row> extends PlatformWork {
  read: (op: Op) => Promise<Row>
}

/** Reads the work keys of one kind, across all tenants. */
export interface KeyReader<Key> {
  /** Returns a page of the keys whose rows still need reconciling. */
  page(after: string | null): Promise<KeyPage<Key>>
  /** Returns the keys of these ids, even of rows that are gone. */
  of(ids: readonly string[]): Promise<Key[]>
}

type NounWorkKeys = IntersectionOf<(typeof nouns)[number]['workKeys']>

export type KeyReaders = {
  readonly [Kind in keyof NounWorkKeys]: NounWorkKeys[Kind] extends KeyReads<infer Key>
    ? KeyReader<Key>
    : never
}

export interface Store {
  readonly bootLogs: BootLogs
  reads(scope: Scope): Reads
  /** Runs one transaction on behalf of a client. */
  write<T>(write: Write, act: (op: Op) => Promise<T>): Promise<T>
  /** Runs one transaction of the platform itself. */
  work<T>(work: PlatformWork, act: (op: Op) => Promise<T>): Promise<T>
  /** Runs one transaction of the platform on an initially read row, as reconcilers do. */
  workOn<Row, T>(work: WorkOn<Row>, act: (op: Op, row: Row) => Promise<T>): Promise<T>
  /** Writes the audit row of a call that changed nothing. */
  recordRefusal(call: AuditedCall, target: AuditTarget, verdict: AuditVerdict): Promise<void>
  /** The work keys for reconcilers by kind of work. */
  readonly workKeys: KeyReaders
  /** Writes to the database and changes nothing. Throws the error of PostgreSQL. */
  checkWrites(): Promise<void>
}

interface StoreDeps extends UnitDeps {
  /** Multiplies the deadlines of new operations. */
  deadlineFactor?: number
}

export function storeOn({ deadlineFactor = 1, ...deps }: StoreDeps): Store {
  const { pool } = deps.database
  const platformContext = { viewer: platform, requestId: '', deadlineFactor }
  const platformReader = poolReader(pool, 'platform')
  return {
    bootLogs: bootLogsOn(deps),
    reads: (scope) => readsOn(poolReader(pool, scope)),
    write: ({ scope, call, idempotency }, act) =>
      runUnit(deps, { scope, call, idempotency }, (tools) =>
        act(opOn(tools, { viewer: call.viewer, requestId: call.requestId, deadlineFactor })),
      ),
    work: ({ scope, fence }, act) =>
      runUnit(deps, { scope, call: null, idempotency: null, fence }, (tools) =>
        act(opOn(tools, platformContext)),
      ),
    workOn({ scope, fence, read: rowOf }, act) {
      const read = async (tools: UnitTools) => {
        const op = opOn(tools, platformContext)
        return { op, row: await rowOf(op) }
      }
      return runUnit(
        deps,
        { scope, call: null, idempotency: null, fence, read },
        (_, { op, row }) => act(op, row),
      )
    },
    async recordRefusal(call, target, verdict) {
      await scopedQuery(pool, { ...refusalQuery(call, target, verdict), scope: 'platform' })
    },
    workKeys: keyReadersOn(platformReader),
    checkWrites: () => checkWrites(deps.database),
  }
}

function keyReadersOn(reader: Reader): KeyReaders {
  const readers = nouns.flatMap(({ workKeys }) =>
    Object.entries<KeyReads<WorkKey>>(workKeys).map(([kind, { page, of }]) => [
      kind,
      {
        page: (after: string | null) => page(reader, after),
        of: (ids: string[]) => of(reader, ids),
      },
    ]),
  )
  // `Object.fromEntries` loses the kinds, which `NounWorkKeys` takes from the same list.
  return Object.fromEntries(readers) as KeyReaders
}
