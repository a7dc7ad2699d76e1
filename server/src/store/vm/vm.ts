import { LockMode, raw } from '@mikro-orm/postgresql'
import { notFound } from '../../engine/model/fault.ts'
import { type Explanation } from '../../domain/vm/explain.ts'
import { type BusyWith } from '../../domain/vm/busy.ts'
import { type StayReason } from '../../domain/nic/cold.ts'
import { liveNicMinutes } from '../../domain/nic/live.ts'
import { type SeenAddress } from '../../domain/vm/seen.ts'
import { type RunWish } from '../../domain/vm/power-verbs.ts'
import { type VmState } from '../../domain/vm/state.ts'
import { type Power, type VmSize, type VmView } from '../../domain/vm/vm.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { Secret } from '../../runtime/config/secret.ts'
import { Vm } from './vm-entity.ts'
import { type NewRow, insertInto } from '../../engine/database/sql/insert-into.ts'
import { type Reader, one, only } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type UnitTools } from '../../engine/database/unit.ts'
import { busyWith } from './vm-busy.ts'
import { shownOfNewVm } from './vm-columns.ts'

/** What a look at the cluster found; only the reconciler writes it. */
export interface SeenOfVm {
  state: VmState
  explanation: Explanation | null
  diskProgress: number | null
  ip: string | null
  guestOs: string | null
  runUid: string | null
  /** Null while nothing runs. */
  host: string | null
  restartRequired: boolean
  /** What keeps the run on its host. */
  stays: StayReason | null
  /** What the run has; null while nothing runs. */
  seenNics: SeenAddress[] | null
  settled: boolean
  seenVersion: string | null
}

/**
 * The identities of what was made in the cluster, and what was decided about it once and for all.
 */
export interface MadeOfVm {
  clusterUid?: string
  diskUid?: string
  isoUid?: string | null
  secretUid?: string
  keepsGuestState?: boolean
  appliedGeneration?: number
}

/** What a use case gives a new VM. The reconciler's columns begin with their defaults. */
export type NewVmRow = Omit<NewRow<'vm'>, 'id' | 'userData' | keyof SeenOfVm | keyof MadeOfVm> & {
  userData: Secret
}

export class VmStore {
  readonly #unit: Pick<UnitTools, 'em' | 'seal'>
  readonly #reader: Reader

  constructor(unit: Pick<UnitTools, 'em' | 'seal'>, reader: Reader) {
    this.#unit = unit
    this.#reader = reader
  }

  /** Its NICs are still to be given to it. */
  insert({ userData, ...values }: NewVmRow): Promise<Omit<VmView, 'mac' | 'addresses'>> {
    const sealed = this.#unit.seal.close(userData.reveal())
    return insertVm(this.#reader, { id: newId(), ...values, userData: sealed })
  }

  /** The tenant's machine of the id, locked until the unit ends. */
  async get(id: string): Promise<Vm> {
    const vm = isId(id)
      ? await this.#unit.em.findOne(
          Vm,
          { id, goneAt: null },
          { lockMode: LockMode.PESSIMISTIC_WRITE },
        )
      : null
    if (!vm) throw notFound('vm', id)
    return vm
  }

