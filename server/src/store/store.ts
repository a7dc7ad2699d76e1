import type pg from 'pg'
import { type Scope } from '../engine/model/scope.ts'
import {
  type AuditTarget,
  type AuditVerdict,
  type AuditedCall,
  refusalQuery,
} from '../engine/database/bookkeeping.ts'
import { faultFromDatabase } from '../engine/database/database-fault.ts'
import { type IdempotencyKey } from '../engine/database/idempotency.ts'
import { platform } from '../engine/model/viewer.ts'
import { type Op, type Reads, opOn, readsOn } from './op.ts'
import { poolReader } from '../engine/database/sql/reader.ts'
import { scopedQuery } from '../engine/database/sql/scoped-query.ts'
import { type KeyPage } from '../engine/database/sql/key-page.ts'
import { type NetworkKey, networkKeys } from './network/network-keys.ts'
import { type TenantKey, tenantKeys } from './tenant/tenant-keys.ts'
import { type BootLogs, bootLogsOn } from './vm/vm-boot-log.ts'
import { type VmGuardKey, vmGuardKeys } from './vm-guard/vm-guard-keys.ts'
import { type VmKey, vmKeys } from './vm/vm-keys.ts'
import { type VmSshKey, vmSshKeys } from './vm-ssh/vm-ssh-keys.ts'
import { vmSnapshotKeys } from './vm-snapshot/vm-snapshot-keys.ts'
import { templateKeys } from './vm-template/vm-template-keys.ts'
import { type SeenKey, volumeKeys } from './volume/volume-keys.ts'
import { volumeSnapshotKeys } from './volume-snapshot/volume-snapshot-keys.ts'
import { type VpcKey, vpcKeys } from './vpc/vpc-keys.ts'
import { snapshotScheduleKeys } from './snapshot-schedule/snapshot-schedule-keys.ts'
import { type UnitDeps, type UnitTools, runUnit } from '../engine/database/unit.ts'
import { type WorkKey } from '../engine/model/work-key.ts'

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

/** What an act begins with travels with the beginning, and is given to it if that succeeds. */
export interface WorkOn<Row> extends OwnWork {
  read: (op: Op) => Promise<Row>
}

export interface Store {
  readonly bootLogs: BootLogs
  reads(scope: Scope): Reads
  /** One transaction on behalf of a caller. */
  write<T>(write: Write, act: (op: Op) => Promise<T>): Promise<T>
  /** One transaction of the platform's own. */
  work<T>(work: OwnWork, act: (op: Op) => Promise<T>): Promise<T>
  /** The same on something that is read with its beginning, as reconcilers do. */
  workOn<Row, T>(work: WorkOn<Row>, act: (op: Op, row: Row) => Promise<T>): Promise<T>
  /** The audit row of a call that changed nothing. */
  recordRefusal(call: AuditedCall, target: AuditTarget, verdict: AuditVerdict): Promise<void>
  /** A page of the tenants that are not gone. */
  tenantKeys(after: string | null): Promise<KeyPage<TenantKey>>
  tenantKeysOf(ids: readonly string[]): Promise<TenantKey[]>
  /** A page of the machines that are not gone. */
  vmKeys(after: string | null): Promise<KeyPage<VmKey>>
  /** Those of the ids that are machines, whatever became of them. */
  vmKeysOf(ids: readonly string[]): Promise<VmKey[]>
  /** A page of the guards of machines that are not gone. */
  vmGuardKeys(after: string | null): Promise<KeyPage<VmGuardKey>>
  vmGuardKeysOf(ids: readonly string[]): Promise<VmGuardKey[]>
  /** A page of the machines that are, or were, to be reached by SSH. */
  vmSshKeys(after: string | null): Promise<KeyPage<VmSshKey>>
  /** Those of the ids of which anybody ever asked for that, whatever became of them. */
  vmSshKeysOf(ids: readonly string[]): Promise<VmSshKey[]>
  /** A page of the templates that import something and are not gone. */
  templateKeys(after: string | null): Promise<KeyPage<WorkKey>>
  /** Those of the ids that are templates, whatever became of them. */
  templateKeysOf(ids: readonly string[]): Promise<WorkKey[]>
  /** A page of the volumes that are not gone. */
  volumeKeys(after: string | null): Promise<KeyPage<SeenKey>>
  /** Those of the ids that are volumes, whatever became of them. */
  volumeKeysOf(ids: readonly string[]): Promise<SeenKey[]>
  /** A page of the snapshots of volumes that are not gone. */
  volumeSnapshotKeys(after: string | null): Promise<KeyPage<SeenKey>>
  /** Those of the ids that are snapshots of volumes, whatever became of them. */
  volumeSnapshotKeysOf(ids: readonly string[]): Promise<SeenKey[]>
  /** A page of the snapshots of machines that are not gone. */
  vmSnapshotKeys(after: string | null): Promise<KeyPage<SeenKey>>
  /** Those of the ids that are snapshots of machines, whatever became of them. */
  vmSnapshotKeysOf(ids: readonly string[]): Promise<SeenKey[]>
  /** A page of the schedules of snapshots that have something to do. */
  snapshotScheduleKeys(after: string | null): Promise<KeyPage<WorkKey>>
  /** A page of the VPCs that are not gone. */
  vpcKeys(after: string | null): Promise<KeyPage<VpcKey>>
  /** Those of the ids that are VPCs, whatever became of them. */
  vpcKeysOf(ids: readonly string[]): Promise<VpcKey[]>
  /** A page of the networks that are not gone. */
  networkKeys(after: string | null): Promise<KeyPage<NetworkKey>>
  /** Those of the ids that are networks, whatever became of them. */
  networkKeysOf(ids: readonly string[]): Promise<NetworkKey[]>
  ping(): Promise<void>
}

