import { Field, ID, InputType, Int } from 'type-graphql'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import { type VolumeState } from '../../../domain/volume/state.ts'
import { createdAfterField } from '../../../engine/graphql/created-after-field.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { VolumeStateEnum } from './volume-types.ts'

@InputType()
export class VolumeFilter {
  @Field(() => String, { nullable: true, description: 'Matches a part of the name.' })
  search?: string | null
  @Field(() => [VolumeStateEnum], {
    nullable: true,
    description: 'Only volumes in one of these states.',
  })
  states?: VolumeState[] | null
  @Field(() => ID, { nullable: true, description: 'Only volumes of this VM.' }) vmId?: string | null
  @Field(() => DateTime, createdAfterField) createdAfter?: string | null
}

@InputType()
export class VolumeOrder extends orderOf('VolumeSort', ['createdAt', 'name']) {}

@InputType()
export class CreateVolumeInput {
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes. Other text is refused.',
  })
  name!: string
  @Field(() => ID, {
    nullable: true,
    description: 'The snapshot whose content the volume gets. Without it, the volume is empty.',
  })
  snapshotId?: string | null
  @Field(() => Int, {
    nullable: true,
    description: 'The size; by default 10 or the size of the snapshot.',
  })
  sizeGi?: number | null
  @Field(() => String, {
    nullable: true,
    description: 'The storage class; by default that of the cluster or of the snapshot.',
  })
  storageClass?: string | null
}

@InputType({ description: 'Omitted fields do not change.' })
export class UpdateVolumeInput {
  @Field(() => ID) id!: string
  @Field(() => String, { nullable: true }) name?: string | null
  @Field(() => Int, {
    nullable: true,
    description: 'The new size. It must be larger than the current size.',
  })
  sizeGi?: number | null
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}

@InputType()
export class AttachVolumeInput {
  @Field(() => ID, { description: 'The volume.' })
  id!: string
  @Field(() => ID, { nullable: true, description: 'The VM; set either this or `vmName`.' })
  vmId?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The name of the VM in the tenant, instead of its id.',
  })
  vmName?: string | null
}

@InputType()
export class DetachVolumeInput {
  @Field(() => ID) id!: string
  @Field(() => String, {
    nullable: true,
    description: 'Refuses the request when the volume is not attached to the VM of this name.',
  })
  vmName?: string | null
}

@InputType()
export class DeleteVolumeInput {
  @Field(() => ID) id!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}
