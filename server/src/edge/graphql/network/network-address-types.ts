import { Field, ID, ObjectType } from 'type-graphql'
import {
  type AllocatedAddress,
  type ReservedAddress,
  type ReservedUse,
  reservedUses,
} from '../../../domain/nic/addresses.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

const ReservedUseEnum = enumOf('ReservedAddressUse', reservedUses, {
  description: 'Why an address of a network is never assigned to a VM.',
  values: {
    network: 'The first address identifies the network itself.',
    gateway: 'The address is reserved for the gateway of the network.',
    broadcast: 'The last address is the broadcast address of the network.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'An address of a network that is never assigned to a VM.',
})
export class ReservedNetworkAddress implements ReservedAddress {
  @Field(() => String, { description: 'The IP address.' })
  address!: string
  @Field(() => ReservedUseEnum, { description: 'The use of the address, such as the gateway.' })
  use!: ReservedUse
}

@ObjectType({
  simpleResolvers: true,
  description: 'An address of a network that a VM uses or has released recently.',
})
export class NetworkAddress implements AllocatedAddress {
  @Field(() => String, { description: 'The IP address.' })
  address!: string
  @Field(() => String, { description: 'The MAC address of the NIC.' })
  mac!: string
  @Field(() => String, { description: 'The name of the NIC in its VM.' }) nic!: string
  @Field(() => ID, { description: 'The VM that uses the address, or has released it.' })
  vmId!: string
  @Field(() => String, { description: 'The name of the VM.' })
  vmName!: string
  @Field(() => DateTime, {
    nullable: true,
    description: 'When another VM may get the address; null while it is in use.',
  })
  freeAt!: string | null
}

@ObjectType({ simpleResolvers: true })
export class NetworkAddressConnection extends connectionOf<AllocatedAddress>(
  NetworkAddress,
  'NetworkAddress',
) {}
