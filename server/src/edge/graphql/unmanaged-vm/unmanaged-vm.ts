import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { obstaclesTo } from '../../../domain/unmanaged-vm/obstacles.ts'
import {
  type FoundDisk,
  type FoundNic,
  type UnmanagedVmView,
} from '../../../domain/unmanaged-vm/unmanaged-vm.ts'
import { type Power } from '../../../domain/vm/vm.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { type Message } from '../../../engine/model/message.ts'
import { adoptVm } from '../../../usecases/vm/adopt-vm.ts'
import { type FieldContext } from '../context.ts'
import { PowerEnum } from '../vm/vm-enums.ts'
import { WaitSeconds } from '../wait.ts'
import {
  AdoptVmInput,
  AdoptVmPayload,
  UnmanagedVm,
  UnmanagedVmConnection,
  UnmanagedVmDisk,
  UnmanagedVmFilter,
  UnmanagedVmNic,
  UnmanagedVmOrder,
} from './unmanaged-vm-types.ts'
import { itsTenant, relatedObjects } from '../node/related-objects.ts'

@Resolver(() => UnmanagedVm)
export class UnmanagedVmResolver {
  @needs('vms:read')
  @Query(() => UnmanagedVmConnection, {
    description:
      'The VMs in the namespace of the tenant that Berth does not manage, as last seen in the cluster.',
  })
  unmanagedVms(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => UnmanagedVmFilter, { nullable: true }) filter?: UnmanagedVmFilter,
    @Arg('orderBy', () => UnmanagedVmOrder, { nullable: true }) orderBy?: UnmanagedVmOrder,
  ) {
    return UnmanagedVmConnection.read(reads.unmanagedVms, {
      query: { ...filter, ...sortOf(orderBy, 'name') },
      page: pageOf(args),
    })
  }

  @needs('vms:write')
  @Mutation(() => AdoptVmPayload, {
    description:
      'Makes a VM of the list `unmanagedVms` a VM of Berth. It keeps its disk, and a running guest keeps running.',
  })
  adoptVm(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => AdoptVmInput) input: AdoptVmInput,
    @WaitSeconds() wait?: number,
  ) {
    const { quotaDefaults, networking } = berth
    return writeAndWait(wait, (op) => adoptVm(op, input, { quotaDefaults, networking }))
  }

  @sameAccessAsObject()
  @FieldResolver(() => PowerEnum, { description: 'The power state that its object requests.' })
  power(@Root() { found }: UnmanagedVmView): Power {
    return found.power
  }

  @sameAccessAsObject()
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The status in the words of KubeVirt; null when it shows none.',
  })
  status(@Root() { found }: UnmanagedVmView): string | null {
    return found.status
  }

  @sameAccessAsObject()
  @FieldResolver(() => Int, {
    nullable: true,
    description: 'vCPUs; null when an instance type decides.',
  })
  cpu(@Root() { found }: UnmanagedVmView): number | null {
    return found.cpu
  }

  @sameAccessAsObject()
  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Memory in MiB; null when the object names no whole number of MiB.',
  })
  memoryMi(@Root() { found }: UnmanagedVmView): number | null {
    return found.memoryMi
  }

  @sameAccessAsObject()
  @FieldResolver(() => [UnmanagedVmDisk], { description: 'The disks in the order of the object.' })
  disks(@Root() { found }: UnmanagedVmView): readonly FoundDisk[] {
    return found.disks
  }

  @sameAccessAsObject()
  @FieldResolver(() => [UnmanagedVmNic], { description: 'The NICs in the order of the object.' })
  nics(@Root() { found }: UnmanagedVmView): readonly FoundNic[] {
    return found.nics
  }

  @sameAccessAsObject()
  @FieldResolver(() => [String], {
    description:
      'Everything that keeps the VM from being adopted, each with its remedy. Empty when it can be.',
  })
  obstacles(@Root() vm: UnmanagedVmView): Message[] {
    return obstaclesTo(vm)
  }
}

export const UnmanagedVmObjectsResolver = relatedObjects<UnmanagedVmView>(UnmanagedVm, {
  ...itsTenant,
})
