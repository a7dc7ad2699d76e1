import { Field, ID, Int, ObjectType } from 'type-graphql'
import {
  type OfferingState,
  type ServiceOfferingView,
  offeringStates,
} from '../../../domain/service-offering/service-offering.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Operation } from '../operation/operation-types.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

export const OfferingStateEnum = enumOf('ServiceOfferingState', offeringStates, {
  description: 'Tells if a service offering can be chosen.',
  values: {
    Active: 'The offering can be chosen for a VM.',
    Inactive: 'The offering cannot be chosen. A VM that has it keeps it.',
  },
})

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description: 'A VM size that tenants can choose.',
})
export class ServiceOffering implements ServiceOfferingView {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => String, { description: 'The text that users see.' })
  displayName!: string
  @Field(() => Int, { description: 'The number of vCPUs.' })
  cpu!: number
  @Field(() => Int, { description: 'Memory in MiB.' })
  memoryMi!: number
  @Field(() => Boolean, {
    description:
      'Each vCPU of its VMs gets a core of its own. They run only on hosts with a static CPU manager.',
  })
  dedicatedCpu!: boolean
  @Field(() => String, {
    nullable: true,
    description: 'Tags of the storage, in the system from which the offering was imported.',
  })
  storageTags!: string | null
  @Field(() => OfferingStateEnum, { description: 'Only an active offering can be chosen.' })
  state!: OfferingState
  @Field(() => String, {
    nullable: true,
    description: 'The id in the system from which the offering was imported.',
  })
  externalUuid!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The system from which the offering was imported.',
  })
  importSource!: string | null
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({ simpleResolvers: true })
export class ServiceOfferingConnection extends connectionOf<ServiceOfferingView>(
  ServiceOffering,
  'ServiceOffering',
) {}

@ObjectType({ simpleResolvers: true })
class ServiceOfferingPayload {
  @Field(() => ServiceOffering) serviceOffering!: ServiceOffering
  @Field(() => Operation, { nullable: true }) operation?: Operation | null
}

@ObjectType({ simpleResolvers: true })
export class CreateServiceOfferingPayload extends ServiceOfferingPayload {}

@ObjectType({ simpleResolvers: true })
export class UpdateServiceOfferingPayload extends ServiceOfferingPayload {}

@ObjectType({ simpleResolvers: true })
export class DeleteServiceOfferingPayload extends ServiceOfferingPayload {}
