import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  ObjectType,
  Query,
  Resolver,
  Root,
  registerEnumType,
} from 'type-graphql'
import { type Explanation } from '../../../domain/vm/explain.ts'
import { type VmState } from '../../../domain/vm/state.ts'
import {
  type VmEventCode,
  type VmEventView,
  vmEventCodes,
} from '../../../domain/vm-event/vm-event.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { type FieldContext } from '../context.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { asItsObject, needs } from '../../../engine/graphql/needs.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { VmExplanation, vmEnums } from './vm-types.ts'
import { type Message, messageOf } from '../../../engine/model/message.ts'

const VmEventCodeEnum = enumOf(vmEventCodes)
registerEnumType(VmEventCodeEnum, {
  name: 'VmEventCode',
  description: 'The state that a VM came to, or what happened without being asked for here.',
})

@ObjectType({
  simpleResolvers: true,
  description:
    'Something that was seen to happen to a VM. What was asked for is told by operations.',
})
class VmEvent implements VmEventView {
  @Field(() => ID) id!: string
  @Field(() => DateTime) at!: string
  @Field(() => VmEventCodeEnum) code!: VmEventCode
  @Field(() => vmEnums.state) fromState!: VmState
  @Field(() => vmEnums.state) toState!: VmState
  @Field(() => VmExplanation, {
    nullable: true,
    description: 'What was not as it should be at that time; null when all was fine.',
  })
  explanation!: Explanation | null
}

@ObjectType({ simpleResolvers: true })
class VmEventConnection extends connectionOf<VmEventView>(VmEvent, 'VmEvent') {}

@Resolver(() => VmEvent)
export class VmEventResolver {
  @needs('vms:read')
  @Query(() => VmEventConnection, {
    description:
      'What happened to a VM, newest first: the last 200 of the last 90 days, also when it is gone.',
  })
  vmEvents(
    @Ctx() { reads, pageOf }: FieldContext,
    @Arg('vmId', () => ID) vmId: string,
    @Args(() => PageArgs) args: PageArgs,
  ) {
    return VmEventConnection.read(reads.vmEvents, { query: vmId, page: pageOf(args) })
  }

  @asItsObject()
  @FieldResolver(() => String, { description: 'In words.' })
  summary(@Root() { code }: VmEventView): Message {
    return messageOf(`vm_event.${code}`)
  }
}
