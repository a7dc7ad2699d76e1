import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import { visibleApiKeys } from '../../../usecases/identity/api-keys.ts'
import { createApiKey } from '../../../usecases/identity/create-api-key.ts'
import { revokeApiKey } from '../../../usecases/identity/revoke-api-key.ts'
import {
  ApiKey,
  ApiKeyConnection,
  CreateApiKeyInput,
  CreateApiKeyPayload,
  RevokeApiKeyInput,
  RevokeApiKeyPayload,
} from './api-key-types.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @needs('any')
  @Query(() => ApiKeyConnection)
  apiKeys(@Ctx() { reads, pageOf, viewer }: FieldContext, @Args(() => PageArgs) args: PageArgs) {
    return ApiKeyConnection.read(reads.apiKeys, {
      query: visibleApiKeys(viewer),
      page: pageOf(args),
    })
  }

  @needs('any')
  @Mutation(() => CreateApiKeyPayload)
  createApiKey(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => CreateApiKeyInput) input: CreateApiKeyInput,
  ) {
    return write((op) => createApiKey(op, input))
  }

  @needs('any')
  @Mutation(() => RevokeApiKeyPayload)
  revokeApiKey(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => RevokeApiKeyInput) input: RevokeApiKeyInput,
  ) {
    return write((op) => revokeApiKey(op, input))
  }
}
