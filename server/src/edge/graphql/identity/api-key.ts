import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import { type Call } from '../../../usecases/berth.ts'
import { apiKeyReads, apiKeyScope, visibleApiKeys } from '../../../usecases/identity/api-keys.ts'
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

const keyCall = ({ call, viewer }: FieldContext): Call => ({
  ...call,
  scope: apiKeyScope(viewer, call.scope),
})

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @needs('any')
  @Query(() => ApiKeyConnection)
  apiKeys(@Ctx() context: FieldContext, @Args(() => PageArgs) args: PageArgs) {
    return ApiKeyConnection.read(apiKeyReads(context.berth, context), {
      query: visibleApiKeys(context.viewer),
      page: context.pageOf(args),
    })
  }

  @needs('any')
  @Mutation(() => CreateApiKeyPayload)
  createApiKey(
    @Ctx() context: FieldContext,
    @Arg('input', () => CreateApiKeyInput) input: CreateApiKeyInput,
  ) {
    return context.berth.write(keyCall(context), (op) => createApiKey(op, input))
  }

  @needs('any')
  @Mutation(() => RevokeApiKeyPayload)
  revokeApiKey(
    @Ctx() context: FieldContext,
    @Arg('input', () => RevokeApiKeyInput) input: RevokeApiKeyInput,
  ) {
    return context.berth.write(keyCall(context), (op) => revokeApiKey(op, input))
  }
}