export function storeOn(deps: UnitDeps): Store {
  const { pool } = deps.database
  const everybodys = poolReader(pool, 'platform')
  return {
    bootLogs: bootLogsOn(deps),
    reads: (scope) => readsOn(poolReader(pool, scope)),
    write: ({ scope, call, idempotency }, act) =>
      runUnit(deps, { scope, call, idempotency }, (tools) =>
        act(opOn(tools, call.viewer, call.requestId)),
      ),
    work: ({ scope, guard }, act) =>
      runUnit(deps, { scope, call: null, idempotency: null, guard }, (tools) =>
        act(opOn(tools, platform, '')),
      ),
    workOn({ scope, guard, read: rowOf }, act) {
      const read = async (tools: UnitTools) => {
        const op = opOn(tools, platform, '')
        return { op, row: await rowOf(op) }
      }
      return runUnit(
        deps,
        { scope, call: null, idempotency: null, guard, read },
        (_, { op, row }) => act(op, row),
      )
    },
    async recordRefusal(call, target, verdict) {
      await scopedQuery(pool, { ...refusalQuery(call, target, verdict), scope: 'platform' })
    },
    tenantKeys: (after) => tenantKeys.page(everybodys, after),
    tenantKeysOf: (ids) => tenantKeys.of(everybodys, ids),
    vmKeys: (after) => vmKeys.page(everybodys, after),
    vmKeysOf: (ids) => vmKeys.of(everybodys, ids),
    vmGuardKeys: (after) => vmGuardKeys.page(everybodys, after),
    vmGuardKeysOf: (ids) => vmGuardKeys.of(everybodys, ids),
    vmSshKeys: (after) => vmSshKeys.page(everybodys, after),
    vmSshKeysOf: (ids) => vmSshKeys.of(everybodys, ids),
    templateKeys: (after) => templateKeys.page(everybodys, after),
    templateKeysOf: (ids) => templateKeys.of(everybodys, ids),
    volumeKeys: (after) => volumeKeys.page(everybodys, after),
    volumeKeysOf: (ids) => volumeKeys.of(everybodys, ids),
    volumeSnapshotKeys: (after) => volumeSnapshotKeys.page(everybodys, after),
    volumeSnapshotKeysOf: (ids) => volumeSnapshotKeys.of(everybodys, ids),
    vmSnapshotKeys: (after) => vmSnapshotKeys.page(everybodys, after),
    vmSnapshotKeysOf: (ids) => vmSnapshotKeys.of(everybodys, ids),
    snapshotScheduleKeys: (after) => snapshotScheduleKeys.page(everybodys, after),
    vpcKeys: (after) => vpcKeys.page(everybodys, after),
    vpcKeysOf: (ids) => vpcKeys.of(everybodys, ids),
    networkKeys: (after) => networkKeys.page(everybodys, after),
    networkKeysOf: (ids) => networkKeys.of(everybodys, ids),
    async ping() {
      await pool.query('select 1').catch((error: unknown) => {
        throw faultFromDatabase(error)
      })
    },
  }
}
