import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type OperationState, operationStates } from '../../../domain/operation/lifecycle.ts'
import { type OperationView } from '../../../domain/operation/operation.ts'
import { type StepState, stepStates } from '../../../domain/operation/progress.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { type Message } from '../../../engine/model/message.ts'

export const OperationStateEnum = enumOf('OperationState', operationStates, {
  description: 'The state of an operation. Only `pending` and `running` change again.',
  values: {
    pending: 'No worker has begun the operation yet.',
    running: 'A worker carries out the operation.',
    succeeded: 'The cluster has done what the request asked for.',
    failed: 'The operation failed or missed its deadline. `fault` has the cause and the remedy.',
    cancelled: 'The operation was cancelled before it succeeded.',
    superseded: 'A later operation replaced this one. `supersededBy` has its id.',
  },
})

const StepStateEnum = enumOf('StepState', stepStates, {
  description: 'The state of a step of an operation.',
  values: {
    pending: 'The step has not begun.',
    running: 'The step has begun.',
    done: 'The step is complete.',
    failed: 'The operation ended without success during the step.',
    skipped: 'The operation succeeded without the step.',
  },
})

@ObjectType({ simpleResolvers: true, description: 'A step of an operation.' })
export class OperationStep {
  @Field(() => String, { description: 'The stable name of the step.' })
  name!: string
  @Field(() => String, { description: 'The step in words.' })
  title!: Message
  @Field(() => StepStateEnum, { description: 'The state of the step.' })
  state!: StepState
  @Field(() => DateTime, {
    nullable: true,
    description: 'The time at which the step began; null before.',
  })
  startedAt!: string | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'The time at which the step ended; null before.',
  })
  finishedAt!: string | null
}

@ObjectType({ simpleResolvers: true, description: 'Why an operation failed.' })
export class OperationFault {
  @Field(() => String, { description: 'The fault code. Clients branch on it.' })
  code!: string
  @Field(() => String, { description: 'The reason as a sentence.' })
  message!: Message
  @Field(() => String, { description: 'The remedy as a sentence.' })
  remedy!: Message
}

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description: 'The progress of a mutation that needs the cluster.',
})
export class Operation implements Omit<OperationView, 'faultCode' | 'faultDetail' | 'steps'> {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String, { description: 'The kind of the operation, such as `deploy_vm`.' })
  kind!: string
  @Field(() => String, { description: 'The kind of the object that the operation changes.' })
  targetKind!: string
  @Field(() => ID, { description: 'The id of the object.' })
  targetId!: string
  @Field(() => String, { description: 'The name of the object at that time.' })
  targetName!: string
  @Field(() => ID, { description: 'The user who started the operation.' })
  actorId!: string
  @Field(() => String, { description: 'The name of the user at that time.' })
  actorName!: string
  @Field(() => OperationStateEnum, {
    description: 'The operation has ended when it is neither pending nor running.',
  })
  state!: OperationState
  @Field(() => Int, {
    nullable: true,
    description: 'Progress in per cent; null when it is unknown.',
  })
  progress!: number | null
  @Field(() => String, {
    nullable: true,
    description:
      'A component or a right that the operator must provide. The operation then continues by itself. Null when nothing is missing.',
  })
  waitsFor!: Message | null
  /** True for a kind that can be cancelled; the resolver asks the state and the viewer as well. */
  cancellable!: boolean
  @Field(() => DateTime, {
    nullable: true,
    description: 'When a user requested the cancellation; null when no user did.',
  })
  cancelRequestedAt!: string | null
  @Field(() => ID, { nullable: true, description: 'The later operation that replaced this one.' })
  supersededBy!: string | null
  @Field(() => DateTime, { description: 'The operation fails when it has not ended by then.' })
  deadline!: string
  @Field(() => Int, { description: 'Grows with each change of the operation.' })
  version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime, {
    nullable: true,
    description: 'The time at which a worker began; null before.',
  })
  startedAt!: string | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'The time at which the operation ended; null before.',
  })
  finishedAt!: string | null
}

@ObjectType({ simpleResolvers: true })
export class OperationConnection extends connectionOf<OperationView>(Operation, 'Operation') {}

@ObjectType({ simpleResolvers: true })
export class CancelOperationPayload {
  @Field(() => Operation, { description: 'The operation with the requested cancellation.' })
  operation!: Operation
}
