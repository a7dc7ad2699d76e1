import { type Op } from '../store/op.ts'
import { type Store } from '../store/store.ts'
import { type Lease } from '../engine/reconcile/work-lease.ts'
import { type WorkKey } from '../engine/model/work-key.ts'
import { type Work } from '../engine/reconcile/work.ts'

/**
 * Runs a function in one transaction on the row of a work key. The row is null when it never
 * existed, and may be marked as gone.
 */
export type Unit<Row> = <T>(act: (op: Op, row: Row | null) => Promise<T>) => Promise<T>

export interface UnitParts {
  store: Store
  work: Pick<Work, 'assertHeld'>
}

/** Returns units of work that write nothing once another worker holds the lease. */
export const fencedUnits =
  <Row>({ store, work }: UnitParts, rowOf: (op: Op, id: string) => Promise<Row | null>) =>
  (key: WorkKey, lease: Lease): Unit<Row> =>
  (act) =>
    store.workOn(
      {
        scope: 'platform',
        fence: (client) => work.assertHeld(client, lease),
        read: (op) => rowOf(op, key.objectId),
      },
      (op, row) => act(op, row),
    )
