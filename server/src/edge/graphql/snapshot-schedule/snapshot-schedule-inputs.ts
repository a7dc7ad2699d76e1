import { Field, ID, InputType, Int } from 'type-graphql'
import { type SnapshotScheduleState } from '../../../domain/snapshot-schedule/snapshot-schedule.ts'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { createdAfterField } from '../../../engine/graphql/created-after-field.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { SnapshotScheduleStateEnum } from './snapshot-schedule-types.ts'

const targets = ['volume', 'vm'] as const
const SnapshotScheduleTarget = enumOf('SnapshotScheduleTarget', targets, {
  description: 'The kind of object of which a schedule takes snapshots.',
  values: {
    volume: 'The schedule takes snapshots of a volume.',
    vm: 'The schedule takes snapshots of a VM.',
  },
})

@InputType()
export class SnapshotScheduleFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name of the schedule, the volume or the VM.',
  })
  search?: string | null
  @Field(() => [SnapshotScheduleStateEnum], {
    nullable: true,
    description: 'Only schedules in one of these states.',
  })
  states?: SnapshotScheduleState[] | null
  @Field(() => SnapshotScheduleTarget, {
    nullable: true,
    description: 'Only schedules of volumes, or only schedules of VMs.',
  })
  target?: (typeof targets)[number] | null
  @Field(() => ID, { nullable: true, description: 'Only schedules of this volume.' }) volumeId?:
    string | null
  @Field(() => ID, { nullable: true, description: 'Only schedules of this VM.' }) vmId?:
    string | null
  @Field(() => DateTime, createdAfterField) createdAfter?: string | null
}

@InputType()
export class SnapshotScheduleOrder extends orderOf('SnapshotScheduleSort', ['createdAt', 'name']) {}

export const cronDescription =
  'Five fields: minute, hour, day of the month, month, day of the week. Example: `30 2 * * *`.'
export const timeZoneDescription =
  'A name such as Europe/Lisbon. A time that the clock skips runs after the skip; a time that occurs twice runs once.'
const keepDescription = 'How many of its snapshots are retained, from 1 to 100.'
const acceptMissingDescription = 'Take snapshots of a VM even when they cannot cover all disks.'

@InputType()
export class CreateSnapshotScheduleInput {
  @Field(() => String, {
    description:
      'Lower-case letters, digits and dashes. Other text is refused. The names of the snapshots begin with it.',
  })
  name!: string
  @Field(() => ID, { nullable: true, description: 'The volume; set either this or `vmId`.' })
  volumeId?: string | null
  @Field(() => ID, { nullable: true, description: 'The VM; set either this or `volumeId`.' })
  vmId?: string | null
  @Field(() => String, { description: cronDescription }) cron!: string
  @Field(() => String, { nullable: true, description: `UTC by default. ${timeZoneDescription}` })
  timeZone?: string | null
  @Field(() => Int, { description: keepDescription })
  keep!: number
  @Field(() => Boolean, { nullable: true, description: acceptMissingDescription })
  acceptMissing?: boolean | null
}

@InputType()
class SnapshotScheduleInput {
  @Field(() => ID) id!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}

@InputType()
export class UpdateSnapshotScheduleInput extends SnapshotScheduleInput {
  @Field(() => String, { nullable: true, description: cronDescription }) cron?: string | null
  @Field(() => String, { nullable: true, description: timeZoneDescription }) timeZone?:
    string | null
  @Field(() => Int, { nullable: true, description: keepDescription })
  keep?: number | null
  @Field(() => Boolean, { nullable: true, description: acceptMissingDescription })
  acceptMissing?: boolean | null
}

@InputType()
export class PauseSnapshotScheduleInput extends SnapshotScheduleInput {}

@InputType()
export class ResumeSnapshotScheduleInput extends SnapshotScheduleInput {}

@InputType()
export class DeleteSnapshotScheduleInput extends SnapshotScheduleInput {}
