import { Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql'
import {
  type OwnDiskRole,
  type VmOwnDisk as OwnDisk,
  ownDiskRoles,
} from '../../../domain/volume/own-disks.ts'
import { type VolumeView } from '../../../domain/volume/volume.ts'
import { type GraphRequest } from '../context.ts'
import { batchRead } from '../batch-read.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { sameAccessAsObject } from '../../../engine/graphql/needs.ts'
import { Vm } from './vm-types.ts'
import { Volume } from '../volume/volume-types.ts'

const OwnDiskRoleEnum = enumOf('VmOwnDiskRole', ownDiskRoles, {
  description: 'The use of a disk that belongs to a VM.',
  values: {
    root: 'The VM boots from the disk.',
    iso: 'The disk is a copy of the ISO from which the VM is installed.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'A disk that belongs to a VM and ends with it. It cannot be detached.',
})
class VmOwnDisk implements OwnDisk {
  @Field(() => ID, { description: 'The UID of its PVC in the cluster.' }) id!: string
  @Field(() => OwnDiskRoleEnum, { description: 'The root disk, or the copy of the ISO.' })
  role!: OwnDiskRole
  @Field(() => Int, { description: 'The size of the disk in GiB.' })
  sizeGi!: number
  @Field(() => String, {
    nullable: true,
    description: 'Null means the default storage class of the cluster.',
  })
  storageClass!: string | null
  @Field(() => String, { description: 'The name of its PVC in the cluster.' }) claimName!: string
}

@Resolver(() => Vm)
export class VmVolumesResolver {
  @sameAccessAsObject()
  @FieldResolver(() => [Volume], {
    description: 'The volumes that are attached to the VM, without its root disk.',
  })
  async volumes(@Ctx() request: GraphRequest, @Root() { id }: Vm): Promise<readonly VolumeView[]> {
    return (await volumesOfVm(request, id)) ?? []
  }

  @sameAccessAsObject()
  @FieldResolver(() => [VmOwnDisk], {
    description:
      'The disks that belong to the VM itself, as far as they exist: its root disk and the copy of its ISO. An ephemeral root disk is not a disk of the cluster.',
  })
  async ownDisks(@Ctx() request: GraphRequest, @Root() { id }: Vm): Promise<readonly OwnDisk[]> {
    return (await ownDisksOf(request, id)) ?? []
  }
}

/** A caller who may see a VM may see its disks. */
const ownDisksOf = batchRead(({ berth }, ids) => berth.reads('platform').vms.ownDisksOf(ids))

/** A caller who may see a VM may see its volumes. */
export const volumesOfVm = batchRead(async ({ berth }, ids) =>
  Map.groupBy(await berth.reads('platform').volumes.attachedTo(ids), ({ vmId }) => vmId ?? ''),
)
