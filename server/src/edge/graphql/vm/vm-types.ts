import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type Explanation, type ExplanationCode } from '../../../domain/vm/explain.ts'
import { type BusyWith } from '../../../domain/vm/busy.ts'
import {
  type DriftPart,
  type VmDifference as DifferenceOfVm,
} from '../../../domain/vm-drift/drift.ts'
import { type VmAction, type VmActionView } from '../../../domain/vm/lifecycle.ts'
import { type VmState } from '../../../domain/vm/state.ts'
import {
  type ChangeApplies,
  type Power,
  type RootDisk,
  type VmView,
} from '../../../domain/vm/vm.ts'
import { type GuestSystem, type TemplateSource } from '../../../domain/vm-template/vm-template.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { Operation } from '../operation/operation-types.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { templateEnums } from '../vm-template/vm-template-types.ts'
import {
  BusyWithEnum,
  ChangeAppliesEnum,
  DriftPartEnum,
  ExplanationCodeEnum,
  type Fixer,
  FixerEnum,
  PowerEnum,
  VmActionEnum,
  vmEnums,
} from './vm-enums.ts'
import { type Message } from '../../../engine/model/message.ts'
import { explanationFields } from '../explanation-fields.ts'

@ObjectType({ simpleResolvers: true, description: 'Why a VM is not as desired.' })
export class VmExplanation implements Explanation {
  @Field(() => ExplanationCodeEnum, explanationFields.code) code!: ExplanationCode
  @Field(() => String, explanationFields.summary)
  summary!: Message
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the problem began; null when that is unknown.',
  })
  since!: string | null
  @Field(() => String, { description: 'The cause as a sentence.' })
  cause!: Message
  @Field(() => String, explanationFields.nextStep)
  nextStep!: Message
  @Field(() => FixerEnum, explanationFields.whoCanFix)
  whoCanFix!: Fixer
}

@ObjectType({
  simpleResolvers: true,
  description: 'A part of a VM that another client has changed in the cluster.',
})
export class VmDifference implements DifferenceOfVm {
  @Field(() => DriftPartEnum, { description: 'The part that differs.' }) part!: DriftPart
  @Field(() => String, {
    nullable: true,
    description:
      'The value in Berth: `on` or `off`, the number of vCPUs, or the memory in MiB. Null for other parts.',
  })
  desired!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The value in the cluster. Null when `acceptVmDrift` cannot take it over.',
  })
  found!: string | null
}

