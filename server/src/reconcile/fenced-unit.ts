import { type Op } from '../store/op.ts'
import { type Store } from '../store/store.ts'
import { type Lease } from '../engine/reconcile/work-lease.ts'
import { type WorkKey } from '../engine/model/work-key.ts'
import { type Work } from '../engine/reconcile/work.ts'

/**
 * One transaction of a reconciler on the row of its key, whatever became of it; null where there
 * never was one.
 */
export type Unit<Row> = <T>(act: (op: Op, row: Row | null) => Promise<T>) => Promise<T>

export interface UnitParts {
  store: Store
  work: Pick<Work, 'assertHeld'>
}

/** Nothing is written when the lease is somebody else's by then. */
export const fencedUnits =
  <Row>({ store, work }: UnitParts, rowOf: (op: Op, id: string) => Promise<Row | null>) =>
  (key: WorkKey, lease: Lease): Unit<Row> =>
  (act) =>
    store.workOn(
      {
        scope: 'platform',
        guard: (client) => work.assertHeld(client, lease),
        read: (op) => rowOf(op, key.objectId),
      },
      (op, row) => act(op, row),
    )
