import {
  Arg,
  Args,
  Ctx,
  Field,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql'
import {
  type AuditEventView,
  type AuditExport,
  type AuditExportFormat,
  type AuditFilter,
  type AuditOutcome,
  auditExportFormats,
  auditOutcomes,
} from '../../../domain/identity/audit.ts'
import { createAuditExport } from '../../../usecases/identity/create-audit-export.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { type FieldContext } from '../context.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { needs, platformWide } from '../../../engine/graphql/needs.ts'
import { orderOf, requestedSort } from '../../../engine/graphql/order.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'

const AuditOutcomeEnum = enumOf('AuditOutcome', auditOutcomes, {
  description: 'The outcome of a call.',
  values: {
    allowed: 'Berth accepted the call and recorded its change.',
    refused: 'Berth refused the call, for example because the caller lacks a permission.',
    failed: 'The call failed because of the platform or the cluster, not because of the caller.',
  },
})
const AuditExportFormatEnum = enumOf('AuditExportFormat', auditExportFormats, {
  description: 'The format of an export of the audit log.',
  values: {
    csv: 'The file has one row of comma-separated values for each call.',
    ndjson: 'The file has one line with a JSON object for each call.',
  },
})

@ObjectType({ simpleResolvers: true, description: 'A call that changed something, or tried to.' })
export class AuditEvent implements AuditEventView {
  @Field(() => ID) id!: string
  @Field(() => DateTime, { description: 'When the caller was answered.' })
  at!: string
  @Field(() => ID, { nullable: true, description: 'The tenant in which the caller acted.' })
  tenantId!: string | null
  @Field(() => ID, { description: 'The user who called.' })
  actorId!: string
  @Field(() => String, { description: 'The name of the user at that time.' })
  actorName!: string
  @Field(() => String, { description: 'The role of the user at that time.' })
  actorRole!: string
  @Field(() => Boolean, { description: 'True when root acted inside a tenant.' })
  byPlatform!: boolean
  @Field(() => String, {
    description: 'The kind of credential: `session`, `token`, `api_key` or `none`.',
  })
  credential!: string
  @Field(() => String, { description: 'The name of the mutation.' })
  operation!: string
  @Field(() => String, {
    nullable: true,
    description: 'The kind of the object that the call was about.',
  })
  targetKind!: string | null
  @Field(() => ID, { nullable: true, description: 'The id of the object.' })
  targetId!: string | null
  @Field(() => String, { nullable: true, description: 'The name of the object at that time.' })
  targetName!: string | null
  @Field(() => AuditOutcomeEnum, { description: 'The call was allowed, refused, or failed.' })
  outcome!: AuditOutcome
  @Field(() => String, {
    nullable: true,
    description: 'The fault code of a call that was not allowed.',
  })
  code!: string | null
  @Field(() => String, { description: 'The id under which the log has the request.' })
  requestId!: string
  @Field(() => String, { description: 'The IP address of the client.' })
  address!: string
}

@ObjectType({ simpleResolvers: true })
class AuditEventConnection extends connectionOf<AuditEventView>(AuditEvent, 'AuditEvent') {}

@InputType()
class AuditEventFilter implements AuditFilter {
  @Field(() => String, { nullable: true, description: 'Only calls of this mutation.' })
  operation?: string | null
  @Field(() => String, { nullable: true, description: 'Only calls of this user.' })
  actorName?: string | null
  @Field(() => AuditOutcomeEnum, { nullable: true, description: 'Only calls with this outcome.' })
  outcome?: AuditOutcome | null
  @Field(() => DateTime, { nullable: true, description: 'Only calls at or after this time.' })
  since?: string | null
  @Field(() => DateTime, { nullable: true, description: 'Only calls before this time.' })
  before?: string | null
}

@InputType()
class CreateAuditExportInput extends AuditEventFilter {
  @Field(() => AuditExportFormatEnum, { description: 'The format of the exported file.' })
  format!: AuditExportFormat
}

@ObjectType('AuditExport', {
  simpleResolvers: true,
  description: 'The span of one export of the audit log.',
})
class AuditExportType implements AuditExport {
  @Field(() => ID, { description: 'The id of the export in its own audit row.' })
  id!: string
  @Field(() => AuditExportFormatEnum, { description: 'The format of the exported file.' })
  format!: AuditExportFormat
  @Field(() => DateTime, {
    nullable: true,
    description: 'The earliest time of an exported call; null exports from the beginning.',
  })
  since!: string | null
  @Field(() => DateTime, {
    description: 'All exported calls are older than this time, which is never in the future.',
  })
  before!: string
}

@ObjectType({ simpleResolvers: true })
class CreateAuditExportPayload {
  @Field(() => AuditExportType) auditExport!: AuditExport
}

@InputType()
class AuditEventOrder extends orderOf('AuditEventSort', ['at']) {}

@Resolver(() => AuditEvent)
export class AuditEventResolver {
  @needs('users:read')
  @platformWide()
  @Query(() => AuditEventConnection, {
    description:
      'Calls that changed something, or tried to, newest first. Callers who may read all tenants and name none see the calls of all.',
  })
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

  @needs('users:read')
  @platformWide()
  @Mutation(() => CreateAuditExportPayload, {
    description:
      'Records that the caller exports the audit log. The caller then reads `auditEvents` with the same filter and the returned `before`, page by page; REST returns the file itself.',
  })
  createAuditExport(
    @Ctx() { write, scope }: FieldContext,
    @Arg('input', () => CreateAuditExportInput) input: CreateAuditExportInput,
  ) {
    const tenantId = scope === 'platform' ? null : scope.tenantId
    return write((op) => createAuditExport(op, { ...input, tenantId }))
  }
}
