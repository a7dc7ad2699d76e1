import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { type Enforcement, podEnforcementOf } from '../../../domain/security-group/firewall.ts'
import {
  type GroupUse,
  groupRefusal,
  unused,
  useRefusal,
} from '../../../domain/security-group/uses.ts'
import { createSecurityGroup } from '../../../usecases/security-group/create-security-group.ts'
import { deleteSecurityGroup } from '../../../usecases/security-group/delete-security-group.ts'
import { updateSecurityGroup } from '../../../usecases/security-group/update-security-group.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { batchRead } from '../batch-read.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import {
  CreateSecurityGroupInput,
  DeleteSecurityGroupInput,
  SecurityGroupFilter,
  SecurityGroupOrder,
  UpdateSecurityGroupInput,
} from './security-group-inputs.ts'
import {
  RuleEnforcement,
  SecurityGroup,
  SecurityGroupRule,
  SecurityGroupConnection,
  SecurityGroupRefusals,
  SecurityGroupUse,
  securityGroupPayloads,
} from './security-group-types.ts'
import { WaitSeconds } from '../wait.ts'
import { itsTenant, relatedObjects } from '../node/related-objects.ts'
import { type SecurityGroupView } from '../../../domain/security-group/security-group.ts'

@Resolver(() => SecurityGroup)
export class SecurityGroupResolver {
  @needs('security_groups:read')
  @Query(() => SecurityGroup, {
    nullable: true,
    description: 'Finds a security group by its id; null when there is none.',
  })
  securityGroup(@Ctx() { reads }: FieldContext, @Arg('id', () => ID) id: string) {
    return reads.securityGroups.find(id)
  }

  @needs('security_groups:read')
  @Query(() => SecurityGroupConnection, {
    description: 'The security groups of the tenant, the default one first.',
  })
  securityGroups(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => SecurityGroupFilter, { nullable: true }) filter?: SecurityGroupFilter,
    @Arg('orderBy', () => SecurityGroupOrder, { nullable: true }) orderBy?: SecurityGroupOrder,
  ) {
    return SecurityGroupConnection.read(reads.securityGroups, {
      query: { ...filter, ...sortOf(orderBy, 'default') },
      page: pageOf(args),
    })
  }

  @sameAccessAsObject()
  @FieldResolver(() => SecurityGroupUse, {
    description: 'The VMs that have the group, and the other groups that name it in their rules.',
  })
  async uses(@Ctx() request: GraphRequest, @Root() { id }: SecurityGroup): Promise<GroupUse> {
    return (await usesOf(request, id)) ?? unused
  }

  @sameAccessAsObject()
  @FieldResolver(() => SecurityGroupRefusals)
  async refusals(
    @Ctx() request: GraphRequest,
    @Root() group: SecurityGroup,
  ): Promise<SecurityGroupRefusals> {
    const uses = (await usesOf(request, group.id)) ?? unused
    const refusal = groupRefusal(group, 'deleted') ?? useRefusal(group.name, uses)
    return {
      rename: groupRefusal(group, 'renamed')?.userMessage ?? null,
      delete: refusal?.userMessage ?? null,
    }
  }

  @sameAccessAsObject()
  @FieldResolver(() => [RuleEnforcement], {
    description: 'Enforcement of the rules, in their order, on a VM that has only this group.',
  })
  enforcement(@Ctx() { berth }: GraphRequest, @Root() { rules }: SecurityGroup): Enforcement[] {
    const bounds = berth.networking.egressBounds()
    return rules.map((rule) => podEnforcementOf(rule, { all: rules, bounds }))
  }

  @needs('security_groups:write')
  @Mutation(() => securityGroupPayloads.create, {
    description: 'Creates a security group. It affects no traffic until a VM has it.',
  })
  createSecurityGroup(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => CreateSecurityGroupInput) input: CreateSecurityGroupInput,
  ) {
    return write((op) => createSecurityGroup(op, input))
  }

  @needs('security_groups:write')
  @Mutation(() => securityGroupPayloads.update, {
    description:
      'Changes the name, the description or the rules of a security group. New rules also apply to running VMs.',
  })
  updateSecurityGroup(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => UpdateSecurityGroupInput) input: UpdateSecurityGroupInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => updateSecurityGroup(op, input))
  }

  @needs('security_groups:write')
  @Mutation(() => securityGroupPayloads.delete, {
    description: 'Deletes a security group that no VM has and no other group names in its rules.',
  })
  deleteSecurityGroup(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => DeleteSecurityGroupInput) input: DeleteSecurityGroupInput,
  ) {
    return write((op) => deleteSecurityGroup(op, input))
  }
}

/** A caller who may see a group may also see the names of its VMs. */
const usesOf = batchRead(({ berth }, ids) => berth.reads('platform').securityGroups.usesOf(ids))

export const SecurityGroupObjectsResolver = relatedObjects<SecurityGroupView>(SecurityGroup, {
  ...itsTenant,
  vpc: { kind: 'vpc', id: 'vpcId', description: 'The VPC for which the group is intended.' },
})

export const SecurityGroupRuleObjectsResolver = relatedObjects<SecurityGroupRule>(
  SecurityGroupRule,
  {
    peerGroup: {
      kind: 'security_group',
      id: 'peerGroupId',
      description: 'The group whose VMs are allowed.',
    },
  },
)
