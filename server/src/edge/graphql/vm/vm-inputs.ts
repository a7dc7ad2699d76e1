import { Field, ID, InputType, Int } from 'type-graphql'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import { type VmState } from '../../../domain/vm/state.ts'
import { type RootDisk } from '../../../domain/vm/vm.ts'
import { type WireState } from '../../../domain/vm/wire-state.ts'
import { createdAfterField } from '../../../engine/graphql/created-after-field.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { vmEnums } from './vm-enums.ts'

@InputType()
export class VmFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name, the display name or the address.',
  })
  search?: string | null
  @Field(() => [vmEnums.state], { nullable: true, description: 'Only VMs in one of these states.' })
  states?: VmState[] | null
  @Field(() => DateTime, createdAfterField) createdAfter?: string | null
  @Field(() => [vmEnums.wireState], {
    nullable: true,
    description: 'Only VMs in one of these states of the REST API.',
  })
  wireStates?: WireState[] | null
  @Field(() => String, { nullable: true, description: 'Only VMs with this tag.' })
  tag?: string | null
  @Field(() => ID, { nullable: true, description: 'Only VMs of this template.' })
  templateId?: string | null
  @Field(() => ID, { nullable: true, description: 'Only VMs with a NIC in this network.' })
  networkId?: string | null
  @Field(() => String, { nullable: true, description: 'Only VMs on this node.' })
  host?: string | null
}

@InputType()
export class PlatformVmFilter extends VmFilter {
  @Field(() => ID, { nullable: true, description: 'Only VMs of this tenant.' })
  tenantId?: string | null
}

@InputType()
export class PlatformVmOrder extends orderOf('PlatformVmSort', ['createdAt', 'name']) {}

@InputType()
export class VmOrder extends orderOf('VmSort', ['createdAt', 'name']) {}

const dedicatedCpuDescription =
  'Gives each vCPU a core of its own, also beside a service offering that does not. The VM runs only on hosts with a static CPU manager.'

@InputType()
export class CreateVmInput {
  @Field(() => String, {
    description:
      'Lower-case letters, digits and dashes. Other text is refused. It is also the hostname.',
  })
  name!: string
  @Field(() => String, {
    nullable: true,
    description: 'The text that users see; the name by default.',
  })
  displayName?: string | null
  @Field(() => ID, { nullable: true, description: 'The template; set either this or `image`.' })
  templateId?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The reference of a container disk, when `templateId` is not set.',
  })
  image?: string | null
  @Field(() => ID, {
    nullable: true,
    description:
      'The id or the name of a service offering. Without it, `cpu` and `memoryMi` apply.',
  })
  serviceOfferingId?: string | null
  @Field(() => Int, { nullable: true, description: 'The number of vCPUs; 1 by default.' }) cpu?:
    number | null
  @Field(() => Int, { nullable: true, description: 'The memory in MiB; 1024 by default.' })
  memoryMi?: number | null
  @Field(() => Boolean, {
    nullable: true,
    description: dedicatedCpuDescription,
  })
  dedicatedCpu?: boolean | null
  @Field(() => vmEnums.rootDisk, {
    nullable: true,
    description:
      'Persistent by default. An ephemeral root disk loses its data with each stop and cannot be used with an ISO.',
  })
  rootDisk?: RootDisk | null
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'The firmware starts signed code only.',
  })
  secureBoot?: boolean | null
  @Field(() => Int, {
    nullable: true,
    description: 'The size of the root disk; the size in the template by default.',
  })
  bootDiskSizeGi?: number | null
  @Field(() => [ID], {
    nullable: true,
    description: 'The SSH keys with which users may log in to the guest.',
  })
  sshKeyIds?: string[] | null
  @Field(() => [ID], {
    nullable: true,
    description: 'The security groups. Without them, the VM gets the default group of the tenant.',
  })
  securityGroupIds?: string[] | null
  @Field(() => String, {
    nullable: true,
    description: 'Replaces the user data of the template; at most 16 KiB.',
  })
  cloudInitUserData?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The password of the default user of the image. Without it, the user has none.',
  })
  cloudInitPassword?: string | null
  @Field(() => [ID], {
    nullable: true,
    description:
      'Private networks of the tenant, in the order of the NICs. Without the list: none, or the default network of the tenant when the operator sets `compat.virtfoundry`.',
  })
  networkIds?: string[] | null
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: true,
    description:
      'The first NIC is on the cluster network, which reaches the internet. Without it, the VM has only the NICs of `networkIds`.',
  })
  podNetwork?: boolean | null
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Add a NIC in the public network, if the platform has one.',
  })
  publicIp?: boolean | null
  @Field(() => [String], {
    nullable: true,
    description: 'Texts by which lists of VMs can be filtered.',
  })
  tags?: string[] | null
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'A deletion is refused while this is true.',
  })
  deleteProtection?: boolean | null
  @Field(() => ID, {
    nullable: true,
    description: 'A volume that is attached before the first start.',
  })
  dataVolumeId?: string | null
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Open a port on every node that leads to SSH of the VM.',
  })
  exposeSsh?: boolean | null
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: true,
    description: 'Start the VM.',
  })
  start?: boolean | null
}

@InputType()
export class NamedVmInput {
  @Field(() => ID, { nullable: true, description: 'The id of the VM; set either this or `name`.' })
  id?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The name of the VM in the tenant, instead of its id.',
  })
  name?: string | null
}

/** The VM that a verb changes. */
@InputType()
export class VmVerbInput extends NamedVmInput {
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}

@InputType()
export class UpdateVmInput extends VmVerbInput {
  @Field(() => String, {
    nullable: true,
    description: 'The text that users see. An empty text stands for the name.',
  })
  displayName?: string | null
  @Field(() => [String], {
    nullable: true,
    description: 'The complete list of tags. An empty list removes them all.',
  })
  tags?: string[] | null
  @Field(() => Boolean, {
    nullable: true,
    description: 'A deletion is refused while this is true.',
  })
  deleteProtection?: boolean | null
  @Field(() => ID, {
    nullable: true,
    description:
      'The id or the name of a service offering. Without it, `cpu` and `memoryMi` apply.',
  })
  serviceOfferingId?: string | null
  @Field(() => Int, { nullable: true, description: 'The new number of vCPUs.' }) cpu?: number | null
  @Field(() => Int, { nullable: true, description: 'The new memory in MiB.' }) memoryMi?:
    number | null
  @Field(() => Boolean, { nullable: true, description: dedicatedCpuDescription })
  dedicatedCpu?: boolean | null
}

@InputType()
export class EjectVmIsoInput extends VmVerbInput {}

@InputType()
export class RevertVmDriftInput extends VmVerbInput {}

@InputType()
export class AcceptVmDriftInput extends VmVerbInput {}

@InputType()
export class RetryVmInput extends VmVerbInput {}

@InputType()
export class DeleteVmInput extends VmVerbInput {}
