import { Field, Int, ObjectType } from 'type-graphql'
import {
  type DeletionImpact,
  type ImpactFate,
  type ImpactItem,
  type ImpactKind,
  impactFates,
  impactKinds,
} from '../../../domain/vm/deletion-impact.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Message } from '../../../engine/model/message.ts'

const KindEnum = enumOf('VmDeletionImpactKind', impactKinds, {
  description: 'An effect of the deletion of a VM.',
  values: {
    running_state:
      'Data in the memory of the VM, which the guest has not written to a disk, is lost.',
    root_disk: 'The root disk is deleted with its data.',
    guest_settings: 'The cloud-init settings are deleted, with the passwords and keys in them.',
    volume: 'A volume is detached and remains.',
    snapshot_schedule: 'A snapshot schedule of the VM ends.',
    vm_snapshot: 'The snapshots of the VM remain. They can be cloned, but not restored any more.',
    address: 'An IP address or MAC address becomes free for another VM.',
    name: 'The name becomes free for another VM of the tenant.',
    template: 'The template of the VM remains.',
    ssh_keys: 'The registered SSH keys of the tenant remain.',
    record: 'The operations and audit records of the VM remain.',
  },
})
export const FateEnum = enumOf('VmDeletionImpactFate', impactFates, {
  description: 'The effect of a deletion on an object.',
  values: {
    lost: 'The object is gone for good.',
    released: 'The address or the name becomes free for another object.',
    kept: 'The object remains.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'An object that is lost, released or kept when a VM is deleted.',
})
class VmDeletionImpactItem implements ImpactItem {
  @Field(() => KindEnum, { description: 'The kind of the object.' })
  kind!: ImpactKind
  @Field(() => FateEnum, { description: 'Tells if the object is lost, released or kept.' })
  fate!: ImpactFate
  @Field(() => String, { nullable: true, description: 'The name of the object.' }) name!:
    string | null
  @Field(() => Int, {
    nullable: true,
    description: 'The size in GiB; null for an object without a size.',
  })
  sizeGi!: number | null
  @Field(() => String, { description: 'The impact as a sentence.' }) sentence!: Message
}

@ObjectType({
  simpleResolvers: true,
  description: 'Objects that are deleted or released with a VM, and objects that remain.',
})
export class VmDeletionImpact implements DeletionImpact {
  @Field(() => Boolean, { description: 'True when the VM has deletion protection.' })
  isProtected!: boolean
  @Field(() => String, {
    nullable: true,
    description: 'Why the VM cannot be deleted now; null when it can.',
  })
  refusal!: Message | null
  @Field(() => [VmDeletionImpactItem], {
    description: 'The affected objects, and objects that remain.',
  })
  items!: readonly ImpactItem[]
}
