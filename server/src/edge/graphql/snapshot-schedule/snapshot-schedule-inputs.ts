import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql'
import { type SnapshotScheduleState } from '../../../domain/snapshot-schedule/snapshot-schedule.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Direction, DirectionEnum } from '../../../engine/graphql/order.ts'
import { SnapshotScheduleStateEnum } from './snapshot-schedule-types.ts'

const targets = ['volume', 'vm'] as const
const SnapshotScheduleTarget = enumOf(targets)
registerEnumType(SnapshotScheduleTarget, { name: 'SnapshotScheduleTarget' })

@InputType()
export class SnapshotScheduleFilter {
  @Field(() => String, { nullable: true, description: 'In its name and that of the volume or VM.' })
  search?: string | null
  @Field(() => [SnapshotScheduleStateEnum], { nullable: true }) states?:
    SnapshotScheduleState[] | null
  @Field(() => SnapshotScheduleTarget, {
    nullable: true,
    description: 'Of volumes only, or of VMs only.',
  })
  target?: (typeof targets)[number] | null
  @Field(() => ID, { nullable: true, description: 'Of this volume.' }) volumeId?: string | null
  @Field(() => ID, { nullable: true, description: 'Of this VM.' }) vmId?: string | null
}

const sorts = ['createdAt', 'name'] as const
const SnapshotScheduleSort = enumOf(sorts)
registerEnumType(SnapshotScheduleSort, { name: 'SnapshotScheduleSort' })

@InputType()
export class SnapshotScheduleOrder {
  @Field(() => SnapshotScheduleSort) by!: (typeof sorts)[number]
  @Field(() => DirectionEnum, { defaultValue: 'asc' }) direction!: Direction
}

export const cronWords =
  'Five fields: minute, hour, day of the month, month, day of the week, such as 30 2 * * *.'
export const zoneWords =
  'Such as Europe/Lisbon. A time that the clock leaps over comes after the leap; one that it shows twice comes once.'

@InputType()
export class CreateSnapshotScheduleInput {
  @Field(() => String, {
    description:
      'Lower-case letters, digits and dashes; other text is slugged. Its snapshots are called by it.',
  })
  name!: string
  @Field(() => ID, { nullable: true, description: 'This or a VM.' }) volumeId?: string | null
  @Field(() => ID, { nullable: true }) vmId?: string | null
  @Field(() => String, { description: cronWords }) cron!: string
  @Field(() => String, { nullable: true, description: `UTC unless said otherwise. ${zoneWords}` })
  timeZone?: string | null
  @Field(() => Int, { description: 'How many of its snapshots stay, from 1 to 100.' }) keep!: number
  @Field(() => Boolean, {
    nullable: true,
    description: 'Take snapshots of a VM also where disks will be missing in them.',
  })
  acceptMissing?: boolean | null
}

@InputType()
export class UpdateSnapshotScheduleInput {
  @Field(() => ID) id!: string
  @Field(() => String, { nullable: true, description: cronWords }) cron?: string | null
  @Field(() => String, { nullable: true, description: zoneWords }) timeZone?: string | null
  @Field(() => Int, { nullable: true }) keep?: number | null
  @Field(() => Boolean, { nullable: true }) acceptMissing?: boolean | null
}

@InputType()
class SnapshotScheduleInput {
  @Field(() => ID) id!: string
}

@InputType()
export class PauseSnapshotScheduleInput extends SnapshotScheduleInput {}

@InputType()
export class ResumeSnapshotScheduleInput extends SnapshotScheduleInput {}

@InputType()
export class DeleteSnapshotScheduleInput extends SnapshotScheduleInput {}
