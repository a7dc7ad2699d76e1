import { Fault } from '../../engine/model/fault.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { requireNetName } from '../../domain/vpc/rules.ts'
import { type VpcView } from '../../domain/vpc/vpc.ts'
import { type Op } from '../../store/op.ts'
import { writtenRow } from '../written-row.ts'
import { mustNotGo, ownVpc } from './own-vpc.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface VpcChange {
  id: string
  name: string
  ifVersion?: number | null
}

/** Renames a VPC. Its addresses and its name in the cluster do not change. */
export async function updateVpc(op: Op, request: VpcChange): Promise<{ vpc: VpcView }> {
  const row = await ownVpc(op, request.id)
  mustBeVersion('VPC', row, request.ifVersion)
  mustNotGo('vpc', row)
  const name = requireNetName(request.name)
  const isNewName = name.toLowerCase() !== row.name.toLowerCase()
  if (isNewName && (await op.vpcs.nameTaken(row.tenantId, name)))
    throw new Fault('already_exists', messageOf('vpc.name_taken', { name }))
  row.name = name
  return { vpc: await writtenRow(op, { kind: 'vpc', before: row }, (id) => op.reads.vpcs.find(id)) }
}
