import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import {
  type Explanation,
  type ExplanationCode,
  explanationCodes,
} from '../../../domain/vm/explain.ts'
import { type BusyWith, busyWiths } from '../../../domain/vm/busy.ts'
import { type VmAction, type VmActionView, vmActions } from '../../../domain/vm/lifecycle.ts'
import { type VmState, vmStates } from '../../../domain/vm/state.ts'
import {
  type ChangeApplies,
  type Power,
  type RootDisk,
  type VmView,
  changeApplies,
  powers,
  rootDisks,
} from '../../../domain/vm/vm.ts'
import { wireStates } from '../../../domain/vm/wire-state.ts'
import { type GuestSystem, type TemplateSource } from '../../../domain/vm-template/vm-template.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Operation } from '../operation/operation-types.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { templateEnums } from '../vm-template/vm-template-types.ts'
import { type Message } from '../../../engine/model/message.ts'

export const vmEnums = {
  state: enumOf(vmStates),
  rootDisk: enumOf(rootDisks),
  wireState: enumOf(wireStates),
}
const PowerEnum = enumOf(powers)
registerEnumType(vmEnums.state, { name: 'VmState' })
registerEnumType(vmEnums.rootDisk, { name: 'VmRootDisk' })
registerEnumType(PowerEnum, { name: 'VmPower' })
registerEnumType(vmEnums.wireState, {
  name: 'VmWireState',
  description: 'The states of the REST interface, which has fewer.',
})
export const ChangeAppliesEnum = enumOf(changeApplies)
registerEnumType(ChangeAppliesEnum, {
  name: 'VmChangeApplies',
  description: 'When a change of a VM takes effect.',
})
const BusyWithEnum = enumOf(busyWiths)
registerEnumType(BusyWithEnum, { name: 'VmBusyWith' })
const VmActionEnum = enumOf(vmActions)
registerEnumType(VmActionEnum, { name: 'VmAction' })
const ExplanationCodeEnum = enumOf(explanationCodes)
registerEnumType(ExplanationCodeEnum, { name: 'VmExplanationCode' })
const fixers = ['you', 'operator', 'nobody'] as const
export type Fixer = (typeof fixers)[number]
export const FixerEnum = enumOf(fixers)
registerEnumType(FixerEnum, { name: 'VmFixer' })

@ObjectType({ simpleResolvers: true, description: 'Why a VM is not as asked.' })
export class VmExplanation implements Explanation {
  @Field(() => ExplanationCodeEnum) code!: ExplanationCode
  @Field(() => String) summary!: Message
  @Field(() => DateTime, { nullable: true }) since!: string | null
  @Field(() => String) cause!: Message
  @Field(() => String) nextStep!: Message
  @Field(() => FixerEnum) whoCanFix!: Fixer
}

@ObjectType({ simpleResolvers: true, description: 'A virtual machine.' })
export class Vm implements VmView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) tenantSlug!: string
  @Field(() => String, { description: 'Where the cluster has it.' }) namespace!: string
  @Field(() => String) name!: string
  @Field(() => String) displayName!: string
  @Field(() => vmEnums.state, { description: 'As it was seen last.' }) state!: VmState
  @Field(() => DateTime) stateSince!: string
  @Field(() => VmExplanation, {
    nullable: true,
    description: 'What is not as it should be; null when all is fine.',
  })
  explanation!: Explanation | null
  @Field(() => PowerEnum, { description: 'As it was asked for.' }) wantedPower!: Power
  @Field(() => Int, {
    description: 'As it was asked for; `restartRequired` tells that it runs with less or more.',
  })
  cpu!: number
  @Field(() => Int) memoryMi!: number
  @Field(() => Boolean) dedicatedCpu!: boolean
  @Field(() => ID, { nullable: true }) serviceOfferingId!: string | null
  @Field(() => String, { nullable: true }) serviceOfferingName!: string | null
  @Field(() => ID, { nullable: true, description: 'Null when the template is not there any more.' })
  templateId!: string | null
  @Field(() => String) templateName!: string
  @Field(() => String) image!: string
  @Field(() => templateEnums.source, {
    description: 'Made from a container disk, or installed from an ISO.',
  })
  sourceType!: TemplateSource
  @Field(() => Boolean, {
    description: 'It has, or is to have, the ISO that it is installed from.',
  })
  isoInserted!: boolean
  @Field(() => templateEnums.os) osType!: GuestSystem
  @Field(() => Boolean) secureBoot!: boolean
  @Field(() => vmEnums.rootDisk) rootDisk!: RootDisk
  @Field(() => Int) bootDiskSizeGi!: number
  @Field(() => String, { nullable: true }) storageClass!: string | null
  @Field(() => Int, { nullable: true, description: 'How far its disk is filled, per cent.' })
  diskProgress!: number | null
  @Field(() => String, { nullable: true }) ip!: string | null
  @Field(() => [String], {
    description:
      'Of all its NICs: as they are seen, the first of which is `ip`, and as they were given.',
  })
  addresses!: string[]
  @Field(() => String, { description: 'Of its first NIC, the same for life.' }) mac!: string
  @Field(() => String, { nullable: true, description: 'As the guest says.' }) guestOs!:
    string | null
  @Field(() => Boolean, {
    description: 'Something was changed that takes effect with the next start only.',
  })
  restartRequired!: boolean
  @Field(() => BusyWithEnum, {
    nullable: true,
    description: 'What keeps it from being changed at the moment.',
  })
  busyWith!: BusyWith | null
  @Field(() => [String]) tags!: string[]
  @Field(() => Boolean) deleteProtection!: boolean
  @Field(() => Boolean) deleting!: boolean
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({ simpleResolvers: true })
export class VmActionState implements VmActionView {
  @Field(() => VmActionEnum) action!: VmAction
  @Field(() => Boolean) allowed!: boolean
  @Field(() => String, { nullable: true, description: 'Why not, and what to do.' })
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
  @Field(() => Operation, {
    nullable: true,
    description: 'Null where the platform has nothing more to do.',
  })
  operation!: Operation | null
  @Field(() => ChangeAppliesEnum, {
    description: 'The latest of what was changed: a new size waits for the next start.',
  })
  applies!: ChangeApplies
}

@ObjectType({ simpleResolvers: true })
export class EjectVmIsoPayload extends VmPayload {
  @Field(() => ChangeAppliesEnum, {
    description: 'A guest that runs keeps the ISO until its next start.',
  })
  applies!: ChangeApplies
}

@ObjectType({ simpleResolvers: true })
export class DeleteVmPayload extends VmPayload {}
