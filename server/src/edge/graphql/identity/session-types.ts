import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { type SessionView, sessionKinds } from '../../../domain/identity/session.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { Operation } from '../operation/operation-types.ts'

const SessionKindEnum = enumOf('SessionKind', sessionKinds, {
  description: 'The kind of a login.',
  values: {
    session: 'A login of the console, which renews itself while it is used.',
    token: 'A login over the API, whose token has a fixed end.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'A login that is still valid. It ends by itself when it expires.',
})
export class Session implements SessionView {
  @Field(() => ID) id!: string
  @Field(() => ID, { description: 'The user who logged in.' }) userId!: string
  @Field(() => String, { description: 'The name of the user who logged in.' }) username!: string
  @Field(() => ID, { description: 'The tenant of the user.' }) tenantId!: string
  @Field(() => SessionKindEnum, { description: 'A console session, or a token of the API.' })
  kind!: SessionView['kind']
  @Field(() => String, { description: 'The program of the login, as it named itself.' })
  userAgent!: string
  @Field(() => String, { description: 'The IP address that the login came from.' })
  address!: string
  @Field(() => DateTime, { description: 'When the user logged in.' }) createdAt!: string
  @Field(() => DateTime, { description: 'When the login was last used, to the minute or so.' })
  lastUsedAt!: string
  @Field(() => DateTime, { description: 'When the login ends by itself.' }) expiresAt!: string
}

@ObjectType({ simpleResolvers: true })
export class SessionConnection extends connectionOf<SessionView>(Session, 'Session') {}

@ObjectType({ simpleResolvers: true })
export class EndSessionPayload {
  @Field(() => Session, { description: 'The login as it was before it ended.' })
  session!: SessionView
  @Field(() => Operation, { nullable: true }) operation?: Operation | null
}

@ObjectType({ simpleResolvers: true })
export class LogoutPayload extends EndSessionPayload {}

@InputType()
export class SessionOrder extends orderOf('SessionSort', ['createdAt', 'lastUsedAt']) {}

@InputType()
export class EndSessionInput {
  @Field(() => ID) id!: string
}
