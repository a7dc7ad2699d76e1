import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type NetworkDriver, networkDrivers } from '../../../domain/network/driver.ts'
import { type NetworkView } from '../../../domain/network/network.ts'
import { type NetState } from '../../../domain/vpc/vpc.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { NetworkStateEnum } from './network-state.ts'
import { Operation } from '../operation/operation-types.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { type Message } from '../../../engine/model/message.ts'

// British English has no comma before the last `or`.
const names = new Intl.ListFormat('en-GB', { type: 'disjunction' })

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description: "A private network: a layer-2 segment with a block of its VPC's addresses.",
})
export class Network implements NetworkView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => ID, { description: 'The VPC of the network.' })
  vpcId!: string
  @Field(() => String) name!: string
  @Field(() => String, { description: 'The addresses of the network in CIDR notation.' })
  cidr!: string
  @Field(() => String, {
    description: 'The CIDR as the request wrote it, possibly with host bits.',
  })
  requestedCidr!: string
  @Field(() => String, { description: 'The address of the gateway.' })
  gateway!: string
  @Field(() => Boolean, {
    description: 'True for the first network of a VPC. It is created and deleted with the VPC.',
  })
  isDefault!: boolean
  @Field(() => String, {
    nullable: true,
    description: `${names.format(networkDrivers)}; null until the network exists.`,
  })
  driver!: NetworkDriver | null
  @Field(() => Int, {
    nullable: true,
    description: 'The MTU in bytes; null until the network exists.',
  })
  mtu!: number | null
  @Field(() => String, { description: 'The namespace of its NetworkAttachmentDefinition.' })
  attachmentNamespace!: string
  @Field(() => String, { description: 'The name of its NetworkAttachmentDefinition.' })
  attachmentName!: string
  @Field(() => NetworkStateEnum, { description: 'The state as last observed in the cluster.' })
  state!: NetState
  @Field(() => String, { nullable: true, description: 'Why the network is not active.' })
  stateReason!: Message | null
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now; null when it is allowed.',
})
export class NetworkRefusals {
  @Field(() => String, { nullable: true, description: 'Why the network cannot be deleted.' })
  delete!: Message | null
}

@ObjectType({ simpleResolvers: true })
export class NetworkConnection extends connectionOf<NetworkView>(Network, 'Network') {}

@ObjectType({ simpleResolvers: true })
class NetworkPayload {
  @Field(() => Network) network!: Network
  @Field(() => Operation) operation!: Operation
}

@ObjectType({ simpleResolvers: true })
export class CreateNetworkPayload extends NetworkPayload {}

@ObjectType({ simpleResolvers: true })
export class DeleteNetworkPayload extends NetworkPayload {}

@ObjectType({ simpleResolvers: true })
export class UpdateNetworkPayload {
  @Field(() => Network) network!: Network
}
