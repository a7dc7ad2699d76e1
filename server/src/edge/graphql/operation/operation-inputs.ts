import { Field, ID, InputType } from 'type-graphql'
import { type OperationState } from '../../../domain/operation/lifecycle.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { OperationStateEnum } from './operation-types.ts'

@InputType()
export class OperationFilter {
  @Field(() => [OperationStateEnum], {
    nullable: true,
    description: 'Only operations in one of these states.',
  })
  states?: OperationState[] | null
  @Field(() => String, { nullable: true, description: 'Only operations of this kind.' })
  kind?: string | null
  @Field(() => String, { nullable: true, description: 'Only operations on objects of this kind.' })
  targetKind?: string | null
  @Field(() => ID, { nullable: true, description: 'Only operations of this object.' })
  targetId?: string | null
  @Field(() => ID, { nullable: true, description: 'Only operations that this user started.' })
  actorId?: string | null
}

@InputType()
export class OperationOrder extends orderOf('OperationSort', ['createdAt']) {}

@InputType()
export class CancelOperationInput {
  @Field(() => ID, { description: 'The id of the operation.' }) id!: string
}
