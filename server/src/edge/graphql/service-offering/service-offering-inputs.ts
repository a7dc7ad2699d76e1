import { Field, ID, InputType, Int } from 'type-graphql'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import { type OfferingState } from '../../../domain/service-offering/service-offering.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { OfferingStateEnum } from './service-offering-types.ts'

@InputType()
export class ServiceOfferingFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name or of the display name.',
  })
  search?: string | null
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Includes sizes that can no longer be chosen.',
  })
  includeInactive?: boolean | null
}

@InputType()
export class ServiceOfferingOrder extends orderOf('ServiceOfferingSort', [
  'cpu',
  'memoryMi',
  'name',
]) {}

@InputType()
export class CreateServiceOfferingInput {
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes. Other text is refused.',
  })
  name!: string
  @Field(() => String, {
    nullable: true,
    description: 'The text that users see; the name by default.',
  })
  displayName?: string | null
  @Field(() => Int, { description: 'The number of vCPUs.' })
  cpu!: number
  @Field(() => Int, { description: 'Memory in MiB.' })
  memoryMi!: number
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Each vCPU of its VMs gets a core of its own.',
  })
  dedicatedCpu?: boolean | null
}

@InputType()
export class UpdateServiceOfferingInput {
  @Field(() => ID) id!: string
  @Field(() => String, {
    nullable: true,
    description: 'The text that users see. An empty text stands for the name.',
  })
  displayName?: string | null
  @Field(() => Int, { nullable: true, description: 'The number of vCPUs.' })
  cpu?: number | null
  @Field(() => Int, { nullable: true, description: 'Memory in MiB.' })
  memoryMi?: number | null
  @Field(() => Boolean, {
    nullable: true,
    description: 'Each vCPU of its VMs gets a core of its own.',
  })
  dedicatedCpu?: boolean | null
  @Field(() => OfferingStateEnum, {
    nullable: true,
    description: 'The state. No new VM can have an inactive offering. Existing VMs do not change.',
  })
  state?: OfferingState | null
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}

@InputType()
export class DeleteServiceOfferingInput {
  @Field(() => ID) id!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}
