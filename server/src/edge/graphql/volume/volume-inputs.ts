import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql'
import { type VolumeState } from '../../../domain/volume/state.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Direction, DirectionEnum } from '../../../engine/graphql/order.ts'
import { VolumeStateEnum } from './volume-types.ts'

@InputType()
export class VolumeFilter {
  @Field(() => String, { nullable: true }) search?: string | null
  @Field(() => [VolumeStateEnum], { nullable: true }) states?: VolumeState[] | null
  @Field(() => ID, { nullable: true, description: 'In this VM.' }) vmId?: string | null
}

const sorts = ['createdAt', 'name'] as const
const VolumeSort = enumOf(sorts)
registerEnumType(VolumeSort, { name: 'VolumeSort' })

@InputType()
export class VolumeOrder {
  @Field(() => VolumeSort) by!: (typeof sorts)[number]
  @Field(() => DirectionEnum, { defaultValue: 'asc' }) direction!: Direction
}

@InputType()
export class CreateVolumeInput {
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes; other text is slugged.',
  })
  name!: string
  @Field(() => ID, {
    nullable: true,
    description: 'What it begins as; empty unless said otherwise.',
  })
  snapshotId?: string | null
  @Field(() => Int, {
    nullable: true,
    description: '10, or the size of the snapshot, unless said otherwise.',
  })
  sizeGi?: number | null
  @Field(() => String, {
    nullable: true,
    description: 'The default one, or that of the snapshot, unless said otherwise.',
  })
  storageClass?: string | null
}

@InputType({ description: 'What is not named stays.' })
export class UpdateVolumeInput {
  @Field(() => ID) id!: string
  @Field(() => String, { nullable: true }) name?: string | null
  @Field(() => Int, { nullable: true, description: 'Larger than it is: a volume never shrinks.' })
  sizeGi?: number | null
  @Field(() => Int, {
    nullable: true,
    description: 'Refuse when the version is no longer this one.',
  })
  ifVersion?: number | null
}

@InputType()
export class AttachVolumeInput {
  @Field(() => ID) id!: string
  @Field(() => ID, { nullable: true }) vmId?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'Of the VM in the tenant, instead of its id.',
  })
  vmName?: string | null
}

@InputType()
export class DetachVolumeInput {
  @Field(() => ID) id!: string
  @Field(() => String, {
    nullable: true,
    description: 'Refuse when it is not in the VM of this name.',
  })
  vmName?: string | null
}

@InputType()
export class DeleteVolumeInput {
  @Field(() => ID) id!: string
}
