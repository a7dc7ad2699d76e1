import { Field, ID, InputType, registerEnumType } from 'type-graphql'
import { type VolumeSnapshotState } from '../../../domain/volume-snapshot/state.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type IdentityChoice, identityChoices } from '../../../domain/vm-snapshot/identity.ts'
import { type Direction, DirectionEnum } from '../../../engine/graphql/order.ts'
import { vmSnapshotEnums } from './vm-snapshot-types.ts'

@InputType()
export class VmSnapshotFilter {
  @Field(() => String, { nullable: true, description: 'In its name and that of the VM.' }) search?:
    string | null
  @Field(() => [vmSnapshotEnums.state], { nullable: true }) states?: VolumeSnapshotState[] | null
  @Field(() => ID, { nullable: true, description: 'Of this VM.' }) vmId?: string | null
}

const sorts = ['createdAt', 'name'] as const
const VmSnapshotSort = enumOf(sorts)
registerEnumType(VmSnapshotSort, { name: 'VmSnapshotSort' })

@InputType()
export class VmSnapshotOrder {
  @Field(() => VmSnapshotSort) by!: (typeof sorts)[number]
  @Field(() => DirectionEnum, { defaultValue: 'asc' }) direction!: Direction
}

@InputType()
export class CreateVmSnapshotInput {
  @Field(() => ID, { nullable: true, description: 'This or the name.' }) vmId?: string | null
  @Field(() => String, { nullable: true }) vmName?: string | null
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes; other text is slugged.',
  })
  name!: string
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Take it also where disks will be missing in it; without, it is refused and the refusal says which.',
  })
  acceptMissing?: boolean | null
}

@InputType()
export class DeleteVmSnapshotInput {
  @Field(() => ID, { nullable: true, description: 'This or the name.' }) id?: string | null
  @Field(() => String, { nullable: true }) name?: string | null
}

@InputType()
export class RestoreVmInput {
  @Field(() => ID, {
    nullable: true,
    description: 'This or the name; the VM that the snapshot is of unless said otherwise.',
  })
  vmId?: string | null
  @Field(() => String, { nullable: true }) vmName?: string | null
  @Field(() => ID, { nullable: true, description: 'This or the name.' }) snapshotId?: string | null
  @Field(() => String, { nullable: true }) snapshotName?: string | null
  @Field(() => Boolean, {
    nullable: true,
    description: 'Switch the VM off first; without, one that runs is refused.',
  })
  stop?: boolean | null
  @Field(() => Boolean, {
    nullable: true,
    description: 'Keep how the VM is now in another snapshot before; true unless said otherwise.',
  })
  safetySnapshot?: boolean | null
}

const IdentityChoiceEnum = enumOf(identityChoices)
registerEnumType(IdentityChoiceEnum, { name: 'IdentityChoice' })
const chosen = { nullable: true, description: 'Renew unless said otherwise.' } as const
const wired = (what: string) =>
  ({
    nullable: true,
    description: `${what} Kept where nobody has it by then, with the NICs of the snapshot. Renew unless said otherwise.`,
  }) as const

@InputType({
  description:
    'What a copy takes over of who the VM was, so that no two VMs are taken for one unless somebody wants that.',
})
class CloneIdentityInput {
  @Field(() => IdentityChoiceEnum, wired('Of each NIC.')) mac?: IdentityChoice | null
  @Field(() => IdentityChoiceEnum, wired('In each network of the tenant, and in the public one.'))
  ip?: IdentityChoice | null
  @Field(() => IdentityChoiceEnum, chosen) hostname?: IdentityChoice | null
  @Field(() => IdentityChoiceEnum, chosen) machineId?: IdentityChoice | null
  @Field(() => IdentityChoiceEnum, {
    nullable: true,
    description: 'Of SSH. Renew unless said otherwise.',
  })
  hostKeys?: IdentityChoice | null
}

@InputType()
export class CloneVmSnapshotInput {
  @Field(() => ID) snapshotId!: string
  @Field(() => String, {
    description: 'Of the new VM; its volumes are called by it and their former names.',
  })
  name!: string
  @Field(() => String, { nullable: true }) displayName?: string | null
  @Field(() => [ID], { nullable: true, description: 'One NIC in each, in this order.' })
  networkIds?: string[] | null
  @Field(() => Boolean, {
    nullable: true,
    description: 'First of all a NIC on the network of the cluster; true unless said otherwise.',
  })
  podNetwork?: boolean | null
  @Field(() => Boolean, { nullable: true, description: 'With an address of the public network.' })
  publicIp?: boolean | null
  @Field(() => CloneIdentityInput, { nullable: true }) identity?: CloneIdentityInput | null
  @Field(() => [ID], {
    nullable: true,
    description: 'The default group of the tenant unless said otherwise.',
  })
  securityGroupIds?: string[] | null
  @Field(() => Boolean, { nullable: true, description: 'True unless said otherwise.' }) start?:
    boolean | null
}
