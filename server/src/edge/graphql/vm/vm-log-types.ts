import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql'
import { type LogReason, logReasons } from '../../../domain/guest/guest-log.ts'
import { type VmLogUpdate as VmLogNewsView } from '../../../usecases/vm/follow-vm-log.ts'
import { type VmLogView } from '../../../usecases/vm/read-vm-log.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

const LogReasonEnum = enumOf('VmLogReason', logReasons, {
  description: 'Why the serial console of a VM has no output.',
  valuesConfig: {
    not_kept: { description: 'The log of this boot is not stored.' },
    not_supported: { description: 'The serial console of this VM is not logged.' },
    silent: {
      description:
        'The guest has written nothing. Its system must use the serial console (`console=ttyS0`).',
    },
    starting: { description: 'The VM has not started yet.' },
    stopped: { description: 'The VM does not run, and no earlier log is stored.' },
    unavailable: { description: 'The cluster does not answer at the moment.' },
  },
})

@ArgsType()
export class VmLogArgs {
  @Field(() => ID, { nullable: true, description: 'The id of the VM; set either this or `name`.' })
  id?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The name of the VM in the tenant, instead of its id.',
  })
  name?: string | null
  @Field(() => Int, { nullable: true }) tailLines?: number | null
  @Field(() => Int, { nullable: true }) boot?: number | null
}

@ObjectType({
  simpleResolvers: true,
  description: 'The serial console output of one boot, without terminal control sequences.',
})
export class VmLog implements VmLogView {
  @Field(() => Int) boot!: number
  @Field(() => Boolean, { description: 'True while the VM runs and may write more.' })
  live!: boolean
  @Field(() => [String]) lines!: readonly string[]
  @Field(() => Boolean, { description: 'True when earlier lines were left out.' })
  truncated!: boolean
  @Field(() => DateTime, { nullable: true }) startedAt!: string | null
  @Field(() => DateTime, { nullable: true }) endedAt!: string | null
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
  @Field(() => [String]) lines!: readonly string[]
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
