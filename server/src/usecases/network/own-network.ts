import { type NetworkView } from '../../domain/network/network.ts'
import { type Op } from '../../store/op.ts'
import { writtenRow } from '../written-row.ts'

type Row = Awaited<ReturnType<Op['networks']['get']>>

/** The tenant's network, locked until the unit ends, with its name in the books. */
export async function ownNetwork(op: Op, id: string): Promise<Row> {
  const row = await op.networks.get(id)
  op.audit.about('network', { id: row.id, name: row.name, tenantId: row.tenantId })
  return row
}

/** The network as it is after what was just written into its row, which others hear of. */
export const networkAfter = (op: Op, row: Row): Promise<NetworkView> =>
  writtenRow(op, { kind: 'network', before: row }, (id) => op.reads.networks.find(id))
