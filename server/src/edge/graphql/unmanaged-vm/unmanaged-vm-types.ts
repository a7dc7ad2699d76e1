import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import {
  type FoundDisk,
  type FoundDiskKind,
  type FoundNic,
  type FoundVm,
  type UnmanagedVmView,
  foundDiskKinds,
} from '../../../domain/unmanaged-vm/unmanaged-vm.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { createdAfterField } from '../../../engine/graphql/created-after-field.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { VmPayload } from '../vm/vm-types.ts'

const DiskKindEnum = enumOf('UnmanagedVmDiskKind', foundDiskKinds, {
  description: 'The content of a disk of a VM object.',
  values: {
    volume: 'The disk is a volume of the cluster.',
    image: 'The disk is a container disk.',
    cloud_init: 'The disk has the cloud-init data of the VM.',
    other: 'The disk has content of another kind.',
  },
})

@ObjectType({ simpleResolvers: true, description: 'A disk of a VM that Berth does not manage.' })
export class UnmanagedVmDisk implements Omit<FoundDisk, 'isCdrom' | 'claimRowId' | 'isDataVolume'> {
  @Field(() => String, { description: 'The name in the VM object.' }) name!: string
  @Field(() => DiskKindEnum, { description: 'The kind of its source.' }) kind!: FoundDiskKind
  @Field(() => String, {
    nullable: true,
    description: 'The name of the volume or of the container image.',
  })
  source!: string | null
  @Field(() => Int, { nullable: true, description: 'The size of the volume in GiB.' })
  sizeGi!: number | null
  @Field(() => String, { nullable: true, description: 'The storage class of the volume.' })
  storageClass!: string | null
}

@ObjectType({ simpleResolvers: true, description: 'A NIC of a VM that Berth does not manage.' })
export class UnmanagedVmNic implements FoundNic {
  @Field(() => String, { description: 'The name in the VM object.' }) name!: string
  @Field(() => String, {
    nullable: true,
    description: 'The network attachment with its namespace; null for the cluster network.',
  })
  network!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The MAC address; null when the cluster chooses one at each start.',
  })
  mac!: string | null
}

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description:
    'A VM in the namespace of the tenant that Berth does not manage, because another client created it or its record was lost.',
})
export class UnmanagedVm implements UnmanagedVmView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) name!: string
  /** The fields of the API come from it. */
  found!: FoundVm
  madeAs!: string | null
  sharedClaims!: readonly string[]
  clusterUid!: string
  @Field(() => Int) version!: number
  @Field(() => DateTime, { description: 'When Berth first saw the VM.' }) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({ simpleResolvers: true })
export class AdoptVmPayload extends VmPayload {}

@InputType()
export class AdoptVmInput {
  @Field(() => String, { description: 'The name of the VM object, which becomes that of the VM.' })
  name!: string
}

@ObjectType({ simpleResolvers: true })
export class UnmanagedVmConnection extends connectionOf<UnmanagedVmView>(
  UnmanagedVm,
  'UnmanagedVm',
) {}

@InputType()
export class UnmanagedVmFilter {
  @Field(() => String, { nullable: true, description: 'Matches a part of the name.' })
  search?: string | null
  @Field(() => DateTime, createdAfterField) createdAfter?: string | null
}

@InputType()
export class UnmanagedVmOrder extends orderOf('UnmanagedVmSort', ['createdAt', 'name']) {}
