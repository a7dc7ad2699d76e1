import { Field, ID, InputType, Int } from 'type-graphql'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import {
  type GuestSystem,
  type TemplateSource,
  type TemplateState,
} from '../../../domain/vm-template/vm-template.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { createdAfterField } from '../../../engine/graphql/created-after-field.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { templateEnums } from './vm-template-types.ts'

const owners = ['platform', 'tenant'] as const
const TemplateOwner = enumOf('VmTemplateOwner', owners, {
  description: 'The owner of a template.',
  values: {
    platform: 'The platform owns the template, and all tenants see it.',
    tenant: 'A tenant owns the template.',
  },
})

@InputType()
export class VmTemplateFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name or of the display name.',
  })
  search?: string | null
  @Field(() => templateEnums.source, {
    nullable: true,
    description: 'Only templates with this kind of image.',
  })
  sourceType?: TemplateSource | null
  @Field(() => TemplateOwner, {
    nullable: true,
    description: 'Only templates of the platform, or only those of the tenant.',
  })
  ownedBy?: (typeof owners)[number] | null
  @Field(() => DateTime, createdAfterField) createdAfter?: string | null
  @Field(() => templateEnums.state, {
    nullable: true,
    description: 'Only templates in this state.',
  })
  state?: TemplateState | null
}

@InputType()
export class VmTemplateOrder extends orderOf('VmTemplateSort', ['createdAt', 'name']) {}

@InputType()
export class CreateVmTemplateInput {
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes. Other text is refused.',
  })
  name!: string
  @Field(() => String, {
    nullable: true,
    description: 'The text that users see; the name by default.',
  })
  displayName?: string | null
  @Field(() => String, { nullable: true, description: 'A text for users, which Berth only shows.' })
  description?: string | null
  @Field(() => String, { description: 'The reference of a container disk, or the URL of an ISO.' })
  image!: string
  @Field(() => templateEnums.source, {
    nullable: true,
    defaultValue: 'container',
    description: 'The kind of the image: a container disk, or an ISO that is imported.',
  })
  sourceType?: TemplateSource | null
  @Field(() => templateEnums.os, {
    nullable: true,
    description:
      '`linux` by default, `windows` for an ISO. A VM of `other` gets the devices of `linux`.',
  })
  osType?: GuestSystem | null
  @Field(() => String, {
    nullable: true,
    description: 'The user data of VMs from this template; at most 16 KiB.',
  })
  cloudInitUserData?: string | null
  @Field(() => Int, {
    nullable: true,
    description: 'The size of the volume for the ISO; 8 by default.',
  })
  isoSizeGi?: number | null
  @Field(() => Int, {
    nullable: true,
    description: 'The size of the root disk of VMs from this template; 32 by default.',
  })
  bootDiskSizeGi?: number | null
  @Field(() => String, {
    nullable: true,
    description: 'The storage class of the disks; the default one of the cluster without it.',
  })
  storageClass?: string | null
}

@InputType({
  description:
    'Omitted fields do not change. An empty text removes the description or the user data.',
})
export class UpdateVmTemplateInput {
  @Field(() => ID) id!: string
  @Field(() => String, {
    nullable: true,
    description: 'The text that users see. An empty text stands for the name.',
  })
  displayName?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'A text for users, which Berth only shows. An empty text removes it.',
  })
  description?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The new image of a container template. An ISO template keeps its image.',
  })
  image?: string | null
  @Field(() => templateEnums.source, {
    nullable: true,
    description: 'Refuses the request when the template has another source.',
  })
  sourceType?: TemplateSource | null
  @Field(() => templateEnums.os, {
    nullable: true,
    description: 'The operating system of VMs from this template.',
  })
  osType?: GuestSystem | null
  @Field(() => templateEnums.state, {
    nullable: true,
    description: 'The state. No VM can be deployed from an inactive template.',
  })
  state?: TemplateState | null
  @Field(() => String, {
    nullable: true,
    description: 'The user data of VMs from this template. An empty text removes it.',
  })
  cloudInitUserData?: string | null
  @Field(() => Int, { nullable: true, description: 'The size of the root disk of new VMs in GiB.' })
  bootDiskSizeGi?: number | null
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}

@InputType()
export class RetryVmTemplateImportInput {
  @Field(() => ID) id!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
  @Field(() => String, {
    nullable: true,
    description: 'The new URL of the ISO; the current one by default.',
  })
  url?: string | null
}

@InputType()
export class DeleteVmTemplateInput {
  @Field(() => ID) id!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}
