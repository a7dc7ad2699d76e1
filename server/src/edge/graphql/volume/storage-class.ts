import { Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql'
import {
  type Ability,
  type StorageClassView,
  type VolumeBinding,
  requireStorageClasses,
  volumeBindings,
} from '../../../domain/storage-class/storage-class.ts'
import { type FieldContext } from '../context.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { type Message } from '../../../engine/model/message.ts'

const BindingEnum = enumOf('VolumeBinding', volumeBindings, {
  description: 'When the storage of a volume is allocated.',
  values: {
    immediate: 'The storage is allocated when the volume is created.',
    first_use: 'The storage is allocated when a VM first runs with the volume.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'Tells whether the volumes of a storage class have a feature.',
})
class StorageAbility implements Ability {
  @Field(() => Boolean, { description: 'True when volumes of the class have the feature.' })
  available!: boolean
  @Field(() => String, { nullable: true, description: 'Why it is not available.' })
  reason!: Message | null
}

@ObjectType({
  simpleResolvers: true,
  description: 'A storage class of the cluster, and the features that volumes have there.',
})
export class StorageClass implements StorageClassView {
  @Field(() => String, { description: 'The name of the StorageClass object.' }) name!: string
  @Field(() => Boolean, {
    description: 'True for the class of volumes that are created without a choice.',
  })
  isDefault!: boolean
  @Field(() => BindingEnum, { description: 'When storage is allocated.' })
  binding!: VolumeBinding
  @Field(() => [String], {
    description: 'The access modes that the class supports, as Kubernetes names them.',
  })
  accessModes!: readonly string[]
  @Field(() => StorageAbility, { description: 'Volumes can grow.' }) expand!: Ability
  @Field(() => StorageAbility, { description: 'Snapshots can be taken of single volumes.' })
  snapshot!: Ability
  @Field(() => StorageAbility, {
    description: 'A VM with a volume in this class can migrate while it runs.',
  })
  liveMigrate!: Ability
  @Field(() => String, {
    nullable: true,
    description: 'The VolumeSnapshotClass that takes its snapshots.',
  })
  snapshotClass!: string | null
}

@Resolver()
export class StorageClassResolver {
  @needs('volumes:read')
  @Query(() => [StorageClass], {
    description: 'The storage classes of the cluster, and the features that volumes have there.',
  })
  storageClasses(@Ctx() { berth }: FieldContext): readonly StorageClassView[] {
    return requireStorageClasses(berth.storageClasses())
  }
}
