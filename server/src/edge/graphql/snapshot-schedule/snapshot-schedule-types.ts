import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type FaultCode } from '../../../engine/model/fault.ts'
import {
  type ScheduleExplanation,
  type ScheduleExplanationCode,
  scheduleExplanationCodes,
} from '../../../domain/snapshot-schedule/explain.ts'
import { type ScheduleAction } from '../../../domain/snapshot-schedule/refusals.ts'
import {
  type ScheduleFailure,
  type SnapshotScheduleState,
  type SnapshotScheduleView,
  snapshotScheduleStates,
} from '../../../domain/snapshot-schedule/snapshot-schedule.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { type Fixer, FixerEnum } from '../vm/vm-enums.ts'
import { type Message } from '../../../engine/model/message.ts'
import { explanationFields } from '../explanation-fields.ts'

export const SnapshotScheduleStateEnum = enumOf('SnapshotScheduleState', snapshotScheduleStates, {
  description: 'Tells if a schedule takes snapshots.',
  values: {
    active: 'The schedule takes a snapshot at each of its times.',
    paused: 'A user paused the schedule. It takes no snapshots until a user resumes it.',
    stopped: 'Berth stopped the schedule after failures. Fix the cause, then resume the schedule.',
  },
})
const CodeEnum = enumOf('SnapshotScheduleExplanationCode', scheduleExplanationCodes, {
  description: 'The kind of problem of a schedule.',
  values: {
    failing: 'The last run failed. The schedule stops after three failures in a row.',
    paused: 'A user paused the schedule. Resume it to take snapshots again.',
    stopped: 'Berth stopped the schedule after failures. Fix the cause, then resume the schedule.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'Why a schedule takes no snapshots, or will stop soon.',
})
export class SnapshotScheduleExplanation implements ScheduleExplanation {
  @Field(() => CodeEnum, explanationFields.code) code!: ScheduleExplanationCode
  @Field(() => String, explanationFields.summary) summary!: Message
  @Field(() => String, explanationFields.nextStep) nextStep!: Message
  @Field(() => FixerEnum, explanationFields.whoCanFix) whoCanFix!: Fixer
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why the last run of a schedule took no snapshot.',
})
class SnapshotScheduleFailure implements ScheduleFailure {
  @Field(() => String, { description: 'The fault code.' })
  code!: FaultCode
  @Field(() => String, { description: 'The reason as a sentence.' })
  message!: Message
  @Field(() => DateTime, { description: 'When the run failed.' })
  at!: string
}

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description: 'Takes snapshots of one volume or VM at given times and retains some of them.',
})
export class SnapshotSchedule implements SnapshotScheduleView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) name!: string
  @Field(() => ID, {
    nullable: true,
    description: 'The volume; null when the schedule is of a VM.',
  })
  volumeId!: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The VM; null when the schedule is of a volume.',
  })
  vmId!: string | null
  @Field(() => String, { description: 'The name of the volume or the VM.' }) targetName!: string
  @Field(() => String, {
    description: 'Five fields: minute, hour, day of the month, month, day of the week.',
  })
  cron!: string
  @Field(() => String, { description: 'The time zone of `cron`.' }) timeZone!: string
  @Field(() => Int, {
    description:
      'How many of its snapshots are retained. The oldest is deleted when a new one is ready.',
  })
  keep!: number
  @Field(() => Boolean, {
    description: 'Takes snapshots even when they cannot cover all disks of the VM.',
  })
  acceptMissing!: boolean
  @Field(() => ID, { description: 'The user who created the schedule.' }) ownerId!: string
  @Field(() => String, { description: 'The name of the user who created the schedule.' })
  ownerName!: string
  @Field(() => SnapshotScheduleStateEnum, {
    description:
      'Active, paused by a user, or stopped by the platform after too many failures in a row.',
  })
  state!: SnapshotScheduleState
  timedFrom!: string
  @Field(() => DateTime, { nullable: true, description: 'When the last run was due.' }) lastDueAt!:
    string | null
  @Field(() => DateTime, { nullable: true, description: 'When the last run happened.' })
  lastRunAt!: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The last snapshot that the schedule requested.',
  })
  lastSnapshotId!: string | null
  @Field(() => Int, { description: 'How many runs have failed since the last one that succeeded.' })
  failuresInRow!: number
  @Field(() => SnapshotScheduleFailure, {
    nullable: true,
    description: 'The failure of the last run. Null when the last run succeeded.',
  })
  lastFailure!: ScheduleFailure | null
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now; null when it is allowed.',
})
export class SnapshotScheduleRefusals implements Readonly<Record<ScheduleAction, Message | null>> {
  @Field(() => String, { nullable: true, description: 'Why the schedule cannot be paused.' })
  pause!: Message | null
  @Field(() => String, { nullable: true, description: 'Why the schedule cannot be resumed.' })
  resume!: Message | null
  @Field(() => String, { nullable: true, description: 'Why the schedule cannot be changed.' })
  update!: Message | null
  @Field(() => String, { nullable: true, description: 'Why the schedule cannot be deleted.' })
  delete!: Message | null
}

@ObjectType({ simpleResolvers: true })
export class SnapshotScheduleConnection extends connectionOf<SnapshotScheduleView>(
  SnapshotSchedule,
  'SnapshotSchedule',
) {}

@ObjectType({ simpleResolvers: true })
class SnapshotSchedulePayload {
  @Field(() => SnapshotSchedule) snapshotSchedule!: SnapshotSchedule
}

@ObjectType({ simpleResolvers: true })
export class CreateSnapshotSchedulePayload extends SnapshotSchedulePayload {}

@ObjectType({ simpleResolvers: true })
export class UpdateSnapshotSchedulePayload extends SnapshotSchedulePayload {}

@ObjectType({ simpleResolvers: true })
export class PauseSnapshotSchedulePayload extends SnapshotSchedulePayload {}

@ObjectType({ simpleResolvers: true })
export class ResumeSnapshotSchedulePayload extends SnapshotSchedulePayload {}

@ObjectType({ simpleResolvers: true })
export class DeleteSnapshotSchedulePayload extends SnapshotSchedulePayload {}
