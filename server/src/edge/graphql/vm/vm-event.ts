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
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { vmEnums } from './vm-enums.ts'
import { VmExplanation } from './vm-types.ts'
import { type Message, messageOf } from '../../../engine/model/message.ts'

const VmEventCodeEnum = enumOf('VmEventCode', vmEventCodes, {
  description: 'The new state of the VM, or what happened without a request.',
  values: {
    pending: 'The state of the VM became `Pending`.',
    provisioning: 'The state of the VM became `Provisioning`.',
    starting: 'The state of the VM became `Starting`.',
    running: 'The state of the VM became `Running`.',
    paused: 'The state of the VM became `Paused`.',
    migrating: 'The state of the VM became `Migrating`.',
    restarting: 'The state of the VM became `Restarting`.',
    stopping: 'The state of the VM became `Stopping`.',
    stopped: 'The state of the VM became `Stopped`.',
    deleting: 'The state of the VM became `Deleting`.',
    error: 'The state of the VM became `Error`.',
    unknown: 'The state of the VM became `Unknown`.',
    lost: 'The state of the VM became `Lost`.',
    failed: 'The state of the VM became `Failed`.',
    crashed: 'The guest, or the process that runs the VM, ended with an error.',
    moved: 'The VM has migrated to another node.',
    noticed: 'The explanation of the state changed, and the state did not.',
    restarted: 'The VM restarted without a request.',
    shut_down: 'The guest shut itself down.',
    started_outside: 'Another client started the VM in the cluster.',
    stopped_outside: 'Another client stopped the VM in the cluster.',
    went_down: 'The VM stopped without a request, and the cause is not known.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'Something that happened to a VM without a request. Operations record requests.',
})
export class VmEvent implements VmEventView {
  @Field(() => ID) id!: string
  @Field(() => DateTime, { description: 'When it happened.' })
  at!: string
  @Field(() => VmEventCodeEnum, { description: 'The kind of the event.' })
  code!: VmEventCode
  @Field(() => vmEnums.state, { description: 'The state of the VM before.' })
  fromState!: VmState
  @Field(() => vmEnums.state, { description: 'The state of the VM after.' })
  toState!: VmState
  @Field(() => VmExplanation, {
    nullable: true,
    description: 'Why the VM was not as desired at that time; null when it was.',
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
      'Events of a VM, newest first: at most 200 from the last 90 days. They remain when the VM is deleted.',
  })
  vmEvents(
    @Ctx() { reads, pageOf }: FieldContext,
    @Arg('vmId', () => ID, { description: 'The id of the VM.' }) vmId: string,
    @Args(() => PageArgs) args: PageArgs,
  ) {
    return VmEventConnection.read(reads.vmEvents, { query: vmId, page: pageOf(args) })
  }

  @needs('vms:read')
  @Query(() => VmEventConnection, {
    nullable: true,
    description: 'Events of a VM by its name. Null when there is no such VM.',
  })
  async vmEventsByName(
    @Ctx() { reads, pageOf }: FieldContext,
    @Arg('name', () => String, { description: 'The name of the VM.' }) name: string,
    @Args(() => PageArgs) args: PageArgs,
  ) {
    const vm = await reads.vms.findByName(name, new Set(['id']))
    return vm && VmEventConnection.read(reads.vmEvents, { query: vm.id, page: pageOf(args) })
  }

  @sameAccessAsObject()
  @FieldResolver(() => String, { description: 'The event as a sentence.' })
  summary(@Root() { code }: VmEventView): Message {
    return messageOf(`vm_event.${code}`)
  }
}
