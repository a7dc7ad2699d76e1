import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type NetState, type VpcView } from '../../../domain/vpc/vpc.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { NetworkStateEnum } from '../network/network-state.ts'
import { Network } from '../network/network-types.ts'
import { Operation } from '../operation/operation-types.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { type Message } from '../../../engine/model/message.ts'

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description: 'An address space of a tenant. Networks lie in it.',
})
export class Vpc implements VpcView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) name!: string
  @Field(() => String, { description: 'The addresses of the VPC in CIDR notation.' })
  cidr!: string
  @Field(() => String, {
    description: 'The CIDR as the request wrote it, possibly with host bits.',
  })
  requestedCidr!: string
  @Field(() => String, {
    description: 'The namespace of the NetworkAttachmentDefinitions of its networks.',
  })
  namespace!: string
  @Field(() => Boolean, {
    description: 'True for the VPC that is created and deleted with the tenant.',
  })
  isDefault!: boolean
  @Field(() => NetworkStateEnum, { description: 'The state as last observed in the cluster.' })
  state!: NetState
  @Field(() => String, { nullable: true, description: 'Why the VPC is not active.' })
  stateReason!: Message | null
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now; null when it is allowed.',
})
export class VpcRefusals {
  @Field(() => String, {
    nullable: true,
    description: 'Why the VPC cannot be deleted together with its networks.',
  })
  delete!: Message | null
}

@ObjectType({ simpleResolvers: true })
export class VpcConnection extends connectionOf<VpcView>(Vpc, 'Vpc') {}

@ObjectType({ simpleResolvers: true })
export class CreateVpcPayload {
  @Field(() => Vpc) vpc!: Vpc
  @Field(() => Network, { description: 'The first network of the VPC.' }) defaultNetwork!: Network
  @Field(() => Operation) operation!: Operation
}

@ObjectType({ simpleResolvers: true })
export class UpdateVpcPayload {
  @Field(() => Vpc) vpc!: Vpc
}

@ObjectType({ simpleResolvers: true })
export class DeleteVpcPayload {
  @Field(() => Vpc) vpc!: Vpc
  @Field(() => Operation) operation!: Operation
}
