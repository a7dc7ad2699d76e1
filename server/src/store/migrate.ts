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
import { M0030Volume } from './migrations/m0030-volume.ts'
import { M0031VolumeSnapshot } from './migrations/m0031-volume-snapshot.ts'
import { M0010Vpc } from './migrations/m0010-vpc.ts'
import { M0020SecurityGroup } from './migrations/m0020-security-group.ts'
import { M0021TenantBoundary } from './migrations/m0021-tenant-boundary.ts'
import { M0060SecurityGroupWire } from './migrations/m0060-security-group-wire.ts'
import { M0061EventsTicket } from './migrations/m0061-events-ticket.ts'
import { M0062VmSsh } from './migrations/m0062-vm-ssh.ts'
import { M0070WiderQuota } from './migrations/m0070-wider-quota.ts'
import { M0071WatchedFilters } from './migrations/m0071-watched-filters.ts'
import { M0040Nic } from './migrations/m0040-nic.ts'
import { M0041PublicNic } from './migrations/m0041-public-nic.ts'
import { M0042NicLeaving } from './migrations/m0042-nic-leaving.ts'
import { M0043PublicAddressQuota } from './migrations/m0043-public-address-quota.ts'
import { M0044KubeOvn } from './migrations/m0044-kube-ovn.ts'
import { M0045NetworkFilter } from './migrations/m0045-network-filter.ts'
import { M0050VmSnapshot } from './migrations/m0050-vm-snapshot.ts'
import { M0051SnapshotSchedule } from './migrations/m0051-snapshot-schedule.ts'
import { M0052VmIsoEject } from './migrations/m0052-vm-iso-eject.ts'
import { M0053VmRestoreFormer } from './migrations/m0053-vm-restore-former.ts'
import { M0075VmSnapshotNics } from './migrations/m0075-vm-snapshot-nics.ts'
import { M0080LiveNics } from './migrations/m0080-live-nics.ts'
import { M0090ClusterCapacity } from './migrations/m0090-cluster-capacity.ts'
import { M0095VmEvent } from './migrations/m0095-vm-event.ts'
import { M0096Messages } from './migrations/m0096-messages.ts'
import { databaseName } from '../engine/database/database.ts'

/**
 * Forward only. Several replicas may start at once: an advisory lock lets one migrate while the
 * others wait.
 */
const migrationsList = [
  { name: 'm0001-foundation', class: M0001Foundation },
  { name: 'm0002-ssh-key', class: M0002SshKey },
  { name: 'm0003-vm-template', class: M0003VmTemplate },
  { name: 'm0004-vm', class: M0004Vm },
  { name: 'm0005-vm-verbs', class: M0005VmVerbs },
  { name: 'm0006-vm-live', class: M0006VmLive },
  { name: 'm0007-vm-iso', class: M0007VmIso },
  { name: 'm0008-tenant-quota', class: M0008TenantQuota },
  { name: 'm0030-volume', class: M0030Volume },
  { name: 'm0031-volume-snapshot', class: M0031VolumeSnapshot },
  { name: 'm0010-vpc', class: M0010Vpc },
  { name: 'm0020-security-group', class: M0020SecurityGroup },
  { name: 'm0021-tenant-boundary', class: M0021TenantBoundary },
  { name: 'm0060-security-group-wire', class: M0060SecurityGroupWire },
  { name: 'm0061-events-ticket', class: M0061EventsTicket },
  { name: 'm0070-wider-quota', class: M0070WiderQuota },
  { name: 'm0040-nic', class: M0040Nic },
  { name: 'm0041-public-nic', class: M0041PublicNic },
  { name: 'm0042-nic-leaving', class: M0042NicLeaving },
  { name: 'm0043-public-address-quota', class: M0043PublicAddressQuota },
  { name: 'm0044-kube-ovn', class: M0044KubeOvn },
  { name: 'm0045-network-filter', class: M0045NetworkFilter },
  { name: 'm0050-vm-snapshot', class: M0050VmSnapshot },
  { name: 'm0051-snapshot-schedule', class: M0051SnapshotSchedule },
  { name: 'm0052-vm-iso-eject', class: M0052VmIsoEject },
  { name: 'm0053-vm-restore-former', class: M0053VmRestoreFormer },
  { name: 'm0075-vm-snapshot-nics', class: M0075VmSnapshotNics },
  { name: 'm0062-vm-ssh', class: M0062VmSsh },
  { name: 'm0071-watched-filters', class: M0071WatchedFilters },
  { name: 'm0080-live-nics', class: M0080LiveNics },
  { name: 'm0090-cluster-capacity', class: M0090ClusterCapacity },
  { name: 'm0095-vm-event', class: M0095VmEvent },
  { name: 'm0096-messages', class: M0096Messages },
]
const lockKey = 0x62657274

/**
 * Brings the schema up to date as the owner of the database; the application itself connects with
 * fewer rights.
 */
export async function migrate(url: string, log: Log): Promise<void> {
  const orm = await MikroORM.init({
    entities: [],
    dbName: databaseName(url),
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    pool: { max: 2 },
    driverOptions: { connectionString: url },
    migrations: {
      migrationsList,
      transactional: true,
      allOrNothing: true,
      snapshot: false,
      tableName: 'berth_migration',
    },
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
