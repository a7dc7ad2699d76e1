import { MikroORM } from '@mikro-orm/postgresql'
import pg from 'pg'
import { type Log } from '../runtime/log.ts'
import { ApiKey } from './entities/api-key.ts'
import { AuditEventSchema } from './entities/audit-event.ts'
import { ClusterCapacitySchema } from './entities/cluster-capacity.ts'
import { Network } from './entities/network.ts'
import { NicSchema } from './entities/nic.ts'
import { Operation } from './entities/operation.ts'
import { Role } from './entities/role.ts'
import { SecurityGroup, SecurityGroupRuleSchema } from './entities/security-group.ts'
import { ServiceOffering } from './entities/service-offering.ts'
import { Session } from './entities/session.ts'
import { SnapshotSchedule } from './entities/snapshot-schedule.ts'
import { SshKey } from './entities/ssh-key.ts'
import { Tenant } from './entities/tenant.ts'
import { TenantBoundarySchema } from './entities/tenant-boundary.ts'
import { TenantQuotaSchema } from './entities/tenant-quota.ts'
import { User } from './entities/user.ts'
import { Vm } from './entities/vm.ts'
import { VmEventSchema } from './entities/vm-event.ts'
import { VmGuardSchema, VmSecurityGroupSchema } from './entities/vm-guard.ts'
import { VmSshSchema } from './entities/vm-ssh.ts'
import { VmTemplate } from './entities/vm-template.ts'
import { VmSnapshot } from './entities/vm-snapshot.ts'
import { VolumeSnapshot } from './entities/volume-snapshot.ts'
import { Volume } from './entities/volume.ts'
import { Vpc } from './entities/vpc.ts'
import { gatherWrites } from './gather-writes.ts'
import { PreparedDriver } from './prepared-driver.ts'
import { prepareScope } from './scoped-query.ts'

const entities = [
  ApiKey,
  AuditEventSchema,
  ClusterCapacitySchema,
  Network,
  NicSchema,
  Operation,
  Role,
  SecurityGroup,
  SecurityGroupRuleSchema,
  ServiceOffering,
  Session,
  SnapshotSchedule,
  SshKey,
  Tenant,
  TenantBoundarySchema,
  TenantQuotaSchema,
  User,
  Vm,
  VmEventSchema,
  VmGuardSchema,
  VmSecurityGroupSchema,
  VmSshSchema,
  VmTemplate,
  Volume,
  VmSnapshot,
  VolumeSnapshot,
  Vpc,
]

export interface Database {
  readonly orm: MikroORM
  readonly pool: pg.Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  log: Log
  poolSize?: number
}

// A long transaction holds the event watermark back for everybody; these bounds make it end.
const sessionBounds =
  '-c idle_in_transaction_session_timeout=10s -c statement_timeout=15s -c lock_timeout=5s -c timezone=UTC'

/**
 * The server ends a slow statement sooner; this is for a connection that is silently gone, which a
 * unix socket never is.
 */
function farAway(url: string): { query_timeout?: number } {
  return /(@|host=|:\/\/)(%2F|\/)/i.test(url) ? {} : { query_timeout: 20_000 }
}

/** Connects as the application role: it owns nothing and row level security holds for it. */
export async function openDatabase({
  url,
  log,
  poolSize = 12,
}: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init({
    driver: PreparedDriver,
    entities,
    dbName: databaseName(url),
    allowGlobalContext: false,
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    pool: { max: poolSize },
    driverOptions: {
      connectionString: url,
      pipeline: true,
      connectionTimeoutMillis: 5_000,
      ...farAway(url),
      options: `-c role=berth_app ${sessionBounds}`,
      async onConnect(client: pg.ClientBase) {
        gatherWrites(client)
        await prepareScope(client)
      },
    },
    logger: (message) => log.warn(message),
  })
  const pool = await orm.em.getConnection().getNativeClient()
  return { orm, pool, close: () => orm.close() }
}

/**
 * How the platform's own workers connect: they look across tenants, and the units they open set a
 * scope of their own.
 */
export function workerConnection(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    ...farAway(url),
    options: `-c role=berth_app -c berth.scope=platform ${sessionBounds}`,
  }
}

export function openWorkerPool(url: string, log: Log): pg.Pool {
  const pool = new pg.Pool({ ...workerConnection(url), max: 12 })
  // A dropped idle connection is replaced at the next use; without a listener it would end the
  // process.
  pool.on('error', (error) => log.warn('a worker connection was lost', { error }))
  // So would one that ends between two queries of a transaction; the next query finds out anyway.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

export function databaseName(url: string): string {
  return (
    decodeURIComponent(
      new URL(url.replace(/^postgres(ql)?:\/\/\//, 'postgresql://socket/')).pathname.slice(1),
    ) || 'postgres'
  )
}
