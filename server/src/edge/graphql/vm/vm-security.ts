import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql'
import { may } from '../../../engine/model/viewer.ts'
import { type NicView } from '../../../domain/nic/nic.ts'
import {
  type Enforcement,
  secondaryEnforcementOf,
  podEnforcementOf,
} from '../../../domain/security-group/firewall.ts'
import { setVmSecurityGroups } from '../../../usecases/vm/set-vm-security-groups.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { batchRead } from '../batch-read.ts'
import { nicsOf } from '../nic/nic.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import {
  SetVmSecurityGroupsInput,
  SetVmSecurityGroupsPayload,
  VmSecurity,
} from './vm-security-types.ts'
import { Vm } from './vm-types.ts'
import { WaitSeconds } from '../wait.ts'

@Resolver(() => Vm)
export class VmSecurityResolver {
  @sameAccessAsObject()
  @FieldResolver(() => VmSecurity, {
    nullable: true,
    description:
      'The security groups and their rules. Null when the caller may not read security groups.',
  })
  async security(@Ctx() request: GraphRequest, @Root() { id }: Vm): Promise<VmSecurity | null> {
    if (!may(request.viewer, 'security_groups:read')) return null
    const [found, nics = []] = await Promise.all([securityOf(request, id), nicsOf(request, id)])
    const groups = found?.groups ?? []
    const { networking } = request.berth
    const hasFilters = networking.supportsFilters() ?? false
    const bounds = networking.egressBounds()
    const all = groups.flatMap(({ rules }) => rules)
    const rules = groups.flatMap(({ id: groupId, rules: own }) =>
      own.map((rule) => ({
        ...rule,
        groupId,
        enforcement: nics.map((nic) =>
          enforcementOn(nic, { of: podEnforcementOf(rule, { all, bounds }), hasFilters }),
        ),
      })),
    )
    return { groups, rules, inForce: found?.inForce ?? false }
  }

  @needs('vms:write', 'security_groups:read')
  @Mutation(() => SetVmSecurityGroupsPayload, {
    description: 'Replaces the security groups of a VM, which may be running.',
  })
  setVmSecurityGroups(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => SetVmSecurityGroupsInput) input: SetVmSecurityGroupsInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => setVmSecurityGroups(op, input))
  }
}

const enforcementOn = (
  { name, kind, driver }: NicView,
  filters: { of: Enforcement; hasFilters: boolean },
) => ({
  nic: name,
  ...(kind === 'pod' ? filters.of : secondaryEnforcementOf({ kind, driver }, filters)),
})

/** A caller who sees a VM has access to its tenant, so the read needs no narrower scope. */
const securityOf = batchRead(({ berth }, ids) =>
  berth.reads('platform').vmFirewalls.securityOf(ids),
)
