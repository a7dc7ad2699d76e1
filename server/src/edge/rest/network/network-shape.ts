import { ResponseShape, added, hidden } from '../../../engine/rest/response-shape.ts'
import { RequestBody, orBlank } from '../../../engine/rest/request-body.ts'
import { type Versioned } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { oneOf } from '../../../engine/rest/json-schema.ts'
import { namespaceField } from '../namespace-field.ts'
import { writtenCidr } from '../written-cidr.ts'

const { id, text, time, whole } = scalar

/** The states of a VPC or a network. */
export const networkStates = oneOf('creating', 'active', 'deleting', 'failed')

/** A network as the document returns it. */
export interface NetworkRow extends Versioned {
  network_type?: 'isolated'
}

/**
 * The gateway of a tenant's network is not selected: older clients would use it as a gateway to the
 * internet.
 */
export const network = new ResponseShape<NetworkRow>(
  'Network',
  {
    id,
    'tenant_id?': id,
    'vpc_id?': id,
    name: text,
    'network_type?': added({
      ...oneOf('isolated', 'shared'),
      description: 'A network of a tenant, or the public network.',
    }),
    cidr: writtenCidr,
    'gateway?': added({ ...text, description: 'Only for the public network.' }),
    'nad_namespace?': { schema: text, from: 'attachmentNamespace' },
    'nad_name?': { schema: text, from: 'attachmentName' },
    state: networkStates,
    version: hidden,
    'created_at?': time,
  },
  (row) => {
    row.network_type = 'isolated'
  },
)

export const newNetwork = new RequestBody({
  'cidr?': { ...orBlank(text), before: null },
  'prefix?': {
    schema: { ...whole, description: '24 by default. It has no effect beside `cidr`.' },
    before: null,
    absent: [0],
    // Older clients send both, because their form has both.
    convert: (prefix, { cidr }) => (cidr ? undefined : prefix),
  },
  name: text,
  vpc_id: id,
  ...namespaceField,
})

/** The new name of a VPC or a network. */
export const renameBody = new RequestBody({ name: text, ...namespaceField })
