import { Arg, Args, Ctx, ID, Int, Query, Resolver, Root, Subscription } from 'type-graphql'
import {
  type VmLogUpdate as VmLogNewsView,
  followVmLog,
} from '../../../usecases/vm/follow-vm-log.ts'
import { type VmLogView, readVmLog } from '../../../usecases/vm/read-vm-log.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { VmLog, VmLogArgs, VmLogNews, tailLinesDescription } from './vm-log-types.ts'

interface FollowArgs {
  id?: string | null
  name?: string | null
  tailLines?: number | null
}

@Resolver()
export class VmLogResolver {
  @needs('vms:logs')
  @Query(() => VmLog, {
    nullable: true,
    description: 'The serial console output of one boot of a VM. Null when there is no such VM.',
  })
  vmLog(
    @Ctx() { berth, scope }: FieldContext,
    @Args(() => VmLogArgs) args: VmLogArgs,
  ): Promise<VmLogView | null> {
    return readVmLog({ berth, scope }, args)
  }

  @needs('vms:logs')
  @Subscription(() => VmLogNews, {
    description:
      'Sends the last lines of the log and then new output. It continues through stops and starts, until the VM is deleted.',
    subscribe: ({
      args,
      context: { berth, hub, scope, viewer },
    }: {
      args: FollowArgs
      context: FieldContext
    }) => followVmLog({ berth, hub, scope, userId: viewer.userId }, args),
  })
  vmLogAppended(
    @Root() news: VmLogNewsView,
    @Arg('id', () => ID, {
      nullable: true,
      description: 'The id of the VM; set either this or `name`.',
    })
    _id?: string,
    @Arg('name', () => String, {
      nullable: true,
      description: 'The name of the VM in the tenant, instead of its id.',
    })
    _name?: string,
    @Arg('tailLines', () => Int, { nullable: true, description: tailLinesDescription })
    _tailLines?: number,
  ): VmLogNewsView {
    return news
  }
}
