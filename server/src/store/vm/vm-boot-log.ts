import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { type Scope } from '../../engine/model/scope.ts'
import { logRetention } from '../../domain/guest/guest-log.ts'
import { type Seal } from '../../runtime/seal.ts'
import { scopedQuery } from '../../engine/database/sql/scoped-query.ts'
import { rowTypes } from '../../engine/database/sql/row-types.ts'
import { type Database } from '../../engine/database/database.ts'

const packed = promisify(gzip)
const unpacked = promisify(gunzip)

/** The stored console output of one VMI. */
export interface StoredBoot {
  vmiUid: string
  startedAt: string | null
  endedAt: string
  byteCount: number
  isCut: boolean
}

export interface EndedBoot extends Pick<StoredBoot, 'vmiUid' | 'startedAt' | 'isCut'> {
  namespace: string
  name: string
  bytes: Uint8Array
}

/** The console output of the last boots of VMs, compressed and encrypted. */
export interface BootLogs {
  /**
   * Stores the output. A second call for the same VMI replaces it. Nothing is stored for a VM that
   * is gone.
   */
  store(boot: EndedBoot): Promise<void>
  /** Returns the boots of a VM, newest first. */
  of(scope: Scope, vmId: string): Promise<StoredBoot[]>
  read(scope: Scope, vmId: string, vmiUid: string): Promise<Buffer>
}

export function bootLogsOn({
  database: { pool },
  seal,
}: {
  database: Pick<Database, 'pool'>
  seal: Seal
}): BootLogs {
  return {
    async store({ namespace, name, vmiUid, startedAt, isCut, bytes }) {
      const content = seal.close((await packed(bytes)).toString('base64'))
      const values = [namespace, name, vmiUid, startedAt, bytes.length, isCut, content]
      await scopedQuery(pool, {
        name: 'berth_boot_keep',
        text: keepText,
        values,
        scope: 'platform',
      })
    },
    of: (scope, vmId) =>
      scopedQuery<StoredBoot>(pool, {
        name: 'berth_boots',
        text: listText,
        values: [vmId],
        types: rowTypes,
        scope,
      }),
    async read(scope, vmId, vmiUid) {
      const values = [vmId, vmiUid]
      const [row] = await scopedQuery<{ content: Buffer }>(pool, {
        name: 'berth_boot_read',
        text: readText,
        values,
        scope,
      })
      return row ? unpacked(Buffer.from(seal.open(row.content), 'base64')) : Buffer.alloc(0)
    },
  }
}

// The share lock makes a concurrent erase of the VM wait, or waits for it and then finds no row.
const keepText = `
with target as (
  select vm.id, vm.tenant_id from vm join tenant on tenant.id = vm.tenant_id
  where tenant.namespace = $1 and vm.name = $2 and vm.gone_at is null for share of vm),
forgotten as (
  delete from vm_boot_log where (vm_id, vmi_uid) in (
    select old.vm_id, old.vmi_uid from vm_boot_log as old join target on target.id = old.vm_id
    where old.vmi_uid <> $3::text order by old.ended_at desc, old.vmi_uid offset ${logRetention.boots - 1}))
insert into vm_boot_log (vm_id, vmi_uid, tenant_id, started_at, byte_count, is_cut, content)
select id, $3::text, tenant_id, $4::timestamptz, $5::int, $6::boolean, $7::bytea from target
on conflict (vm_id, vmi_uid) do update
  set byte_count = excluded.byte_count, is_cut = excluded.is_cut, content = excluded.content, ended_at = now()`

const listText = `
select vmi_uid as "vmiUid", started_at as "startedAt", ended_at as "endedAt", byte_count as "byteCount", is_cut as "isCut"
from vm_boot_log where vm_id = $1 order by coalesce(started_at, ended_at) desc, vmi_uid`

const readText = `select content from vm_boot_log where vm_id = $1 and vmi_uid = $2`
