import { LockMode, raw } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { notFound } from '../../engine/model/fault.ts'
import { type VolumeExplanation } from '../../domain/volume/explain.ts'
import { type VolumeState } from '../../domain/volume/state.ts'
import { type VolumeView } from '../../domain/volume/volume.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { Volume } from './volume-entity.ts'
import { isNamed } from '../../engine/database/sql/is-named.ts'
import { type NewRow, insertInto } from '../../engine/database/sql/insert-into.ts'
import { type Reader, only } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type UnitTools } from '../../engine/database/unit.ts'
import { shownOfVolume } from './volume-reads.ts'

/** What a look at the cluster found; only the reconciler writes it. */
export interface SeenOfVolume {
  state: VolumeState
  explanation: VolumeExplanation | null
  heldBy: string | null
  bound: boolean
  settled: boolean
  seenVersion: string | null
}

/** What is decided once, when it is made or has grown. */
export interface MadeOfVolume {
  clusterUid?: string
  grownGi?: number
  bytesPerGi?: number
}

/** What a use case gives a new volume. The reconciler's columns begin with their defaults. */
export type NewVolumeRow = Omit<NewRow<'volume'>, 'id' | keyof SeenOfVolume | keyof MadeOfVolume>

export class VolumeStore {
  readonly #unit: Pick<UnitTools, 'em'>
  readonly #reader: Reader

  constructor(unit: Pick<UnitTools, 'em'>, reader: Reader) {
    this.#unit = unit
    this.#reader = reader
  }

  insert(values: NewVolumeRow): Promise<VolumeView> {
    return insertVolume(this.#reader, { id: newId(), ...values })
  }

  /** The tenant's volume of the id, locked until the unit ends. */
  async get(id: string): Promise<Volume> {
    const volume = isId(id)
      ? await this.#unit.em.findOne(
          Volume,
          { id, goneAt: null },
          { lockMode: LockMode.PESSIMISTIC_WRITE },
        )
      : null
    if (!volume) throw notFound('volume', id)
    return volume
  }

  /** The row whatever became of it, locked; null when there never was one. */
  row(id: string): Promise<Volume | null> {
    return this.#unit.em.findOne(Volume, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  }

  nameTaken(tenantId: string, name: string): Promise<boolean> {
    return isNamed(this.#reader, 'volume', { tenantId, name })
  }

  /** How many are being made from the snapshot. */
  async underWayFrom(snapshotId: string): Promise<number> {
    const counted = statement('volume.underWayFrom', (db) =>
      db
        .selectFrom('volume')
        .select(countAll)
        .where('snapshot_id', '=', slot<string>('snapshotId'))
        .where('gone_at', 'is', null)
        .where('grown_gi', 'is', null)
        .where('failed_at', 'is', null),
    )
    return (await only(this.#reader, counted, { snapshotId })).total
  }

  requestDelete(volume: Volume): void {
    volume.deleteRequestedAt = raw('now()')
  }

  /** From now on nothing is to be in the machine; answers what was. */
  takeAllOutOf(vmId: string): Promise<Pick<VolumeView, 'id' | 'tenantId' | 'version'>[]> {
    const taking = statement('volume.takeAllOutOf', (db) =>
      db
        .updateTable('volume')
        .set({ vm_id: null })
        .where('vm_id', '=', slot<string>('vmId'))
        .where('gone_at', 'is', null)
        .returning(['id', 'tenant_id as tenantId', 'version']),
    )
    return this.#reader.all(taking, { vmId })
  }

  /** What was copied for a machine that could not be made goes with it; answers which. */
  dropCopiesFor(vmId: string): Promise<Pick<VolumeView, 'id' | 'tenantId' | 'version'>[]> {
    const dropping = statement('volume.dropCopiesFor', (db) =>
      db
        .updateTable('volume')
        .set({ vm_id: null, delete_requested_at: sql`now()` })
        .where('vm_id', '=', slot<string>('vmId'))
        .where('copied_from', 'is not', null)
        .where('gone_at', 'is', null)
        .returning(['id', 'tenant_id as tenantId', 'version']),
    )
    return this.#reader.all(dropping, { vmId })
  }

  /** Only the reconciler calls this and what follows. */
  remember(volume: Volume, made: MadeOfVolume): void {
    Object.assign(volume, made)
  }

  observe(volume: Volume, seen: SeenOfVolume): void {
    if (volume.state !== seen.state) volume.stateSince = raw('now()')
    Object.assign(volume, seen)
    volume.seenAt = raw('now()')
  }

  /** It could not be made: from now on what there is of it is taken away. */
  giveUp(volume: Volume): void {
    volume.failedAt = raw('now()')
  }

  /** Nothing of it is in the cluster any more: the row stays as the record of what was. */
  erase(volume: Volume): void {
    volume.goneAt = raw('now()')
  }
}

const insertVolume = insertInto('volume', (row) => row.returning(shownOfVolume))
