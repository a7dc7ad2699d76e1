import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { needs } from '../../../engine/graphql/needs.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { createMemo } from '../../../usecases/memo/create-memo.ts'
import { deleteMemo } from '../../../usecases/memo/delete-memo.ts'
import { type FieldContext } from '../context.ts'
import { CreateMemoInput, DeleteMemoInput, MemoFilter, MemoOrder } from './memo-inputs.ts'
import { CreateMemoPayload, DeleteMemoPayload, Memo, MemoConnection } from './memo-types.ts'

@Resolver(() => Memo)
export class MemoResolver {
  @needs('memos:read')
  @Query(() => Memo, { nullable: true })
  memo(@Ctx() { reads }: FieldContext, @Arg('id', () => ID) id: string) {
    return reads.memos.find(id)
  }

  @needs('memos:read')
  @Query(() => MemoConnection)
  memos(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => MemoFilter, { nullable: true }) filter?: MemoFilter,
    @Arg('orderBy', () => MemoOrder, { nullable: true }) orderBy?: MemoOrder,
  ) {
    return MemoConnection.read(reads.memos, {
      query: { search: filter?.search, ...sortOf(orderBy, 'name') },
      page: pageOf(args),
    })
  }

  @needs('memos:write')
  @Mutation(() => CreateMemoPayload)
  createMemo(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => CreateMemoInput) input: CreateMemoInput,
  ) {
    return write((op) => createMemo(op, input))
  }

  @needs('memos:write')
  @Mutation(() => DeleteMemoPayload)
  deleteMemo(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => DeleteMemoInput) input: DeleteMemoInput,
  ) {
    return write((op) => deleteMemo(op, input))
  }
}
