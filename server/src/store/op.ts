import { raw } from '@mikro-orm/postgresql'
import { type ChangeKind } from '../engine/model/change.ts'
import { type Viewer } from '../engine/model/viewer.ts'
import { type NewVmEvent } from '../domain/vm-event/vm-event.ts'
import { type IntersectionOf } from '../engine/model/intersection.ts'
import { lazyParts } from '../engine/database/lazy-parts.ts'
import { type Reader, clientReader } from '../engine/database/sql/reader.ts'
import { type UnitTools } from '../engine/database/unit.ts'
import { type NounParts } from './noun-parts.ts'
import { nouns } from './nouns.ts'
import { vmEventQuery } from './vm/vm-event.ts'

type Noun = (typeof nouns)[number]
type ReadClasses = IntersectionOf<Noun['reads']>
type StoreClasses = IntersectionOf<Noun['stores']>

type NounReads = {
  readonly [Name in keyof ReadClasses]: ReadClasses[Name] extends new (reader: never) => infer Reads
    ? Reads
    : never
}
type NounStores = {
  readonly [Name in keyof StoreClasses]: StoreClasses[Name] extends new (
    ...args: never
  ) => infer Store
    ? Store
    : never
}

/** The reads of all nouns. They return only rows of the scope for which they were created. */
export interface Reads extends NounReads {}

/** The stores of one unit of work, and the records that are written with its commit. */
export interface Op extends NounStores {
  readonly viewer: Viewer
  readonly requestId: string
  /** Multiplies the deadlines of new operations. */
  readonly deadlineFactor: number
  /** Reads inside the unit, which see its flushed writes. */
  readonly reads: Reads
  readonly changes: { record(kind: ChangeKind, row: ChangedRow): void }
  readonly vmEvents: { record(vm: { id: string; tenantId: string }, event: NewVmEvent): void }
  readonly work: { enqueue(kind: string, row: { id: string; tenantId: string }): void }
  readonly audit: { setTarget(kind: string, row: AuditedRow): void }
  /**
   * Ends everything that belongs to a tenant which is gone: deletes its users and SSH keys, and
   * marks its VMs, volumes, snapshots and schedules as gone.
   */
  endRowsOfTenant(tenantId: string): Promise<void>
  /** Sends pending changes to the database, so that defaults and triggers show in the entities. */
  flush(): Promise<void>
}

export interface ChangedRow {
  id: string
  version: number
  /** The tenant of the row; null when every tenant sees it. */
  tenantId: string | null
}

export interface AuditedRow {
  id: string
  name: string
  tenantId: string | null
}

export const readsOn = lazyParts<Reader, Reads>(
  Object.fromEntries(
    nouns
      .flatMap(({ reads }) => Object.entries<NounParts['reads'][string]>(reads))
      .map(([name, NounReads]) => [name, (reader: Reader) => new NounReads(reader)]),
  ),
)

interface StoreContext {
  unit: UnitTools
  reader: Reader
}

const storesOn = lazyParts<StoreContext, NounStores>(
  Object.fromEntries(
    nouns
      .flatMap(({ stores }) => Object.entries<NounParts['stores'][string]>(stores))
      .map(([name, NounStore]) => [
        name,
        ({ unit, reader }: StoreContext) => new NounStore(unit, reader),
      ]),
  ),
)

const deletedWithTenant = nouns.flatMap((noun: NounParts) => noun.deletedWithTenant ?? [])
const goneWithTenant = nouns.flatMap((noun: NounParts) => noun.goneWithTenant ?? [])

/** The caller of a unit, and the settings that its use cases need. */
export type OpContext = Pick<Op, 'viewer' | 'requestId' | 'deadlineFactor'>

export function opOn(unit: UnitTools, context: OpContext): Op {
  const reader = clientReader(unit.client)
  const own: Omit<Op, keyof NounStores> = {
    ...context,
    reads: readsOn(reader),
    changes: { record: (kind, row) => void unit.outbox.changes.push({ kind, ...row }) },
    vmEvents: {
      record: ({ id, tenantId }, event) =>
        void unit.outbox.statements.push(vmEventQuery({ vmId: id, tenantId, ...event })),
    },
    work: { enqueue: (kind, row) => void unit.outbox.work.push({ kind, ...row }) },
    audit: {
      setTarget: (kind, { id, name, tenantId }) =>
        void (unit.outbox.audit = { kind, id, name, tenantId }),
    },
    async endRowsOfTenant(tenantId) {
      for (const entity of goneWithTenant)
        await unit.em.nativeUpdate(
          entity,
          { tenantId, goneAt: null },
          { goneAt: raw<string>('now()') },
        )
      for (const entity of deletedWithTenant) await unit.em.nativeDelete(entity, { tenantId })
    },
    flush: () => unit.flush(),
  }
  return Object.assign(storesOn({ unit, reader }), own)
}