  /** The row whatever became of it, locked; null when there never was one. */
  row(id: string): Promise<Vm | null> {
    return this.#unit.em.findOne(Vm, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  }

  /** Of the tenant's machine of this name; null when it has none. */
  async idOf(tenantId: string, name: string): Promise<string | null> {
    const named = statement('vm.named', (db) =>
      db
        .selectFrom('vm')
        .select('id')
        .where('tenant_id', '=', slot<string>('tenantId'))
        .where('name', '=', slot<string>('name'))
        .where('gone_at', 'is', null),
    )
    return (await one(this.#reader, named, { tenantId, name }))?.id ?? null
  }

  /** How many machines are being deployed from the template. */
  async deployingFrom(templateId: string): Promise<number> {
    const deploying = statement('vm.deployingFrom', (db) =>
      db
        .selectFrom('vm')
        .innerJoin('operation', 'operation.target_id', 'vm.id')
        .select(countAll)
        .where('vm.template_id', '=', slot<string>('templateId'))
        .where('vm.gone_at', 'is', null)
        .where('operation.kind', '=', 'deploy_vm')
        .where('operation.finished_at', 'is', null),
    )
    return (await only(this.#reader, deploying, { templateId })).total
  }

  userDataOf(vm: Vm): Secret {
    return new Secret(this.#unit.seal.open(Buffer.from(vm.userData)))
  }

  /** What keeps it from being changed at the moment. */
  async busyWith(vmId: string): Promise<BusyWith | null> {
    const looked = statement('vm.busyWith', (db) =>
      db.selectFrom('vm').select(busyWith.as('busyWith')).where('id', '=', slot<string>('vmId')),
    )
    return (await one(this.#reader, looked, { vmId }))?.busyWith ?? null
  }

  /**
   * It is to become what it was in the snapshot; what it is now is kept in another one before,
   * unless that is null.
   */
  askRestore(
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

  /** `forced` is off at once, without asking the guest. */
  askPower(vm: Vm, power: Power, forced = false): void {
    vm.wantedPower = power
    Object.assign(vm, { forced, runWish: null, runWishUid: null })
    vm.generation += 1
  }

  /** What the run that is there now is to do; it is on for that. */
  askRun(vm: Vm, runWish: RunWish, { runUid, forced }: { runUid: string; forced: boolean }): void {
    if (vm.wantedPower === 'off') this.askPower(vm, 'on')
    Object.assign(vm, { forced, runWish, runWishUid: runUid })
  }

  resize(vm: Vm, size: VmSize): void {
    Object.assign(vm, size)
    vm.generation += 1
  }

  /** Something that belongs to it has changed, and whoever follows it should look. */
  touch(vm: Vm): void {
    vm.updatedAt = raw('now()')
  }

  /** Something is to be in it or out of it from now on. */
  changeParts(vm: Vm): void {
    vm.generation += 1
  }

  /** The same of NICs, while it runs where that is tried. */
  rewire(vm: Vm, { isLive }: { isLive: boolean }): void {
    if (isLive) vm.nicsLiveUntil = raw(`now() + interval '${liveNicMinutes} minutes'`)
    this.changeParts(vm)
  }

  ejectIso(vm: Vm): void {
    vm.isoInserted = false
    this.changeParts(vm)
  }

  requestDelete(vm: Vm): void {
    vm.deleteRequestedAt = raw('now()')
    vm.generation += 1
  }

  /** Only the reconciler calls this and what follows. */
  remember(vm: Vm, made: MadeOfVm): void {
    Object.assign(vm, made)
  }

  observe(vm: Vm, seen: SeenOfVm): void {
    if (vm.state !== seen.state) vm.stateSince = raw('now()')
    Object.assign(vm, seen)
    vm.seenAt = raw('now()')
  }

  beginRestore(vm: Vm): void {
    vm.restoreBegunId = vm.restoreId ?? null
  }

  /**
   * However it went, the machine is told anew what it is: others have written into it meanwhile.
   * What has failed leaves its size as it was.
   */
  endRestore(vm: Vm, { isDone }: { isDone: boolean }): void {
    if (!isDone && vm.restoreFormer) Object.assign(vm, vm.restoreFormer)
    vm.restoredId = vm.restoreId ?? null
    vm.generation += 1
  }

  /** It could not be made: from now on what there is of it is taken away. */
  giveUp(vm: Vm): void {
    vm.failedAt = raw('now()')
    vm.state = 'Error'
  }

  /** Nothing of it is in the cluster any more: the row stays as the record of what was. */
  erase(vm: Vm): void {
    vm.goneAt = raw('now()')
  }
}

const insertVm = insertInto('vm', (row) => row.returning(shownOfNewVm))