@ObjectType({ simpleResolvers: true, implements: Node, description: 'A virtual machine.' })
export class Vm implements VmView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String, { description: 'The slug of the tenant.' })
  tenantSlug!: string
  @Field(() => String, { description: 'The namespace of the VM in the cluster.' })
  namespace!: string
  @Field(() => String) name!: string
  @Field(() => String, { description: 'The text that users see.' })
  displayName!: string
  @Field(() => vmEnums.state, { description: 'The state as last observed in the cluster.' })
  state!: VmState
  @Field(() => DateTime, { description: 'When the state began.' })
  stateSince!: string
  @Field(() => VmExplanation, {
    nullable: true,
    description: 'Why the VM is not as desired; null when it is.',
  })
  explanation!: Explanation | null
  @Field(() => [VmDifference], {
    nullable: true,
    description: 'How the VM in the cluster differs from Berth. Null when it does not.',
  })
  drift!: readonly VmDifference[] | null
  @Field(() => PowerEnum, { description: 'The requested power state.' }) wantedPower!: Power
  startRequested!: boolean
  host!: string | null
  @Field(() => Int, {
    description:
      'The requested number of vCPUs. `restartRequired` is true while the VM runs with another size.',
  })
  cpu!: number
  @Field(() => Int, { description: 'The requested memory in MiB.' })
  memoryMi!: number
  @Field(() => Boolean, {
    description:
      'Each vCPU gets a core of its own. A VM that is on takes this over with its next start.',
  })
  dedicatedCpu!: boolean
  @Field(() => ID, {
    nullable: true,
    description:
      'The service offering that determines the size. Null for a VM with a size of its own.',
  })
  serviceOfferingId!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The name of the service offering. Null for a VM with a size of its own.',
  })
  serviceOfferingName!: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The template of the VM. Null when the template was deleted.',
  })
  templateId!: string | null
  @Field(() => String, { description: 'The name of the template.' })
  templateName!: string
  @Field(() => String, { description: 'The container disk or the ISO of the template.' })
  image!: string
  @Field(() => templateEnums.source, {
    description: 'Created from a container disk, or installed from an ISO.',
  })
  sourceType!: TemplateSource
  @Field(() => Boolean, {
    description: 'True when the ISO of the installation is inserted, or will be.',
  })
  isoInserted!: boolean
  @Field(() => templateEnums.os, {
    description: 'The kind of operating system, which determines the devices of the VM.',
  })
  osType!: GuestSystem
  @Field(() => Boolean, { description: 'The firmware starts signed code only.' })
  secureBoot!: boolean
  @Field(() => vmEnums.rootDisk, {
    description: 'An ephemeral root disk loses its data with each stop.',
  })
  rootDisk!: RootDisk
  @Field(() => Int, { description: 'The size of the root disk in GiB.' })
  bootDiskSizeGi!: number
  @Field(() => String, {
    nullable: true,
    description: 'The storage class of the root disk. Null means the default one of the cluster.',
  })
  storageClass!: string | null
  @Field(() => Int, {
    nullable: true,
    description: 'Progress of the import of the root disk in per cent.',
  })
  diskProgress!: number | null
  @Field(() => String, {
    nullable: true,
    description: 'The address by which the VM is reached first; null while it has none.',
  })
  ip!: string | null
  @Field(() => [String], {
    description:
      'All addresses of its NICs: observed ones first, beginning with `ip`, then assigned ones.',
  })
  addresses!: string[]
  @Field(() => String, { description: 'The MAC address of the first NIC. It never changes.' })
  mac!: string
  @Field(() => String, { nullable: true, description: 'The system that the guest agent reports.' })
  guestOs!: string | null
  @Field(() => Boolean, {
    description: 'A change takes effect only with the next start.',
  })
  restartRequired!: boolean
  @Field(() => BusyWithEnum, {
    nullable: true,
    description: 'The activity that blocks changes at the moment.',
  })
  busyWith!: BusyWith | null
  @Field(() => [String], { description: 'Texts by which users group VMs.' })
  tags!: string[]
  @Field(() => Boolean, { description: 'A deletion is refused while this is true.' })
  deleteProtection!: boolean
  @Field(() => Boolean, { description: 'True while the VM is being deleted.' })
  deleting!: boolean
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'An action on a VM, and whether the caller may do it now.',
})
export class VmActionState implements VmActionView {
  @Field(() => VmActionEnum, { description: 'The action.' })
  action!: VmAction
  @Field(() => Boolean, { description: 'True when the caller may do it now.' }) allowed!: boolean
  @Field(() => String, {
    nullable: true,
    description:
      'Why the action is refused, and what to do: the caller lacks a permission, or the VM is in another state.',
  })
  refusal!: Message | null
}

@ObjectType({ simpleResolvers: true })
export class VmConnection extends connectionOf<VmView>(Vm, 'Vm') {}

@ObjectType({ simpleResolvers: true })
export class VmPayload {
  @Field(() => Vm) vm!: Vm
  @Field(() => Operation) operation!: Operation
}

@ObjectType({ simpleResolvers: true })
export class CreateVmPayload extends VmPayload {}

@ObjectType({ simpleResolvers: true })
export class UpdateVmPayload {
  @Field(() => Vm) vm!: Vm
  @Field(() => Operation, { nullable: true }) operation!: Operation | null
  @Field(() => ChangeAppliesEnum, {
    description: 'When the last of the changes takes effect. A new size waits for the next start.',
  })
  applies!: ChangeApplies
}

@ObjectType({ simpleResolvers: true })
export class EjectVmIsoPayload extends VmPayload {
  @Field(() => ChangeAppliesEnum, {
    description: 'A running guest keeps the ISO until its next start.',
  })
  applies!: ChangeApplies
}

@ObjectType({ simpleResolvers: true })
export class RevertVmDriftPayload extends VmPayload {}

@ObjectType({ simpleResolvers: true })
export class AcceptVmDriftPayload extends VmPayload {}

@ObjectType({ simpleResolvers: true })
export class RetryVmPayload extends VmPayload {}

@ObjectType({ simpleResolvers: true })
export class DeleteVmPayload extends VmPayload {}
