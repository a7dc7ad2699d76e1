import { scalar } from '../../../engine/rest/scalar.ts'
import { object, oneOf } from '../../../engine/rest/shapes.ts'

const { id, text, time } = scalar

/**
 * A gateway is not among them: clients of the older interface would take it for one that leads out.
 */
export const networkFields = `id tenant_id: tenantId vpc_id: vpcId name cidr nad_namespace: attachmentNamespace nad_name: attachmentName
  state version created_at: createdAt`

/** A network as the document brings it. */
export interface NetworkRow {
  version: number
}

export const wireNetwork = (row: NetworkRow): object =>
  Object.assign<NetworkRow, object>(row, { version: undefined, network_type: 'isolated' })

/** Of a VPC or a network. */
export const netStates = oneOf('creating', 'active', 'deleting', 'failed')

export const networkSchema = object({
  id,
  'tenant_id?': id,
  'vpc_id?': id,
  name: text,
  'network_type?': oneOf('isolated', 'shared'),
  cidr: text,
  'gateway?': text,
  'nad_namespace?': text,
  'nad_name?': text,
  state: netStates,
  'created_at?': time,
})
