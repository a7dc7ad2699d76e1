import { Arg, Ctx, ID, Int, Query, Resolver, Root, Subscription } from 'type-graphql'
import { type VmLogNews as VmLogNewsView, followVmLog } from '../../usecases/vm/follow-vm-log.ts'
import { type VmLogView, readVmLog } from '../../usecases/vm/read-vm-log.ts'
import { type FieldContext } from './context.ts'
import { needs } from './needs.ts'
import { VmLog, VmLogNews } from './vm-log-types.ts'

interface FollowArgs {
  id: string
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
    @Arg('id', () => ID) id: string,
    @Arg('tailLines', () => Int, { nullable: true }) tailLines?: number,
    @Arg('boot', () => Int, { nullable: true }) boot?: number,
  ): Promise<VmLogView | null> {
    return readVmLog({ berth, scope }, { id, tailLines: tailLines ?? null, boot: boot ?? null })
  }

  @needs('vms:read')
  @Subscription(() => VmLogNews, {
    description: 'The last lines of the log and then what the guest writes, through stops and starts, until the VM is gone.',
    subscribe: ({ args, context: { berth, hub, scope, viewer } }: { args: FollowArgs; context: FieldContext }) =>
      followVmLog({ berth, hub, scope, userId: viewer.userId }, args),
  })
  vmLogAppended(
    @Root() news: VmLogNewsView,
    @Arg('id', () => ID) _id: string,
    @Arg('tailLines', () => Int, { nullable: true }) _tailLines?: number,
  ): VmLogNewsView {
    return news
  }
}
