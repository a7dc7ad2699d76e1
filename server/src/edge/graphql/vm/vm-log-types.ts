import { ArgsType, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { type LogReason, logReasons } from '../../../domain/guest/guest-log.ts'
import { type VmLogNews as VmLogNewsView } from '../../../usecases/vm/follow-vm-log.ts'
import { type VmLogView } from '../../../usecases/vm/read-vm-log.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

const LogReasonEnum = enumOf(logReasons)
registerEnumType(LogReasonEnum, {
  name: 'VmLogReason',
  description: 'Why nothing comes from the serial line of a VM.',
  valuesConfig: {
    not_kept: { description: 'Of this boot nothing is kept.' },
    not_supported: { description: 'The VM has no serial line that is written down.' },
    silent: {
      description:
        'The guest has written nothing: its system must use the serial console (console=ttyS0).',
    },
    starting: { description: 'It has not come so far.' },
    stopped: { description: 'It does not run, and no earlier boot is kept.' },
    unavailable: { description: 'The platform does not answer at the moment.' },
  },
})

@ArgsType()
export class VmLogArgs {
  @Field(() => ID, { nullable: true }) id?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'Of the VM in the tenant, instead of its id.',
  })
  name?: string | null
  @Field(() => Int, { nullable: true }) tailLines?: number | null
  @Field(() => Int, { nullable: true }) boot?: number | null
}

@ObjectType({
  simpleResolvers: true,
  description:
    'What a guest wrote to its serial line in one boot, without what only terminals understand.',
})
export class VmLog implements VmLogView {
  @Field(() => Int) boot!: number
  @Field(() => Boolean, { description: 'It runs now, and more may come.' }) live!: boolean
  @Field(() => [String]) lines!: readonly string[]
  @Field(() => Boolean, { description: 'There was more before these lines.' }) truncated!: boolean
  @Field(() => DateTime, { nullable: true }) startedAt!: string | null
  @Field(() => DateTime, { nullable: true }) endedAt!: string | null
  @Field(() => LogReasonEnum, {
    nullable: true,
    description: 'Why there are no lines; null when there are some.',
  })
  reason!: LogReason | null
  @Field(() => Int, { description: 'How many boots before the present one can be read.' })
  keptBoots!: number
}

@ObjectType({ simpleResolvers: true, description: 'What is new in the log of a VM.' })
export class VmLogNews implements VmLogNewsView {
  @Field(() => [String]) lines!: readonly string[]
  @Field(() => String, {
    description:
      'The line that the guest has begun and not ended, such as a prompt; each news replaces it. It comes as one of the lines once it is ended.',
  })
  unfinished!: string
  @Field(() => Boolean, { description: 'More may come of this boot.' }) live!: boolean
  @Field(() => LogReasonEnum, { nullable: true, description: 'Why nothing comes at the moment.' })
  reason!: LogReason | null
}
