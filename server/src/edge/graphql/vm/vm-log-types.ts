import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql'
import { type LogReason, logReasons } from '../../../domain/guest/guest-log.ts'
import { type VmLogUpdate as VmLogNewsView } from '../../../usecases/vm/follow-vm-log.ts'
import { type VmLogView } from '../../../usecases/vm/read-vm-log.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

const LogReasonEnum = enumOf('VmLogReason', logReasons, {
  description: 'Why the serial console of a VM has no output.',
  values: {
    not_kept: 'The log of this boot is not stored.',
    not_supported: 'The serial console of this VM is not logged.',
    silent:
      'The guest has written nothing. Its system must use the serial console (`console=ttyS0`).',
    starting: 'The VM has not started yet.',
    stopped: 'The VM does not run, and no earlier log is stored.',
    unavailable: 'The cluster does not answer at the moment.',
  },
})

export const tailLinesDescription = 'The number of lines, from 1 to 5000; 200 by default.'

@ArgsType()
export class VmLogArgs {
  @Field(() => ID, { nullable: true, description: 'The id of the VM; set either this or `name`.' })
  id?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The name of the VM in the tenant, instead of its id.',
  })
  name?: string | null
  @Field(() => Int, { nullable: true, description: tailLinesDescription })
  tailLines?: number | null
  @Field(() => Int, {
    nullable: true,
    description:
      'The boot, from -5 to 0. By default 0: the current one, or the last one when the VM does not run.',
  })
  boot?: number | null
}

@ObjectType({
  simpleResolvers: true,
  description: 'The serial console output of one boot, without terminal control sequences.',
})
export class VmLog implements VmLogView {
  @Field(() => Int, {
    description: 'The boot: 0 is the current or the last one, -1 the one before it.',
  })
  boot!: number
  @Field(() => Boolean, { description: 'True while the VM runs and may write more.' })
  live!: boolean
  @Field(() => [String], { description: 'The lines, the oldest first.' })
  lines!: readonly string[]
  @Field(() => Boolean, { description: 'True when earlier lines were left out.' })
  truncated!: boolean
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the boot began; null when that is unknown.',
  })
  startedAt!: string | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the boot ended; null while it lasts, and when there is no log.',
  })
  endedAt!: string | null
  @Field(() => LogReasonEnum, {
    nullable: true,
    description: 'Why there are no lines; null when there are some.',
  })
  reason!: LogReason | null
  @Field(() => Int, { description: 'How many earlier boots have a stored log.' })
  keptBoots!: number
}

@ObjectType({ simpleResolvers: true, description: 'New output in the log of a VM.' })
export class VmLogNews implements VmLogNewsView {
  @Field(() => [String], {
    description: 'The complete lines since the last update, the oldest first.',
  })
  lines!: readonly string[]
  @Field(() => String, {
    description:
      'The line that the guest has not ended yet, such as a prompt. Each update replaces it, and it becomes one of `lines` when it ends.',
  })
  unfinished!: string
  @Field(() => Boolean, { description: 'True while the boot may write more.' }) live!: boolean
  @Field(() => LogReasonEnum, {
    nullable: true,
    description: 'Why there is no output at the moment.',
  })
  reason!: LogReason | null
}
