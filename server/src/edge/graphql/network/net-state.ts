import { registerEnumType } from 'type-graphql'
import { netStates } from '../../../domain/vpc/vpc.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'

export const NetStateEnum = enumOf(netStates)
registerEnumType(NetStateEnum, {
  name: 'NetState',
  description: 'The state of a VPC or a network.',
})
