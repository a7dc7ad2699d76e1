import { Field, ID, InputType } from 'type-graphql'
import { type OperationState } from '../../../domain/operation/lifecycle.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { OperationStateEnum } from './operation-types.ts'

@InputType()
export class OperationFilter {
  @Field(() => [OperationStateEnum], { nullable: true }) states?: OperationState[] | null
  @Field(() => String, { nullable: true }) kind?: string | null
  @Field(() => String, { nullable: true }) targetKind?: string | null
  @Field(() => ID, { nullable: true }) targetId?: string | null
  @Field(() => ID, { nullable: true }) actorId?: string | null
}

@InputType()
export class OperationOrder extends orderOf('OperationSort', ['createdAt']) {}

@InputType()
export class CancelOperationInput {
  @Field(() => ID, { description: 'The id of the operation.' }) id!: string
}
