import 'reflect-metadata'
import { type GraphQLSchema } from 'graphql'
import { buildSchemaSync } from 'type-graphql'
import { guardSchema } from './guard.ts'
import { OperationResolver } from './operation.ts'
import { PlatformResolver } from './platform.ts'
import { ServiceOfferingResolver } from './service-offering.ts'
import { TenantResolver } from './tenant.ts'

const resolvers = [OperationResolver, PlatformResolver, ServiceOfferingResolver, TenantResolver] as const

/** The contract, guarded. Validation is the domain's, so type-graphql's own stays off; so do its middlewares, which run per field. */
export function buildBerthSchema(): GraphQLSchema {
  return guardSchema(buildSchemaSync({ resolvers: [...resolvers], validate: false, emitSchemaFile: false }))
}
