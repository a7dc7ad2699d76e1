import { Arg, Args, Ctx, ID, Int, Query, Resolver, Root, Subscription } from 'type-graphql'
import { type VmLogNews as VmLogNewsView, followVmLog } from '../../../usecases/vm/follow-vm-log.ts'
import { type VmLogView, readVmLog } from '../../../usecases/vm/read-vm-log.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { VmLog, VmLogArgs, VmLogNews } from './vm-log-types.ts'

interface FollowArgs {
  id?: string | null
  name?: string | null
  tailLines?: number | null
}

@Resolver()
export class VmLogResolver {
  @needs('vms:read')
  @Query(() => VmLog, {
    nullable: true,
    description:
      'Boot 0 is the present one, or the last where the VM does not run; -1 is the one before it. 200 lines unless said otherwise.',
  })
  vmLog(
    @Ctx() { berth, scope }: FieldContext,
    @Args(() => VmLogArgs) asked: VmLogArgs,
  ): Promise<VmLogView | null> {
    return readVmLog({ berth, scope }, asked)
  }

  @needs('vms:read')
  @Subscription(() => VmLogNews, {
    description:
      'The last lines of the log and then what the guest writes, through stops and starts, until the VM is gone.',
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
    @Arg('id', () => ID, { nullable: true }) _id?: string,
    @Arg('name', () => String, {
      nullable: true,
      description: 'Of the VM in the tenant, instead of its id.',
    })
    _name?: string,
    @Arg('tailLines', () => Int, { nullable: true }) _tailLines?: number,
  ): VmLogNewsView {
    return news
  }
}
