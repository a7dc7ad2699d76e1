import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql'
import {
  type CapacityGap,
  type HostCapacity as HostCapacityView,
  type PromisedCapacity as PromisedCapacityView,
  capacityGaps,
} from '../../../domain/cluster-capacity/cluster-capacity.ts'
import {
  type CapacityWarning,
  capacityWarnings,
} from '../../../domain/cluster-capacity/warnings.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

const GapEnum = enumOf(capacityGaps)
registerEnumType(GapEnum, {
  name: 'CapacityGap',
  description:
    'Why nobody can tell what the hosts have: nothing was heard of them yet, or Berth may not list nodes.',
})
const WarningEnum = enumOf(capacityWarnings)
registerEnumType(WarningEnum, {
  name: 'CapacityWarning',
  description: 'Short: 85 per cent of what the cluster takes is promised.',
})

@ObjectType({ simpleResolvers: true, description: 'What the hosts of the cluster have together.' })
export class HostCapacity implements HostCapacityView {
  @Field(() => Int) total!: number
  @Field(() => Int) ready!: number
  @Field(() => Int, { description: 'Ready, and new VMs may come to them.' }) open!: number
  @Field(() => Float, { description: 'Of open hosts, as the memory is.' }) cores!: number
  @Field(() => Float) memoryMi!: number
  @Field(() => Float, {
    description: 'To so many vCPUs the cluster promises each core before it takes no more VMs.',
  })
  vcpusPerCore!: number
}

@ObjectType({
  simpleResolvers: true,
  description: 'What VMs of all tenants that run, or are about to, ask for.',
})
export class PromisedCapacity implements PromisedCapacityView {
  @Field(() => Int) vms!: number
  @Field(() => Float, { description: 'May be more than there are cores: hosts share those out.' })
  vcpus!: number
  @Field(() => Float, {
    description:
      'Of the guests alone: hosts need some 300 MiB more for each VM, which warnings count.',
  })
  memoryMi!: number
}

@ObjectType({
  simpleResolvers: true,
  description: 'How much there is, and how much of it is promised.',
})
export class ClusterCapacity {
  @Field(() => HostCapacity, { nullable: true, description: 'Null where that cannot be told.' })
  hosts!: HostCapacityView | null
  @Field(() => GapEnum, { nullable: true, description: 'Why not.' }) gap!: CapacityGap | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the hosts were last seen, where they are not any more.',
  })
  asOf!: string | null
  @Field(() => PromisedCapacity) promised!: PromisedCapacityView
  @Field(() => [WarningEnum]) warnings!: readonly CapacityWarning[]
}
