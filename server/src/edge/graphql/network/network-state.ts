import { registerEnumType } from 'type-graphql'
import { netStates } from '../../../domain/vpc/vpc.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'

export const NetworkStateEnum = enumOf(netStates)
registerEnumType(NetworkStateEnum, {
  name: 'NetState',
  description: 'The state of a VPC or a network.',
})
