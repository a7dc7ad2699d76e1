import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { type ApiKeyView } from '../../../domain/identity/api-key.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { Operation } from '../operation/operation-types.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

@ObjectType({
  simpleResolvers: true,
  description: 'A credential for scripts; acts as its owner, never with more.',
})
export class ApiKey implements Omit<ApiKeyView, 'version'> {
  @Field(() => ID) id!: string
  @Field(() => ID) userId!: string
  @Field(() => String) username!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) name!: string
  @Field(() => String) prefix!: string
  @Field(() => [String], { description: 'Empty: whatever the owner may do.' }) scopes!: string[]
  @Field(() => DateTime, { nullable: true }) expiresAt!: string | null
  @Field(() => DateTime, { nullable: true }) lastUsedAt!: string | null
  @Field(() => DateTime, { nullable: true }) revokedAt!: string | null
  @Field(() => DateTime) createdAt!: string
}

@ObjectType({ simpleResolvers: true })
export class ApiKeyConnection extends connectionOf<ApiKeyView>(ApiKey, 'ApiKey') {}

@ObjectType({ simpleResolvers: true })
export class CreateApiKeyPayload {
  @Field(() => ApiKey) apiKey!: ApiKey
  @Field(() => String, { description: 'Shown once.' }) secret!: string
  @Field(() => Operation, { nullable: true }) operation?: Operation | null
}

@ObjectType({ simpleResolvers: true })
export class RevokeApiKeyPayload {
  @Field(() => ApiKey) apiKey!: ApiKey
  @Field(() => Operation, { nullable: true }) operation?: Operation | null
}

@InputType()
export class CreateApiKeyInput {
  @Field(() => String, { nullable: true, defaultValue: 'default' }) name?: string | null
  @Field(() => Int, { nullable: true, description: 'Never when absent.' }) expiresInDays?:
    number | null
  @Field(() => [String], { nullable: true }) scopes?: string[] | null
}

@InputType()
export class RevokeApiKeyInput {
  @Field(() => ID) id!: string
}
