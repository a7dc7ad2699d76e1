import { Field, ID, InputType } from 'type-graphql'
import { type VolumeSnapshotState } from '../../../domain/volume-snapshot/state.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type IdentityChoice, identityChoices } from '../../../domain/vm-snapshot/identity.ts'
import { createdAfterField } from '../../../engine/graphql/created-after-field.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { vmSnapshotEnums } from './vm-snapshot-types.ts'

@InputType()
export class VmSnapshotFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name of the snapshot or of the VM.',
  })
  search?: string | null
  @Field(() => [vmSnapshotEnums.state], {
    nullable: true,
    description: 'Only snapshots in one of these states.',
  })
  states?: VolumeSnapshotState[] | null
  @Field(() => ID, { nullable: true, description: 'Only snapshots of this VM.' }) vmId?:
    string | null
  @Field(() => DateTime, createdAfterField) createdAfter?: string | null
}

@InputType()
export class VmSnapshotOrder extends orderOf('VmSnapshotSort', ['createdAt', 'name']) {}

@InputType()
export class CreateVmSnapshotInput {
  @Field(() => ID, { nullable: true, description: 'The VM; set either this or `vmName`.' }) vmId?:
    string | null
  @Field(() => String, {
    nullable: true,
    description: 'The name of the VM; set either this or `vmId`.',
  })
  vmName?: string | null
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes. Other text is refused.',
  })
  name!: string
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Take the snapshot even when it cannot cover all disks. Otherwise the request is refused, and the refusal names these disks.',
  })
  acceptMissing?: boolean | null
}

@InputType()
export class DeleteVmSnapshotInput {
  @Field(() => ID, { nullable: true, description: 'The snapshot; set either this or `name`.' })
  id?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The name of the snapshot; set either this or `id`.',
  })
  name?: string | null
}

@InputType()
export class RestoreVmInput {
  @Field(() => ID, {
    nullable: true,
    description: 'The VM; set either this or `vmName`. By default, the VM of the snapshot.',
  })
  vmId?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The name of the VM; set either this or `vmId`.',
  })
  vmName?: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The snapshot; set either this or `snapshotName`.',
  })
  snapshotId?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The name of the snapshot; set either this or `snapshotId`.',
  })
  snapshotName?: string | null
  @Field(() => Boolean, {
    nullable: true,
    description: 'Stop the VM first. Without it, a restore of a running VM is refused.',
  })
  stop?: boolean | null
  @Field(() => Boolean, {
    nullable: true,
    description: 'Take a snapshot of the current state before the restore; true by default.',
  })
  safetySnapshot?: boolean | null
}

const IdentityChoiceEnum = enumOf('IdentityChoice', identityChoices, {
  description: 'Tells if a clone keeps a part of the identity of the VM in the snapshot.',
  values: {
    keep: 'The clone has the same value as the VM in the snapshot.',
    renew: 'The clone gets a value of its own.',
  },
})
const renewable = { nullable: true, description: '`renew` by default.' } as const
const nicIdentity = (subject: string) =>
  ({
    nullable: true,
    description: `${subject} \`keep\` works when no other VM uses it and the NICs are those of the snapshot. \`renew\` by default.`,
  }) as const

@InputType({
  description:
    'The parts of its identity that a clone keeps. By default all are renewed, so that two VMs never have the same identity.',
})
class CloneIdentityInput {
  @Field(() => IdentityChoiceEnum, nicIdentity('The MAC address of each NIC.'))
  mac?: IdentityChoice | null
  @Field(
    () => IdentityChoiceEnum,
    nicIdentity('The address in each network of the tenant and in the public network.'),
  )
  ip?: IdentityChoice | null
  @Field(() => IdentityChoiceEnum, renewable) hostname?: IdentityChoice | null
  @Field(() => IdentityChoiceEnum, renewable) machineId?: IdentityChoice | null
  @Field(() => IdentityChoiceEnum, {
    nullable: true,
    description: 'The SSH host keys. `renew` by default.',
  })
  hostKeys?: IdentityChoice | null
}

@InputType()
export class CloneVmSnapshotInput {
  @Field(() => ID, { description: 'The snapshot from which the VM is created.' })
  snapshotId!: string
  @Field(() => String, {
    description: 'The name of the new VM. Its volumes are named after it and their former names.',
  })
  name!: string
  @Field(() => String, {
    nullable: true,
    description: 'The text that users see; the name by default.',
  })
  displayName?: string | null
  @Field(() => [ID], {
    nullable: true,
    description: 'The new VM gets one NIC in each of these networks, in this order.',
  })
  networkIds?: string[] | null
  @Field(() => Boolean, {
    nullable: true,
    description: 'The first NIC is on the cluster network; true by default.',
  })
  podNetwork?: boolean | null
  @Field(() => Boolean, {
    nullable: true,
    description: 'The new VM gets an address of the public network.',
  })
  publicIp?: boolean | null
  @Field(() => CloneIdentityInput, {
    nullable: true,
    description: 'The parts of its identity that the clone keeps. Without it, all are renewed.',
  })
  identity?: CloneIdentityInput | null
  @Field(() => [ID], {
    nullable: true,
    description: 'The security groups. Without them, the VM gets the default group of the tenant.',
  })
  securityGroupIds?: string[] | null
  @Field(() => Boolean, { nullable: true, description: 'Start the VM; true by default.' }) start?:
    boolean | null
}
