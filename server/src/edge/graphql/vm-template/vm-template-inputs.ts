import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql'
import {
  type GuestSystem,
  type TemplateSource,
  type TemplateState,
} from '../../../domain/vm-template/vm-template.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Direction, DirectionEnum } from '../../../engine/graphql/order.ts'
import { templateEnums } from './vm-template-types.ts'

const owners = ['platform', 'tenant'] as const
const TemplateOwner = enumOf(owners)
registerEnumType(TemplateOwner, { name: 'VmTemplateOwner' })

@InputType()
export class VmTemplateFilter {
  @Field(() => String, { nullable: true }) search?: string | null
  @Field(() => templateEnums.source, { nullable: true }) sourceType?: TemplateSource | null
  @Field(() => TemplateOwner, { nullable: true }) ownedBy?: (typeof owners)[number] | null
}

const sorts = ['createdAt', 'name'] as const
const VmTemplateSort = enumOf(sorts)
registerEnumType(VmTemplateSort, { name: 'VmTemplateSort' })

@InputType()
export class VmTemplateOrder {
  @Field(() => VmTemplateSort) by!: (typeof sorts)[number]
  @Field(() => DirectionEnum, { defaultValue: 'asc' }) direction!: Direction
}

@InputType()
export class CreateVmTemplateInput {
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes; other text is slugged.',
  })
  name!: string
  @Field(() => String, { nullable: true }) displayName?: string | null
  @Field(() => String, { nullable: true }) description?: string | null
  @Field(() => String, { description: 'The reference of a container disk, or the URL of an ISO.' })
  image!: string
  @Field(() => templateEnums.source, { nullable: true, defaultValue: 'container' })
  sourceType?: TemplateSource | null
  @Field(() => templateEnums.os, {
    nullable: true,
    description: 'Linux, and Windows for an ISO, unless said otherwise.',
  })
  osType?: GuestSystem | null
  @Field(() => String, { nullable: true, description: 'At most 16 KiB.' }) cloudInitUserData?:
    string | null
  @Field(() => Int, { nullable: true, description: 'Room for the ISO: 8 unless said otherwise.' })
  isoSizeGi?: number | null
  @Field(() => Int, { nullable: true, description: '32 unless said otherwise.' }) bootDiskSizeGi?:
    number | null
  @Field(() => String, { nullable: true }) storageClass?: string | null
}

@InputType({
  description: 'What is not named stays; an empty text erases a description and user data.',
})
export class UpdateVmTemplateInput {
  @Field(() => ID) id!: string
  @Field(() => String, { nullable: true }) displayName?: string | null
  @Field(() => String, { nullable: true }) description?: string | null
  @Field(() => String, { nullable: true, description: 'Of a container template only.' }) image?:
    string | null
  @Field(() => templateEnums.os, { nullable: true }) osType?: GuestSystem | null
  @Field(() => templateEnums.state, { nullable: true }) state?: TemplateState | null
  @Field(() => String, { nullable: true }) cloudInitUserData?: string | null
  @Field(() => Int, { nullable: true }) bootDiskSizeGi?: number | null
  @Field(() => Int, {
    nullable: true,
    description: 'Refuse when the version is no longer this one.',
  })
  ifVersion?: number | null
}

@InputType()
export class RetryVmTemplateImportInput {
  @Field(() => ID) id!: string
  @Field(() => String, { nullable: true, description: 'From here instead.' }) url?: string | null
}

@InputType()
export class DeleteVmTemplateInput {
  @Field(() => ID) id!: string
}
