import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type OperationState, operationStates } from '../../../domain/operation/lifecycle.ts'
import { type OperationView } from '../../../domain/operation/operation.ts'
import { type StepState, stepStates } from '../../../domain/operation/progress.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { type Message } from '../../../engine/model/message.ts'

export const OperationStateEnum = enumOf('OperationState', operationStates)

const StepStateEnum = enumOf('StepState', stepStates)

@ObjectType({ simpleResolvers: true })
export class OperationStep {
  @Field(() => String) name!: string
  @Field(() => String) title!: Message
  @Field(() => StepStateEnum) state!: StepState
  @Field(() => DateTime, { nullable: true }) startedAt!: string | null
  @Field(() => DateTime, { nullable: true }) finishedAt!: string | null
}

@ObjectType({ simpleResolvers: true })
export class OperationFault {
  @Field(() => String) code!: string
  @Field(() => String) message!: Message
  @Field(() => String) remedy!: Message
}

@ObjectType({
  simpleResolvers: true,
  description: 'The progress of a mutation that needs the cluster.',
})
export class Operation implements Omit<OperationView, 'faultCode' | 'faultDetail' | 'steps'> {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) kind!: string
  @Field(() => String) targetKind!: string
  @Field(() => ID) targetId!: string
  @Field(() => String) targetName!: string
  @Field(() => ID) actorId!: string
  @Field(() => String) actorName!: string
  @Field(() => OperationStateEnum) state!: OperationState
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
  @Field(() => Boolean) cancellable!: boolean
  @Field(() => DateTime, { nullable: true }) cancelRequestedAt!: string | null
  @Field(() => ID, { nullable: true }) supersededBy!: string | null
  @Field(() => DateTime) deadline!: string
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime, { nullable: true }) startedAt!: string | null
  @Field(() => DateTime, { nullable: true }) finishedAt!: string | null
}

@ObjectType({ simpleResolvers: true })
export class OperationConnection extends connectionOf<OperationView>(Operation, 'Operation') {}

@ObjectType({ simpleResolvers: true })
export class CancelOperationPayload {
  @Field(() => Operation) operation!: Operation
}
