import { type NetworkView } from '../../domain/network/network.ts'
import { type Op } from '../../store/op.ts'
import { writtenRow } from '../written-row.ts'

type Row = Awaited<ReturnType<Op['networks']['get']>>

/**
 * Returns the tenant's network, locked until the unit of work ends, and records it in the audit
 * row.
 */
export async function lockNetwork(op: Op, id: string): Promise<Row> {
  const row = await op.networks.get(id)
  op.audit.setTarget('network', { id: row.id, name: row.name, tenantId: row.tenantId })
  return row
}

/** Returns the network after the write to its row, and adds it to the change log. */
export const networkAfter = (op: Op, row: Row): Promise<NetworkView> =>
  writtenRow(op, { kind: 'network', before: row }, (id) => op.reads.networks.find(id))
