import { Field, Float, Int, ObjectType } from 'type-graphql'
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

const GapEnum = enumOf('CapacityGap', capacityGaps, {
  description: 'Why the capacity of the nodes is unknown.',
  values: {
    not_told: 'Berth has not read the nodes yet.',
    not_permitted: 'The service account of Berth may not list nodes.',
  },
})
const WarningEnum = enumOf('CapacityWarning', capacityWarnings, {
  description: 'A resource runs short when 85 per cent of it is allocated.',
  values: {
    no_open_host: 'No node is ready and accepts new VMs.',
    cpu_short: 'The vCPUs of the nodes run short: `cores` times `vcpusPerCore`.',
    memory_short: 'The memory of the nodes runs short.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'The total capacity of the nodes of the cluster.',
})
export class HostCapacity implements HostCapacityView {
  @Field(() => Int, { description: 'The number of nodes.' })
  total!: number
  @Field(() => Int, { description: 'Nodes that are ready.' })
  ready!: number
  @Field(() => Int, { description: 'Nodes that are ready and accept new VMs.' }) open!: number
  @Field(() => Float, {
    description:
      'CPU cores of the nodes that accept new VMs. The memory is that of the same nodes.',
  })
  cores!: number
  @Field(() => Float, { description: 'Memory of the nodes that accept new VMs.' })
  memoryMi!: number
  @Field(() => Float, {
    description: 'vCPUs per physical core (`cpuAllocationRatio`).',
  })
  vcpusPerCore!: number
}

@ObjectType({
  simpleResolvers: true,
  description: 'Resources allocated to VMs of all tenants that run or are about to start.',
})
export class PromisedCapacity implements PromisedCapacityView {
  @Field(() => Int, { description: 'The number of VMs that run or are about to run.' })
  vms!: number
  @Field(() => Float, { description: 'May exceed the number of cores, because vCPUs share cores.' })
  vcpus!: number
  @Field(() => Float, {
    description:
      'Memory of the guests only. A node needs about 300 MiB more for each VM, and `warnings` include that.',
  })
  memoryMi!: number
}

@ObjectType({
  simpleResolvers: true,
  description: 'Capacity of the cluster, and how much of it is allocated.',
})
export class ClusterCapacity {
  @Field(() => HostCapacity, {
    nullable: true,
    description: 'The capacity of the nodes. Null when it is unknown; `gap` has the reason.',
  })
  hosts!: HostCapacityView | null
  @Field(() => GapEnum, { nullable: true, description: 'Why `hosts` is null.' })
  gap!: CapacityGap | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the nodes were last read, if they can no longer be read.',
  })
  asOf!: string | null
  @Field(() => PromisedCapacity, {
    description: 'The capacity allocated to the VMs of all tenants that run or are about to run.',
  })
  promised!: PromisedCapacityView
  @Field(() => [WarningEnum], { description: 'The resources that run short.' })
  warnings!: readonly CapacityWarning[]
}
