import { netStates } from '../../../domain/vpc/vpc.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'

export const NetworkStateEnum = enumOf('NetState', netStates, {
  description: 'The state of a VPC or a network.',
  values: {
    creating: 'The VPC or network is being created in the cluster.',
    active: 'The VPC or network is ready for use.',
    deleting: 'The VPC or network is being deleted.',
    failed: 'The VPC or network cannot be used. `stateReason` has the cause.',
  },
})
