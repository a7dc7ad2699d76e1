import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { type ApiKeyView } from '../../../domain/identity/api-key.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { Operation } from '../operation/operation-types.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

@ObjectType({
  simpleResolvers: true,
  description: 'A credential for programs. It acts as its owner and never has more permissions.',
})
export class ApiKey implements Omit<ApiKeyView, 'version'> {
  @Field(() => ID) id!: string
  @Field(() => ID, { description: 'The user as whom the key acts.' })
  userId!: string
  @Field(() => String, { description: 'The name of the user as whom the key acts.' })
  username!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) name!: string
  @Field(() => String, {
    description: 'The first characters of the secret, by which a user recognises the key.',
  })
  prefix!: string
  @Field(() => [String], {
    description: 'The permissions of the key. An empty list means all permissions of its owner.',
  })
  scopes!: string[]
  @Field(() => DateTime, {
    nullable: true,
    description: 'The end of the key; null when it does not expire.',
  })
  expiresAt!: string | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'The last use of the key; null when there was none.',
  })
  lastUsedAt!: string | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'The time at which the key was revoked; null when it is not.',
  })
  revokedAt!: string | null
  @Field(() => DateTime) createdAt!: string
}

@ObjectType({ simpleResolvers: true })
export class ApiKeyConnection extends connectionOf<ApiKeyView>(ApiKey, 'ApiKey') {}

@ObjectType({ simpleResolvers: true })
export class CreateApiKeyPayload {
  @Field(() => ApiKey) apiKey!: ApiKey
  @Field(() => String, { description: 'The secret of the key. It is shown only once.' })
  secret!: string
  @Field(() => Operation, { nullable: true }) operation?: Operation | null
}

@ObjectType({ simpleResolvers: true })
export class RevokeApiKeyPayload {
  @Field(() => ApiKey) apiKey!: ApiKey
  @Field(() => Operation, { nullable: true }) operation?: Operation | null
}

@InputType()
export class ApiKeyOrder extends orderOf('ApiKeySort', ['createdAt', 'name']) {}

@InputType()
export class CreateApiKeyInput {
  @Field(() => String, { description: 'A text by which users recognise the key.' })
  name!: string
  @Field(() => Int, {
    nullable: true,
    description:
      'Days until the key expires, 1 or more, and at most `Platform.apiKeyMaxDays`. Without it, the key lives that long; with no such limit, it does not expire.',
  })
  expiresInDays?: number | null
  @Field(() => [String], {
    nullable: true,
    description: 'At least one permission. Without it, the key has all permissions of its owner.',
  })
  scopes?: string[] | null
}

@InputType()
export class RevokeApiKeyInput {
  @Field(() => ID) id!: string
}
