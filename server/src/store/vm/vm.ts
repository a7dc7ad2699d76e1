import { UnitStore } from '../../engine/database/unit-store.ts'
import { raw } from '@mikro-orm/postgresql'
import { type Explanation } from '../../domain/vm/explain.ts'
import { type VmDifference } from '../../domain/vm-drift/drift.ts'
import { type BusyWith } from '../../domain/vm/busy.ts'
import { type MigrationObstacle } from '../../domain/nic/wait-reasons.ts'
import { nicHotplugMinutes } from '../../domain/nic/hotplug.ts'
import { type ObservedAddress } from '../../domain/vm/observed.ts'
import { type VmiCommand } from '../../domain/vm/power-verbs.ts'
import { type VmState } from '../../domain/vm/state.ts'
import { type Power, type VmSize, type VmView } from '../../domain/vm/vm.ts'
import { type Message } from '../../engine/model/message.ts'
import { newId } from '../../runtime/ids.ts'
import { Secret } from '../../runtime/config/secret.ts'
import { Vm } from './vm-entity.ts'
import { type NewRow, insertInto } from '../../engine/database/sql/insert-into.ts'
import { type TakenName, idOfNamed, takenName } from '../../engine/database/sql/is-named.ts'
import { one, only } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { busyWith } from './vm-busy.ts'
import { newVmViewColumns } from './vm-columns.ts'

/** The observed state of a VM. Only the reconciler writes it. */
export interface ObservedVmState {
  state: VmState
  explanation: Explanation | null
  diskProgress: number | null
  ip: string | null
  guestOs: string | null
  vmiUid: string | null
  /** The node of the VMI; null while none runs. */
  host: string | null
  restartRequired: boolean
  /** The reason why the VMI cannot migrate. */
  stays: MigrationObstacle | null
  /** The NICs of the VMI; null while none runs. */
  observedNics: ObservedAddress[] | null
  settled: boolean
  observedVersion: string | null
}

/** The identities of created objects, and settings that are decided once. */
export interface CreatedVmObjects {
  clusterUid?: string
  diskUid?: string
  isoUid?: string | null
  secretUid?: string
  keepsGuestState?: boolean
  appliedGeneration?: number
}

/** The values of a new VM. The reconciler's columns begin with their defaults. */
export type NewVmRow = Omit<
  NewRow<'vm'>,
  | 'id'
  | 'userData'
  | keyof ObservedVmState
  | keyof CreatedVmObjects
  | 'drift'
  | 'comparedGeneration'
  | keyof AdoptedVmColumns
> & {
  userData: Secret
}

/** The columns of a VM that was made by another client, or with a row that was lost. */
export interface AdoptedVmColumns {
  adoptedUid: string
  rootClaim: string | null
  firmwareUuid: string | null
}

/**
 * Writes VMs in the transaction of a unit of work: use cases their desired state, the reconciler
 * their observed state.
 */
export class VmStore extends UnitStore {
  /** Inserts the VM. Its NICs are inserted afterwards. */
  insert({ userData, ...values }: NewVmRow): Promise<Omit<VmView, 'mac' | 'addresses'>> {
    const sealed = this.unit.seal.close(userData.reveal())
    return insertVm(this.reader, { id: newId(), ...values, userData: sealed })
  }

  /**
   * Inserts a VM that exists in the cluster. An object that Berth made keeps the id of its lost
   * row, because the names of its parts contain it.
   */
  insertAdopted({
    userData,
    ...values
  }: NewVmRow & AdoptedVmColumns & { id: string; keepsGuestState: boolean }): Promise<
    Omit<VmView, 'mac' | 'addresses'>
  > {
    return insertVm(this.reader, { ...values, userData: this.unit.seal.close(userData.reveal()) })
  }

  /** Returns the tenant's VM, locked until the unit ends. */
  get(id: string): Promise<Vm> {
    return this.lockById(Vm, { id, goneAt: null }, 'vm')
  }

  /** Returns the row, locked, even when the VM is gone; null when it never existed. */
  row(id: string): Promise<Vm | null> {
    return this.lockRow(Vm, { id })
  }

  /** Returns the id of the tenant's VM with this name; null when there is none. */
  idOf(tenantId: string, name: string): Promise<string | null> {
    return idOfNamed(this.reader, 'vm', { tenantId, name })
  }

  takenName(tenantId: string, name: string): Promise<TakenName | null> {
    return takenName(this.reader, 'vm', { tenantId, name })
  }

  /**
   * Counts the VMs that are being deployed from the ISO of the template. A clone copies the disks
   * of a snapshot, and needs no ISO.
   */
  async deployingFrom(templateId: string): Promise<number> {
    const deploying = statement('vm.deployingFrom', (db) =>
      db
        .selectFrom('vm')
        .innerJoin('operation', 'operation.target_id', 'vm.id')
        .select(countAll)
        .where('vm.template_id', '=', slot<string>('templateId'))
        .where('vm.iso_claim', 'is not', null)
        .where('vm.gone_at', 'is', null)
        .where('operation.kind', '=', 'deploy_vm')
        .where('operation.finished_at', 'is', null),
    )
    return (await only(this.reader, deploying, { templateId })).total
  }

