import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import { mustActInTenant } from '../../../domain/identity/principal.ts'
import { vpcDeleteRefusal } from '../../../domain/vpc/rules.ts'
import { planVpcCidrs } from '../../../usecases/network/plan-cidrs.ts'
import { createVpc } from '../../../usecases/vpc/create-vpc.ts'
import { deleteVpc } from '../../../usecases/vpc/delete-vpc.ts'
import { updateVpc } from '../../../usecases/vpc/update-vpc.ts'
import { CidrPlan } from '../network/cidr-plan-types.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { batchRead } from '../batch-read.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import {
  CreateVpcInput,
  DeleteVpcInput,
  UpdateVpcInput,
  VpcFilter,
  VpcOrder,
} from './vpc-inputs.ts'
import {
  CreateVpcPayload,
  DeleteVpcPayload,
  UpdateVpcPayload,
  Vpc,
  VpcConnection,
  VpcRefusals,
} from './vpc-types.ts'
import { WaitSeconds } from '../wait.ts'
import { itsTenant, relatedObjects } from '../node/related-objects.ts'
import { type VpcView } from '../../../domain/vpc/vpc.ts'

@Resolver(() => Vpc)
export class VpcResolver {
  @needs('vpcs:read')
  @Query(() => Vpc, { nullable: true, description: 'Finds a VPC by its id or its name.' })
  vpc(
    @Ctx() { reads }: FieldContext,
    @Arg('id', () => ID, { nullable: true }) id?: string,
    @Arg('name', () => String, { nullable: true }) name?: string,
  ) {
    return id ? reads.vpcs.find(id) : reads.vpcs.findByName(name ?? '')
  }

  @needs('vpcs:read')
  @Query(() => VpcConnection, { description: 'The VPCs of the tenant.' })
  vpcs(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => VpcFilter, { nullable: true }) filter?: VpcFilter,
    @Arg('orderBy', () => VpcOrder, { nullable: true }) orderBy?: VpcOrder,
  ) {
    return VpcConnection.read(reads.vpcs, {
      query: { ...filter, ...sortOf(orderBy, 'name') },
      page: pageOf(args),
    })
  }

  @needs('vpcs:read')
  @Query(() => CidrPlan, { description: 'CIDR blocks that a new VPC could use.' })
  vpcCidrPlan(
    @Ctx() { reads, berth, viewer }: FieldContext,
    @Arg('prefix', () => Int, {
      nullable: true,
      description: 'The prefix length, 8 to 24; by default 16, and 20 in 192.168.0.0/16.',
    })
    prefix?: number,
  ) {
    return planVpcCidrs(reads, mustActInTenant(viewer), { prefix, networking: berth.networking })
  }

  @sameAccessAsObject()
  @FieldResolver(() => VpcRefusals)
  async refusals(@Ctx() request: GraphRequest, @Root() vpc: Vpc): Promise<VpcRefusals> {
    const vms = (await vmsIn(request, vpc.id)) ?? []
    return { delete: vpcDeleteRefusal(vpc, { networks: [], vms })?.userMessage ?? null }
  }

  @needs('vpcs:write')
  @Mutation(() => CreateVpcPayload, { description: 'Creates a VPC with its first network.' })
  createVpc(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => CreateVpcInput) input: CreateVpcInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => createVpc(op, input, berth))
  }

  @needs('vpcs:write')
  @Mutation(() => UpdateVpcPayload, { description: 'Renames a VPC. Its addresses do not change.' })
  updateVpc(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => UpdateVpcInput) input: UpdateVpcInput,
  ) {
    return write((op) => updateVpc(op, input))
  }

  @needs('vpcs:write')
  @Mutation(() => DeleteVpcPayload, {
    description:
      'Deletes a VPC in which no VM has a NIC. The default VPC of a tenant is deleted only with the tenant.',
  })
  deleteVpc(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => DeleteVpcInput) input: DeleteVpcInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => deleteVpc(op, input))
  }
}

/** A caller who may see a VPC may also see the names of its VMs. */
const vmsIn = batchRead(({ berth }, ids) => berth.reads('platform').nics.vmsIn('vpc', ids))

export const VpcObjectsResolver = relatedObjects<VpcView>(Vpc, {
  ...itsTenant,
})
