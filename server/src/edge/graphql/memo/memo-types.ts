import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type MemoView } from '../../../domain/memo/memo.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { Operation } from '../operation/operation-types.ts'

@ObjectType({ simpleResolvers: true, description: 'A text that the users of a tenant share.' })
export class Memo implements MemoView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) name!: string
  @Field(() => String) text!: string
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({ simpleResolvers: true })
export class MemoConnection extends connectionOf<MemoView>(Memo, 'Memo') {}

@ObjectType({ simpleResolvers: true })
class MemoPayload {
  @Field(() => Memo) memo!: Memo
  @Field(() => Operation, { nullable: true }) operation?: Operation | null
}

@ObjectType({ simpleResolvers: true })
export class CreateMemoPayload extends MemoPayload {}

@ObjectType({ simpleResolvers: true })
export class DeleteMemoPayload extends MemoPayload {}