  userDataOf(vm: Vm): Secret {
    return new Secret(this.unit.seal.open(Buffer.from(vm.userData)))
  }

  /** Returns the restore or the snapshot that blocks changes of the VM now. */
  async busyWith(vmId: string): Promise<BusyWith | null> {
    const found = statement('vm.busyWith', (db) =>
      db.selectFrom('vm').select(busyWith.as('busyWith')).where('id', '=', slot<string>('vmId')),
    )
    return (await one(this.reader, found, { vmId }))?.busyWith ?? null
  }

  /**
   * Requests a restore to the snapshot. Before it, the present state is saved in the safety
   * snapshot, unless that is null.
   */
  requestRestore(
    vm: Vm,
    { snapshotId, safetyId, size }: { snapshotId: string; safetyId: string | null; size: VmSize },
  ): void {
    const { cpu, memoryMi, dedicatedCpu, serviceOfferingId = null } = vm
    const former = { cpu, memoryMi, dedicatedCpu, serviceOfferingId }
    Object.assign(vm, {
      restoreId: newId(),
      restoreSnapshotId: snapshotId,
      restoreSafetyId: safetyId,
      restoreFormer: former,
    })
    this.resize(vm, size)
  }

  /** Requests the power state. `forced` switches the VM off at once, without asking the guest. */
  requestPower(vm: Vm, power: Power, forced = false): void {
    vm.wantedPower = power
    Object.assign(vm, { forced, vmiCommand: null, vmiCommandUid: null })
    vm.generation += 1
  }

  /** Requests a command for the current VMI. The VM should be on for it. */
  requestVmiCommand(
    vm: Vm,
    vmiCommand: VmiCommand,
    { vmiUid, forced }: { vmiUid: string; forced: boolean },
  ): void {
    if (vm.wantedPower === 'off') this.requestPower(vm, 'on')
    Object.assign(vm, { forced, vmiCommand, vmiCommandUid: vmiUid })
  }

  resize(vm: Vm, size: VmSize): void {
    Object.assign(vm, size)
    vm.generation += 1
  }

  /**
   * Increments the version, so that subscribers notice a change of an object that belongs to the
   * VM.
   */
  touch(vm: Vm): void {
    vm.updatedAt = raw('now()')
  }

  /** Requests that a part of the VM is attached or detached. */
  requestPartChange(vm: Vm): void {
    vm.generation += 1
  }

  /** Requests that NICs are attached or detached. `isLive` tries that while the VM runs. */
  requestNicChange(vm: Vm, { isLive }: { isLive: boolean }): void {
    if (isLive) vm.nicsLiveUntil = raw(`now() + interval '${nicHotplugMinutes} minutes'`)
    this.requestPartChange(vm)
  }

  ejectIso(vm: Vm): void {
    vm.isoInserted = false
    this.requestPartChange(vm)
  }

  requestDelete(vm: Vm): void {
    vm.deleteRequestedAt = raw('now()')
    vm.generation += 1
  }

  /** Records created objects. Only the reconciler calls this and the following methods. */
  /** Takes over the user data that the settings in the cluster have. */
  rememberUserData(vm: Vm, userData: Secret): void {
    vm.userData = this.unit.seal.close(userData.reveal())
  }

  remember(vm: Vm, made: CreatedVmObjects): void {
    Object.assign(vm, made)
  }

  observe(vm: Vm, observed: ObservedVmState): void {
    if (vm.state !== observed.state) vm.stateSince = raw('now()')
    Object.assign(vm, observed)
    vm.observedAt = raw('now()')
  }

  /** Records the differences in the object of this generation. */
  recordComparison(
    vm: Vm,
    { generation, drift }: { generation: number | null; drift: VmDifference[] | null },
  ): void {
    Object.assign(vm, { comparedGeneration: generation, drift })
  }

  /** Records why the VM cannot be reconciled. Its last observed state stays. */
  explain(vm: Vm, explanation: Explanation): void {
    vm.explanation = explanation
  }

  beginRestore(vm: Vm): void {
    vm.restoreBegunId = vm.restoreId ?? null
  }

  /**
   * Ends the restore. The VM is always applied again, because KubeVirt has changed its spec. A
   * failed restore puts the former size back.
   */
  endRestore(vm: Vm, { isDone }: { isDone: boolean }): void {
    if (!isDone && vm.restoreFormer) Object.assign(vm, vm.restoreFormer)
    vm.restoredId = vm.restoreId ?? null
    vm.generation += 1
  }

  /** Records that the deploy failed. What exists of the VM stays. */
  recordFailure(vm: Vm, failure: Message): void {
    Object.assign(vm, { failedAt: raw('now()'), failure })
  }

  /** Forgets the failure, because the deploy is retried or has succeeded after all. */
  forgetFailure(vm: Vm): void {
    Object.assign(vm, { failedAt: null, failure: null })
  }

  /**
   * Marks the VM as gone, when the cluster has nothing of it any more. The row stays as a record.
   */
  erase(vm: Vm): void {
    vm.goneAt = raw('now()')
  }
}

const insertVm = insertInto('vm', (row) => row.returning(newVmViewColumns))
