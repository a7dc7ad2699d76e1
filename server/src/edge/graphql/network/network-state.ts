import { netStates } from '../../../domain/vpc/vpc.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'

export const NetworkStateEnum = enumOf('NetState', netStates, {
  description: 'The state of a VPC or a network.',
})
