import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql'
import { type VmState } from '../../../domain/vm/state.ts'
import { type RootDisk } from '../../../domain/vm/vm.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Direction, DirectionEnum } from '../../../engine/graphql/order.ts'
import { vmEnums } from './vm-types.ts'

@InputType()
export class VmFilter {
  @Field(() => String, { nullable: true, description: 'In the names and the address.' }) search?:
    string | null
  @Field(() => [vmEnums.state], { nullable: true }) states?: VmState[] | null
}

const sorts = ['createdAt', 'name'] as const
const VmSort = enumOf(sorts)
registerEnumType(VmSort, { name: 'VmSort' })

@InputType()
export class VmOrder {
  @Field(() => VmSort) by!: (typeof sorts)[number]
  @Field(() => DirectionEnum, { defaultValue: 'asc' }) direction!: Direction
}

@InputType()
export class CreateVmInput {
  @Field(() => String, {
    description:
      'Lower-case letters, digits and dashes; other text is slugged. It is the hostname too.',
  })
  name!: string
  @Field(() => String, { nullable: true }) displayName?: string | null
  @Field(() => ID, { nullable: true, description: 'This or an image.' }) templateId?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The reference of a container disk, where no template is named.',
  })
  image?: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The size; without one, cpu and memoryMi count.',
  })
  serviceOfferingId?: string | null
  @Field(() => Int, { nullable: true, description: '1 unless said otherwise.' }) cpu?: number | null
  @Field(() => Int, { nullable: true, description: '1024 unless said otherwise.' }) memoryMi?:
    number | null
  @Field(() => Boolean, {
    nullable: true,
    description: 'Cores of its own, where no offering says it.',
  })
  dedicatedCpu?: boolean | null
  @Field(() => vmEnums.rootDisk, {
    nullable: true,
    description:
      'Persistent unless said otherwise; an ephemeral one forgets with each stop and is not for ISOs.',
  })
  rootDisk?: RootDisk | null
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'The firmware runs signed code only.',
  })
  secureBoot?: boolean | null
  @Field(() => Int, { nullable: true, description: 'As the template says unless said otherwise.' })
  bootDiskSizeGi?: number | null
  @Field(() => [ID], { nullable: true }) sshKeyIds?: string[] | null
  @Field(() => [ID], {
    nullable: true,
    description: 'The tenant’s default group unless said otherwise.',
  })
  securityGroupIds?: string[] | null
  @Field(() => String, {
    nullable: true,
    description: 'Instead of the template’s; at most 16 KiB.',
  })
  cloudInitUserData?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'Of the image’s own user; there is none unless said.',
  })
  cloudInitPassword?: string | null
  @Field(() => [ID], {
    nullable: true,
    description: 'Private networks of the tenant, in the order of its NICs; none unless said.',
  })
  networkIds?: string[] | null
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: true,
    description:
      'Its first NIC is on the network of the platform, by which it reaches out; without it there are only those of networkIds.',
  })
  podNetwork?: boolean | null
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'A NIC in the public network, where there is one.',
  })
  publicIp?: boolean | null
  @Field(() => [String], { nullable: true }) tags?: string[] | null
  @Field(() => Boolean, { nullable: true, defaultValue: false }) deleteProtection?: boolean | null
  @Field(() => ID, { nullable: true, description: 'A volume that it has from its first start on.' })
  dataVolumeId?: string | null
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'A port of the platform leads to its SSH, for everybody.',
  })
  exposeSsh?: boolean | null
  @Field(() => Boolean, { nullable: true, defaultValue: true }) start?: boolean | null
}

@InputType()
export class NamedVmInput {
  @Field(() => ID, { nullable: true }) id?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'Of the VM in the tenant, instead of its id.',
  })
  name?: string | null
}

@InputType()
export class UpdateVmInput extends NamedVmInput {
  @Field(() => String, { nullable: true }) displayName?: string | null
  @Field(() => [String], {
    nullable: true,
    description: 'All that it is to have; none erases them.',
  })
  tags?: string[] | null
  @Field(() => Boolean, { nullable: true }) deleteProtection?: boolean | null
  @Field(() => ID, {
    nullable: true,
    description: 'The new size; without one, cpu and memoryMi count.',
  })
  serviceOfferingId?: string | null
  @Field(() => Int, { nullable: true }) cpu?: number | null
  @Field(() => Int, { nullable: true }) memoryMi?: number | null
  @Field(() => Int, {
    nullable: true,
    description: 'Refuse when the version is no longer this one.',
  })
  ifVersion?: number | null
}

@InputType()
export class EjectVmIsoInput extends NamedVmInput {}

@InputType()
export class DeleteVmInput extends NamedVmInput {}
