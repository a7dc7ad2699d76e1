import { Arg, Args, Ctx, Field, ID, InputType, ObjectType, Query, Resolver } from 'type-graphql'
import {
  type AuditEventView,
  type AuditOutcome,
  auditOutcomes,
} from '../../../domain/identity/audit.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { type FieldContext } from '../context.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { needs, platformWide } from '../../../engine/graphql/needs.ts'
import { orderOf, requestedSort } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

const AuditOutcomeEnum = enumOf('AuditOutcome', auditOutcomes)

@ObjectType({ simpleResolvers: true, description: 'A call that changed something, or tried to.' })
export class AuditEvent implements AuditEventView {
  @Field(() => ID) id!: string
  @Field(() => DateTime) at!: string
  @Field(() => ID, { nullable: true }) tenantId!: string | null
  @Field(() => ID) actorId!: string
  @Field(() => String) actorName!: string
  @Field(() => String) actorRole!: string
  @Field(() => Boolean, { description: 'True when root acted inside a tenant.' })
  byPlatform!: boolean
  @Field(() => String) credential!: string
  @Field(() => String) operation!: string
  @Field(() => String, { nullable: true }) targetKind!: string | null
  @Field(() => ID, { nullable: true }) targetId!: string | null
  @Field(() => String, { nullable: true }) targetName!: string | null
  @Field(() => AuditOutcomeEnum) outcome!: AuditOutcome
  @Field(() => String, { nullable: true }) code!: string | null
  @Field(() => String) requestId!: string
  @Field(() => String) address!: string
}

@ObjectType({ simpleResolvers: true })
class AuditEventConnection extends connectionOf<AuditEventView>(AuditEvent, 'AuditEvent') {}

@InputType()
class AuditEventFilter {
  @Field(() => String, { nullable: true }) operation?: string | null
  @Field(() => String, { nullable: true }) actorName?: string | null
  @Field(() => AuditOutcomeEnum, { nullable: true }) outcome?: AuditOutcome | null
}

@InputType()
class AuditEventOrder extends orderOf('AuditEventSort', ['at']) {}

@Resolver(() => AuditEvent)
export class AuditEventResolver {
  @needs('users:read')
  @platformWide()
  @Query(() => AuditEventConnection)
  auditEvents(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => AuditEventFilter, { nullable: true }) filter?: AuditEventFilter,
    @Arg('orderBy', () => AuditEventOrder, { nullable: true }) orderBy?: AuditEventOrder,
  ) {
    return AuditEventConnection.read(reads.auditEvents, {
      query: { ...filter, ...requestedSort(orderBy) },
      page: pageOf(args),
    })
  }
}
