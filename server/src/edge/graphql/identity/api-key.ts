import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import { type Call } from '../../../usecases/berth.ts'
import {
  credentialReads,
  credentialScope,
  visibleCredentials,
} from '../../../usecases/identity/visible-credentials.ts'
import { createApiKey } from '../../../usecases/identity/create-api-key.ts'
import { revokeApiKey } from '../../../usecases/identity/revoke-api-key.ts'
import {
  ApiKey,
  ApiKeyConnection,
  ApiKeyOrder,
  CreateApiKeyInput,
  CreateApiKeyPayload,
  RevokeApiKeyInput,
  RevokeApiKeyPayload,
} from './api-key-types.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'

const keyCall = ({ call, viewer }: FieldContext): Call => ({
  ...call,
  scope: credentialScope(viewer, call.scope),
})

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @needs('any')
  @Query(() => ApiKeyConnection, {
    description:
      'Lists API keys, including revoked ones: your own, or with `users:write` those of the whole tenant.',
  })
  apiKeys(
    @Ctx() context: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('orderBy', () => ApiKeyOrder, { nullable: true }) orderBy?: ApiKeyOrder,
  ) {
    return ApiKeyConnection.read(credentialReads(context.berth, context).apiKeys, {
      query: { ...visibleCredentials(context.viewer), ...sortOf(orderBy, 'name') },
      page: context.pageOf(args),
    })
  }

  @needs('any')
  @Mutation(() => CreateApiKeyPayload, {
    description: 'Creates an API key that acts as the caller.',
  })
  createApiKey(
    @Ctx() context: FieldContext,
    @Arg('input', () => CreateApiKeyInput) input: CreateApiKeyInput,
  ) {
    return context.berth.write(keyCall(context), (op) =>
      createApiKey(op, input, context.berth.platform.apiKeyMaxDays),
    )
  }

  @needs('any')
  @Mutation(() => RevokeApiKeyPayload, {
    description: 'Revokes an API key for good. It stays in the list.',
  })
  revokeApiKey(
    @Ctx() context: FieldContext,
    @Arg('input', () => RevokeApiKeyInput) input: RevokeApiKeyInput,
  ) {
    return context.berth.write(keyCall(context), (op) => revokeApiKey(op, input))
  }
}
