import { type GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  ID,
  Info,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import { serialOf, volumeName } from '../../../domain/volume/object-names.ts'
import { type VolumeAction, volumeRefusal } from '../../../domain/volume/refusals.ts'
import { attachVolume } from '../../../usecases/volume/attach-volume.ts'
import { type VolumeBounds, createVolume } from '../../../usecases/volume/create-volume.ts'
import { deleteVolume } from '../../../usecases/volume/delete-volume.ts'
import { detachVolume } from '../../../usecases/volume/detach-volume.ts'
import { updateVolume } from '../../../usecases/volume/update-volume.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { batchRead } from '../batch-read.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import { idFieldsOf } from '../node/related-objects.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { selectedFields, selectedFieldsOfOne } from '../../../engine/graphql/selection.ts'
import {
  AttachVolumeInput,
  CreateVolumeInput,
  DeleteVolumeInput,
  DetachVolumeInput,
  UpdateVolumeInput,
  VolumeFilter,
  VolumeOrder,
} from './volume-inputs.ts'
import {
  AttachVolumePayload,
  CreateVolumePayload,
  DeleteVolumePayload,
  DetachVolumePayload,
  UpdateVolumePayload,
  Volume,
  VolumeConnection,
  VolumeHolder,
  VolumeRefusals,
} from './volume-types.ts'
import { WaitSeconds } from '../wait.ts'
import { volumeObjects } from './volume-objects.ts'
import { type Message } from '../../../engine/model/message.ts'

const derivedFields = {
  ...idFieldsOf(volumeObjects),
  operations: ['id'],
  snapshots: ['id'],
  serial: ['id'],
  claimName: ['id'],
  holder: ['vmId', 'heldBy'],
  explanation: ['explanation'],
}

@Resolver(() => Volume)
export class VolumeResolver {
  @needs('volumes:read')
  @Query(() => Volume, {
    nullable: true,
    description: 'Finds a volume by its id; null when there is none.',
  })
  volume(
    @Ctx() { reads }: FieldContext,
    @Info() info: GraphQLResolveInfo,
    @Arg('id', () => ID) id: string,
  ) {
    return reads.volumes.find(id, selectedFieldsOfOne(info, derivedFields))
  }

  @needs('volumes:read')
  @Query(() => VolumeConnection, { description: 'The volumes of the tenant.' })
  volumes(
    @Ctx() { reads, pageOf }: FieldContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => VolumeFilter, { nullable: true }) filter?: VolumeFilter,
    @Arg('orderBy', () => VolumeOrder, { nullable: true }) orderBy?: VolumeOrder,
  ) {
    return VolumeConnection.read(reads.volumes, {
      query: { ...filter, ...sortOf(orderBy, 'name') },
      page: pageOf(args),
      selected: selectedFields(info, derivedFields),
    })
  }

  @sameAccessAsObject()
  @FieldResolver(() => String, {
    description:
      'The serial number by which the guest finds the disk: the end of its name in /dev/disk/by-id.',
  })
  serial(@Root() { id }: Volume): string {
    return serialOf(id)
  }

  @sameAccessAsObject()
  @FieldResolver(() => String, { description: 'The name of its PVC in the cluster.' })
  claimName(@Root() { id }: Volume): string {
    return volumeName(id)
  }

  @sameAccessAsObject()
  @FieldResolver(() => VolumeHolder, {
    nullable: true,
    description:
      'The VM to which the volume is attached or will be, or which has not released it yet.',
  })
  async holder(
    @Ctx() request: GraphRequest,
    @Root() { vmId, heldBy }: Volume,
  ): Promise<VolumeHolder | null> {
    const id = vmId ?? heldBy
    const name = id === null ? undefined : await vmNameOf(request, id)
    return id === null || name === undefined ? null : { id, name }
  }

  @sameAccessAsObject()
  @FieldResolver(() => VolumeRefusals)
  refusals(@Ctx() { berth }: GraphRequest, @Root() volume: Volume): VolumeRefusals {
    const classes = berth.storageClasses()
    const why = (action: VolumeAction): Message | null =>
      volumeRefusal(action, volume, classes)?.userMessage ?? null
    return {
      attach: why('attach'),
      detach: why('detach'),
      resize: why('resize'),
      rename: why('rename'),
      snapshot: why('snapshot'),
      delete: why('delete'),
    }
  }

  @needs('volumes:write')
  @Mutation(() => CreateVolumePayload, {
    description: 'Creates a volume, empty or from a snapshot.',
  })
  createVolume(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => CreateVolumeInput) input: CreateVolumeInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => createVolume(op, input, boundsOf(berth)))
  }

  @needs('volumes:write')
  @Mutation(() => UpdateVolumePayload, { description: 'Renames a volume, or makes it larger.' })
  updateVolume(
    @Ctx() { writeAndWait, berth }: FieldContext,
    @Arg('input', () => UpdateVolumeInput) input: UpdateVolumeInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => updateVolume(op, input, boundsOf(berth)))
  }

  @needs('vms:write')
  @Mutation(() => AttachVolumePayload, {
    description:
      'Attaches a volume to a VM, which may be running. The operation ends when the guest has the disk.',
  })
  attachVolume(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => AttachVolumeInput) input: AttachVolumeInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => attachVolume(op, input))
  }

  @needs('vms:write')
  @Mutation(() => DetachVolumePayload, {
    description:
      'Detaches a volume from a VM, which may be running. The operation ends when the guest has released the disk.',
  })
  detachVolume(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => DetachVolumeInput) input: DetachVolumeInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => detachVolume(op, input))
  }

  @needs('volumes:write')
  @Mutation(() => DeleteVolumePayload, {
    description: 'Deletes a volume and its data. It must be detached; its snapshots remain.',
  })
  deleteVolume(
    @Ctx() { writeAndWait }: FieldContext,
    @Arg('input', () => DeleteVolumeInput) input: DeleteVolumeInput,
    @WaitSeconds() wait?: number,
  ) {
    return writeAndWait(wait, (op) => deleteVolume(op, input))
  }
}

export const boundsOf = ({
  quotaDefaults,
  storageClasses,
}: FieldContext['berth']): VolumeBounds => ({
  quotaDefaults,
  storageClasses: storageClasses(),
})

/** A caller who may see a volume may also see the name of its VM. */
const vmNameOf = batchRead(({ berth }, ids) => berth.reads('platform').vms.namesOf(ids))
