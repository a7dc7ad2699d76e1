import { MikroORM } from '@mikro-orm/postgresql'
import { Migrator } from '@mikro-orm/migrations'
import { type Log } from '../runtime/log.ts'
import { M0001Foundation } from './migrations/m0001-foundation.ts'
import { M0002SshKey } from './migrations/m0002-ssh-key.ts'
import { M0003VmTemplate } from './migrations/m0003-vm-template.ts'
import { M0004Vm } from './migrations/m0004-vm.ts'
import { M0005VmVerbs } from './migrations/m0005-vm-verbs.ts'
import { M0006VmLive } from './migrations/m0006-vm-live.ts'
import { M0007VmIso } from './migrations/m0007-vm-iso.ts'
import { M0008TenantQuota } from './migrations/m0008-tenant-quota.ts'
import { databaseName } from './orm.ts'

/** Forward only. Several replicas may start at once: an advisory lock lets one migrate while the others wait. */
const migrationsList = [
  { name: 'm0001-foundation', class: M0001Foundation },
  { name: 'm0002-ssh-key', class: M0002SshKey },
  { name: 'm0003-vm-template', class: M0003VmTemplate },
  { name: 'm0004-vm', class: M0004Vm },
  { name: 'm0005-vm-verbs', class: M0005VmVerbs },
  { name: 'm0006-vm-live', class: M0006VmLive },
  { name: 'm0007-vm-iso', class: M0007VmIso },
  { name: 'm0008-tenant-quota', class: M0008TenantQuota },
]
const lockKey = 0x62657274

/** Brings the schema up to date as the owner of the database; the application itself connects with fewer rights. */
export async function migrate(url: string, log: Log): Promise<void> {
  const orm = await MikroORM.init({
    entities: [],
    dbName: databaseName(url),
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    pool: { max: 2 },
    driverOptions: { connectionString: url },
    migrations: { migrationsList, transactional: true, allOrNothing: true, snapshot: false, tableName: 'berth_migration' },
    logger: (message) => log.debug(message),
  })
  try {
    const pool = await orm.em.getConnection().getNativeClient()
    const client = await pool.connect()
    try {
      await client.query('select pg_advisory_lock($1)', [lockKey])
      await orm.migrator.up()
    } finally {
      await client.query('select pg_advisory_unlock($1)', [lockKey])
      client.release()
    }
  } finally {
    await orm.close()
  }
}
