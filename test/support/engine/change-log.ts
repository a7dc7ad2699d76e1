import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type ChangeKind } from '../../../server/src/engine/model/change.ts'
import { changeChannel } from '../../../server/src/engine/model/channel.ts'
import { type Subscription } from '../../../server/src/engine/changes/subscription.ts'
import { type Delivery } from '../../../server/src/engine/model/change.ts'

/** A change to write into the change log. */
export interface Written {
  readonly tenantId: string | null
  readonly kind?: ChangeKind
  readonly objectId?: string
  readonly version?: number
}

/**
 * Writes a change as a unit of work does: it inserts a row into the change log and notifies. It
 * uses the transaction of the client, if there is one.
 */
export async function writeChange(
  client: pg.Pool | pg.ClientBase,
  change: Written,
): Promise<string> {
  const { tenantId, kind = 'tenant', objectId = randomUUID(), version = 1 } = change
  const values = [tenantId, kind, objectId, version]
  const text = `with noted as (insert into change_log (tenant_id, kind, object_id, version) values ($1, $2, $3, $4))
    select pg_notify('${changeChannel}', '')`
  if (client instanceof pg.Pool) await client.query(text, values)
  else await client.query(text, values)
  return objectId
}

/** Returns the next deliveries of a subscription, or fewer when the deadline passes. */
export async function take(
  subscription: Subscription,
  count: number,
  timeoutMs = 20_000,
): Promise<Delivery[]> {
  const taken: Delivery[] = []
  const deadline = AbortSignal.timeout(timeoutMs)
  const late = new Promise<null>((resolve) =>
    deadline.addEventListener('abort', () => resolve(null), { once: true }),
  )
  while (taken.length < count) {
    const next = await Promise.race([subscription.next(), late])
    if (!next || next.done) break
    taken.push(next.value)
  }
  return taken
}

export function changesOf(
  deliveries: readonly Delivery[],
): { objectId: string; version: number }[] {
  return deliveries.flatMap((delivery) =>
    delivery.gap ? [] : [{ objectId: delivery.change.objectId, version: delivery.change.version }],
  )
}

/** Returns the IDs of the objects that are delivered as new. */
export function creationsOf(deliveries: readonly Delivery[]): string[] {
  return deliveries.flatMap((delivery) =>
    !delivery.gap && delivery.change.isCreation ? [delivery.change.objectId] : [],
  )
}
