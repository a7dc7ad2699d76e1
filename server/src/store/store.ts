import type pg from 'pg'
import { type Scope } from '../domain/scope.ts'
import { type AuditTarget, type AuditVerdict, type AuditedCall, refusalQuery } from './bookkeeping.ts'
import { faultFromDatabase } from './database-fault.ts'
import { type IdempotencyKey } from './idempotency.ts'
import { platform } from '../domain/identity/viewer.ts'
import { type Op, type Reads, opOn, readsOn } from './op.ts'
import { poolReader } from './reader.ts'
import { scopedQuery } from './scoped-query.ts'
import { type KeyPage } from './key-page.ts'
import { type TenantKey, tenantKeyPage, tenantKeysOf } from './tenant-keys.ts'
import { type BootLogs, bootLogsOn } from './vm-boot-log.ts'
import { type VmKey, vmKeyPage, vmKeysOf } from './vm-keys.ts'
import { templateKeyPage, templateKeysOf } from './vm-template-keys.ts'
import { type UnitDeps, runUnit } from './unit.ts'
import { type WorkKey } from './work-lease.ts'

export interface Write {
  scope: Scope
  call: AuditedCall
  idempotency: IdempotencyKey | null
}

/** Work of the platform itself: nobody's call, fenced by the lease of whoever runs it. */
export interface OwnWork {
  scope: Scope
  guard: (client: pg.ClientBase) => Promise<void>
}

export interface Store {
  readonly bootLogs: BootLogs
  reads(scope: Scope): Reads
  /** One transaction on behalf of a caller. */
  write<T>(write: Write, act: (op: Op) => Promise<T>): Promise<T>
  /** One transaction of a reconciler. */
  work<T>(work: OwnWork, act: (op: Op) => Promise<T>): Promise<T>
  /** The audit row of a call that changed nothing. */
  recordRefusal(call: AuditedCall, target: AuditTarget, verdict: AuditVerdict): Promise<void>
  /** A page of the tenants that are not gone. */
  tenantKeys(after: string | null): Promise<KeyPage<TenantKey>>
  tenantKeysOf(ids: readonly string[]): Promise<TenantKey[]>
  /** A page of the machines that are not gone. */
  vmKeys(after: string | null): Promise<KeyPage<VmKey>>
  /** Those of the ids that are machines, whatever became of them. */
  vmKeysOf(ids: readonly string[]): Promise<VmKey[]>
  /** A page of the templates that import something and are not gone. */
  templateKeys(after: string | null): Promise<KeyPage<WorkKey>>
  /** Those of the ids that are templates, whatever became of them. */
  templateKeysOf(ids: readonly string[]): Promise<WorkKey[]>
  ping(): Promise<void>
}

export function storeOn(deps: UnitDeps): Store {
  const { pool } = deps.database
  return {
    bootLogs: bootLogsOn(deps),
    reads: (scope) => readsOn(poolReader(pool, scope)),
    write: ({ scope, call, idempotency }, act) =>
      runUnit(deps, { scope, call, idempotency }, (tools) => act(opOn(tools, call.viewer, call.requestId))),
    work: ({ scope, guard }, act) =>
      runUnit(deps, { scope, call: null, idempotency: null, guard }, (tools) => act(opOn(tools, platform, ''))),
    async recordRefusal(call, target, verdict) {
      await scopedQuery(pool, { ...refusalQuery(call, target, verdict), scope: 'platform' })
    },
    tenantKeys: (after) => tenantKeyPage(poolReader(pool, 'platform'), after),
    tenantKeysOf: (ids) => tenantKeysOf(poolReader(pool, 'platform'), ids),
    vmKeys: (after) => vmKeyPage(poolReader(pool, 'platform'), after),
    vmKeysOf: (ids) => vmKeysOf(poolReader(pool, 'platform'), ids),
    templateKeys: (after) => templateKeyPage(poolReader(pool, 'platform'), after),
    templateKeysOf: (ids) => templateKeysOf(poolReader(pool, 'platform'), ids),
    async ping() {
      await pool.query('select 1').catch((error: unknown) => {
        throw faultFromDatabase(error)
      })
    },
  }
}
