import { type Kysely, sql } from 'kysely'
import { type VmDisk } from '../../domain/vm-snapshot/coverage.ts'
import { type SnapshotNic } from '../../domain/vm-snapshot/snapshot-nics.ts'
import { type VmSnapshotOrigin, type VmSnapshotView } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { newId } from '../../runtime/ids.ts'
import { VmSnapshot } from './vm-snapshot-entity.ts'
import { type TakenName, idOfNamed, takenName } from '../../engine/database/sql/is-named.ts'
import { only } from '../../engine/database/sql/reader.ts'
import { type DueSchedule, SnapshotStore, scheduleColumns } from './snapshot-store.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { vmSnapshotViewColumns } from './vm-snapshot-reads.ts'

type VmColumns = 'tenantId' | 'cpu' | 'memoryMi' | 'dedicatedCpu' | 'serviceOfferingId'

export interface NewVmSnapshotRow
  extends Pick<VmView, VmColumns>, Pick<VmSnapshotView, 'name' | 'vmId' | 'vmName' | 'origin'> {
  vmDisks: readonly VmDisk[]
  nics: readonly SnapshotNic[]
  schedule: DueSchedule | null
}

/** Writes VM snapshots in the transaction of a unit of work. */
export class VmSnapshotStore extends SnapshotStore<VmSnapshot> {
  insert({ vmDisks, nics, schedule, ...values }: NewVmSnapshotRow): Promise<VmSnapshotView> {
    const texts = { vmDisks: JSON.stringify(vmDisks), nics: JSON.stringify(nics) }
    const row = { id: newId(), ...values, ...scheduleColumns(schedule), ...texts }
    return only(this.reader, statement('vmSnapshot.insert', inserting), row)
  }

  /** Returns the tenant's snapshot, locked until the unit ends. */
  get(id: string): Promise<VmSnapshot> {
    return this.lockById(VmSnapshot, { id, goneAt: null }, 'VM snapshot')
  }

  row(id: string): Promise<VmSnapshot | null> {
    return this.lockRow(VmSnapshot, { id })
  }

  /** Returns the id of the tenant's snapshot with this name; null when there is none. */
  idOf(tenantId: string, name: string): Promise<string | null> {
    return idOfNamed(this.reader, 'vm_snapshot', { tenantId, name })
  }

  takenName(tenantId: string, name: string): Promise<TakenName | null> {
    return takenName(this.reader, 'vm_snapshot', { tenantId, name })
  }

  /**
   * True when a VM is being restored to it or is saved in it before a restore, or when something is
   * being created from it.
   */
  async isInUse(id: string): Promise<boolean> {
    const using = statement('vmSnapshot.isInUse', (db) =>
      db.selectFrom(users.as('used')).selectAll(),
    )
    return (await only(this.reader, using, { id })).isInUse
  }
}

const users = sql<{ isInUse: boolean }>`(
select exists (select from vm where gone_at is null and restore_snapshot_id = ${slot('id')}::uuid and restore_id is distinct from restored_id)
    or exists (select from vm where gone_at is null and restore_safety_id = ${slot('id')}::uuid and restore_id is distinct from restored_id)
    or exists (select from vm where gone_at is null and copied_from = ${slot('id')}::uuid and cluster_uid is null and failed_at is null)
    or exists (select from volume where gone_at is null and copied_from = ${slot('id')}::uuid and grown_gi is null and failed_at is null)
    as "isInUse")`

const inserting = (db: Kysely<Tables>) =>
  db
    .insertInto('vm_snapshot')
    .values({
      id: slot<string>('id'),
      tenant_id: slot<string>('tenantId'),
      name: slot<string>('name'),
      vm_id: slot<string>('vmId'),
      vm_name: slot<string>('vmName'),
      origin: slot<VmSnapshotOrigin>('origin'),
      vm_disks: sql<readonly VmDisk[]>`${slot('vmDisks')}::jsonb`,
      nics: sql<readonly SnapshotNic[]>`${slot('nics')}::jsonb`,
      cpu: slot<number>('cpu'),
      memory_mi: slot<number>('memoryMi'),
      dedicated_cpu: slot<boolean>('dedicatedCpu'),
      service_offering_id: slot<string | null>('serviceOfferingId'),
      schedule_id: slot<string | null>('scheduleId'),
      due_at: slot<string | null>('dueAt'),
    })
    .returning(vmSnapshotViewColumns)
