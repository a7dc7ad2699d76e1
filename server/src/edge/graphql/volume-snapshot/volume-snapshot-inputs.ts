import { Field, ID, InputType, Int } from 'type-graphql'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import { type VolumeSnapshotState } from '../../../domain/volume-snapshot/state.ts'
import { createdAfterField } from '../../../engine/graphql/created-after-field.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { VolumeSnapshotStateEnum } from './volume-snapshot-types.ts'

@InputType()
export class VolumeSnapshotFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name of the snapshot or of the volume.',
  })
  search?: string | null
  @Field(() => [VolumeSnapshotStateEnum], {
    nullable: true,
    description: 'Only snapshots in one of these states.',
  })
  states?: VolumeSnapshotState[] | null
  @Field(() => ID, { nullable: true, description: 'Only snapshots of this volume.' }) volumeId?:
    string | null
  @Field(() => DateTime, createdAfterField) createdAfter?: string | null
}

@InputType()
export class VolumeSnapshotOrder extends orderOf('VolumeSnapshotSort', ['createdAt', 'name']) {}

@InputType()
export class CreateVolumeSnapshotInput {
  @Field(() => ID, { description: 'The volume.' })
  volumeId!: string
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes. Other text is refused.',
  })
  name!: string
}

@InputType()
export class DeleteVolumeSnapshotInput {
  @Field(() => ID) id!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}
