import { Field, ID, InputType } from 'type-graphql'
import { orderOf } from '../../../engine/graphql/order.ts'

@InputType()
export class MemoFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name or of the text.',
  })
  search?: string | null
}

@InputType()
export class MemoOrder extends orderOf('MemoSort', ['createdAt', 'name']) {}

@InputType()
export class CreateMemoInput {
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes. Other text is converted to a slug.',
  })
  name!: string
  @Field(() => String, { description: 'At most 2,000 characters.' })
  text!: string
}

@InputType()
export class DeleteMemoInput {
  @Field(() => ID) id!: string
}
