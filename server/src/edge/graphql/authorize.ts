import { createHash } from 'node:crypto'
import {
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
} from 'graphql'
import { Fault } from '../../engine/model/fault.ts'
import { type Permission, type Requirement } from '../../engine/model/permission.ts'
import { allPermissions } from '../../domain/identity/permission.ts'
import { type Viewer, may } from '../../engine/model/viewer.ts'
import { pageRequest } from '../../engine/model/page.ts'
import { type Scope } from '../../engine/model/scope.ts'
import { faultFrom } from '../../engine/http/faults.ts'
import { type FieldContext, type GraphRequest } from './context.ts'
import { writePatiently } from './patience.ts'
import { afterWaiting, requireWait } from './wait.ts'
import { messageOf } from '../../engine/model/message.ts'

type Resolver = GraphQLFieldResolver<unknown, GraphRequest>

/**
 * Wraps every root field once, at start: it checks the permission, derives the scope, and audits
 * refused mutations. The server does not start when a root field or a computed field declares no
 * permission.
 */
export function authorizeSchema(schema: GraphQLSchema): GraphQLSchema {
  const undeclared = computedFields(schema).filter(({ field }) => requirementsOf(field) === null)
  if (undeclared.length > 0) {
    throw new TypeError(
      `no permission declared for ${undeclared.map(({ type, field }) => `${type.name}.${field.name}`).join(', ')}`,
    )
  }
  for (const field of fieldsOf(schema.getQueryType()))
    field.resolve = authorized(field, field.resolve)
  for (const field of fieldsOf(schema.getMutationType())) field.resolve = audited(field)
  for (const field of fieldsOf(schema.getSubscriptionType()))
    field.subscribe = authorized(field, field.subscribe)
  return schema
}

interface OwnedField {
  type: GraphQLObjectType
  field: GraphQLField<unknown, GraphRequest>
}

function computedFields(schema: GraphQLSchema): OwnedField[] {
  const roots = new Set([
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ])
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith('__'),
  )
  return types
    .flatMap((type) => (isObjectType(type) ? fieldsOf(type).map((field) => ({ type, field })) : []))
    .filter(({ type, field }) => roots.has(type) || field.resolve !== undefined)
}

function fieldsOf(
  type: GraphQLObjectType | null | undefined,
): GraphQLField<unknown, GraphRequest>[] {
  // graphql types the source of a field as `any`. Every request here has a GraphRequest as context.
  return type ? (Object.values(type.getFields()) as GraphQLField<unknown, GraphRequest>[]) : []
}

/** Returns the declared requirements. Null when there are none or one is unknown. */
export function requirementsOf(
  field: Pick<GraphQLField<unknown, unknown>, 'extensions'>,
): readonly Requirement[] | null {
  const { needs } = field.extensions
  return Array.isArray(needs) && needs.length > 0 && needs.every(isRequirement) ? needs : null
}

function isRequirement(value: unknown): value is Requirement {
  return (
    value === 'any' ||
    value === 'public' ||
    allPermissions.some((permission) => permission === value)
  )
}

function authorized(
  field: GraphQLField<unknown, GraphRequest>,
  inner: Resolver | undefined,
): Resolver {
  const requirements = mustDeclare(field)
  const resolve = mustResolve(field, inner)
  return (root, args: object, request, info): unknown => {
    mustBeAuthorized(request.viewer, field, requirements)
    return resolve(root, args, fieldContext(field, requirements, { request, args }), info)
  }
}

function audited(field: GraphQLField<unknown, GraphRequest>): Resolver {
  const requirements = mustDeclare(field)
  const resolve = mustResolve(field, field.resolve)
  return async (root, args: object, request, info): Promise<unknown> => {
    const context = fieldContext(field, requirements, { request, args })
    try {
      mustBeAuthorized(request.viewer, field, requirements)
      return await resolve(root, args, context, info)
    } catch (error) {
      // A refused caller without a login is counted as a request with status 401. With a row for
      // each, such callers could fill the audit log.
      if (field.extensions.auditsItself !== true && request.viewer.credential !== 'none')
        await request.berth.refused(context.call, faultFrom(error).code)
      throw error
    }
  }
}

interface FieldRequest {
  request: GraphRequest
  args: object
}

function fieldContext(
  field: GraphQLField<unknown, GraphRequest>,
  requirements: readonly Requirement[],
  { request, args }: FieldRequest,
): FieldContext {
  const { berth, viewer, requestId, address, idempotencyKey, onReplay, pageCap, clock } = request
  const scope = scopeOf(viewer, requirements, field.extensions.platformWide === true)
  const idempotency =
    idempotencyKey === null ? null : { key: idempotencyKey, bodyHash: hashOf(args), onReplay }
  const call = { viewer, scope, operation: field.name, requestId, address, idempotency }
  const pageOf: FieldContext['pageOf'] = ({ first, after }) => pageRequest(first, after, pageCap)
  const reads = berth.reads(scope)
  const write: FieldContext['write'] = (act) =>
    writePatiently(request, () => berth.write(call, act))
  return {
    ...request,
    scope,
    call,
    reads,
    pageOf,
    write,
    async writeAndWait(seconds, act) {
      const endMs = clock.elapsedMs() + requireWait(seconds) * 1000
      const answer = await write(act)
      const leftMs = Math.max(0, endMs - clock.elapsedMs())
      return afterWaiting({ ...request, scope, reads }, answer, leftMs / 1000)
    },
  }
}

/**
 * Returns the platform's scope for platform-wide fields when the caller may read all tenants. Every
 * other field works for one tenant.
 */
export function scopeOf(
  viewer: Viewer,
  requirements: readonly Requirement[],
  platformWide: boolean,
): Scope {
  if (
    requirements.some(
      (requirement) => requirement.startsWith('tenants:') || requirement === 'public',
    )
  )
    return 'platform'
  if (platformWide && !viewer.tenantNamed && may(viewer, 'tenants:read')) return 'platform'
  return { tenantId: viewer.tenantId ?? '' }
}

function mustBeAuthorized(
  viewer: Viewer,
  { extensions }: GraphQLField<unknown, GraphRequest>,
  requirements: readonly Requirement[],
): void {
  if (requirements.every((requirement) => requirement === 'public')) return
  mustBeLoggedIn(viewer)
  if (viewer.lacksSecondFactor && extensions.openWithoutSecondFactor !== true)
    throw new Fault('forbidden', messageOf('access.second_factor_first'))
  const missing = requirements
    .filter(
      (requirement): requirement is Permission => requirement !== 'any' && requirement !== 'public',
    )
    .find((permission) => !may(viewer, permission))
  if (missing)
    throw new Fault('forbidden', messageOf('access.permission_missing', { permission: missing }))
}

export function mustBeLoggedIn({ credential }: Viewer): void {
  if (credential === 'none')
    throw new Fault('unauthenticated', messageOf('access.log_in_with_header'))
}

function mustDeclare(field: GraphQLField<unknown, GraphRequest>): readonly Requirement[] {
  const requirements = requirementsOf(field)
  if (!requirements) throw new TypeError(`no permission declared for ${field.name}`)
  return requirements
}

function mustResolve(
  field: GraphQLField<unknown, GraphRequest>,
  resolver: Resolver | undefined,
): Resolver {
  if (!resolver) throw new TypeError(`no resolver for ${field.name}`)
  return resolver
}

/** `waitSeconds` is no part of the request that an idempotency key stands for. */
const hashOf = (args: object): Buffer =>
  createHash('sha256')
    .update(JSON.stringify({ ...args, waitSeconds: undefined }))
    .digest()
